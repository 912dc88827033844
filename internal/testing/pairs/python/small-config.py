from kfp import dsl

from steps import *


@dsl.pipeline(name='small-config', pipeline_config=dsl.PipelineConfig(workspace=dsl.WorkspaceConfig(size='1.5Gi'), ttl_seconds_after_finished=9))
def pipeline(text: str):
    say(text=text)
