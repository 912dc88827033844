from kfp import dsl


@dsl.component(base_image='x', task_config_passthroughs=[
    dsl.TaskConfigField.RESOURCES,
    dsl.TaskConfigField.KUBERNETES_TOLERATIONS,
    dsl.TaskConfigField.KUBERNETES_NODE_SELECTOR,
    dsl.TaskConfigField.KUBERNETES_AFFINITY,
    dsl.TaskConfigPassthrough(field=dsl.TaskConfigField.ENV, apply_to_task=True),
    dsl.TaskConfigPassthrough(field=dsl.TaskConfigField.KUBERNETES_VOLUMES, apply_to_task=True),
])
def launch(workers: int, task_config: dsl.TaskConfig):
    print(workers, task_config.env)


@dsl.pipeline(name='task-config')
def pipeline():
    launch(workers=2).set_cpu_limit('2').set_accelerator_type('nvidia.com/gpu').set_accelerator_limit(1).set_env_variable('A', 'b')
