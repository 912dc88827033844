from kfp import dsl

from steps import *


@dsl.container_component
def in_workspace():
    return dsl.ContainerSpec(image='x', command=['/list'], args=[dsl.WORKSPACE_PATH_PLACEHOLDER])


@dsl.pipeline(
    name='config', description='What a whole pipeline is set to.', display_name='Settings of it all', pipeline_root='gs://bucket/root',
    pipeline_config=dsl.PipelineConfig(
        workspace=dsl.WorkspaceConfig(size='10Gi', kubernetes=dsl.KubernetesWorkspaceConfig(
            pvcSpecPatch={'storageClassName': 'fast', 'accessModes': ['ReadWriteMany']})),
        active_deadline_seconds=3600, ttl_seconds_after_finished=60, ttl_seconds_after_success=120, ttl_seconds_after_failure=180))
def pipeline(text: str):
    say(text=dsl.WORKSPACE_PATH_PLACEHOLDER)
    with dsl.If(text == 'x'):
        say(text=f'{dsl.WORKSPACE_PATH_PLACEHOLDER}/{text}')
    in_workspace()
