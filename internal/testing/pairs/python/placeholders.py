from kfp import dsl

from steps import *


@dsl.container_component
def who_am_i():
    return dsl.ContainerSpec(image='x', command=['/who'], args=[
        '--run', dsl.PIPELINE_JOB_ID_PLACEHOLDER, '--task=' + dsl.PIPELINE_TASK_NAME_PLACEHOLDER, dsl.PIPELINE_ROOT_PLACEHOLDER + '/x',
        dsl.PIPELINE_TASK_EXECUTOR_INPUT_PLACEHOLDER, dsl.PIPELINE_TASK_EXECUTOR_OUTPUT_PATH_PLACEHOLDER])


@dsl.pipeline(name='placeholders')
def pipeline(text: str):
    for p in [
            dsl.PIPELINE_JOB_NAME_PLACEHOLDER, dsl.PIPELINE_JOB_RESOURCE_NAME_PLACEHOLDER, dsl.PIPELINE_JOB_ID_PLACEHOLDER,
            dsl.PIPELINE_TASK_NAME_PLACEHOLDER, dsl.PIPELINE_TASK_ID_PLACEHOLDER, dsl.PIPELINE_ROOT_PLACEHOLDER,
            dsl.PIPELINE_JOB_CREATE_TIME_UTC_PLACEHOLDER, dsl.PIPELINE_JOB_SCHEDULE_TIME_UTC_PLACEHOLDER,
            f'run-{dsl.PIPELINE_JOB_ID_PLACEHOLDER} of {text}']:
        say(text=p)
    who_am_i()
