from kfp import dsl

from steps import say


@dsl.pipeline(name='quantities')
def pipeline():
    say(text='k80').set_accelerator_type('NVIDIA_TESLA_K80').set_accelerator_limit(2).set_cpu_limit('1.5').set_retry(0)
    say(text='tpu').set_accelerator_type('tpu-v3').set_cpu_limit('.5')
    say(text='any').set_accelerator_limit(1).set_cpu_limit('0.5m')
