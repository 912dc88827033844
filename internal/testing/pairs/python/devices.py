from kfp import dsl

from steps import *


@dsl.pipeline(name='devices')
def pipeline(cpu: str, memory: str, kind: str, count: str, text: str):
    say(text=text).set_cpu_limit('0.5').set_cpu_request('1500m').set_memory_limit('3Gi').set_memory_request('64Mi')
    say(text=text).set_cpu_limit('2').set_memory_limit('1000000').set_memory_request('3T')
    say(text=text).add_node_selector_constraint('cloud-tpus.google.com/v3').set_accelerator_limit(8)
    say(text=text).set_accelerator_type('nvidia.com/gpu').set_gpu_limit('1')
    say(text=text).set_cpu_limit(cpu).set_cpu_request(cpu).set_memory_limit(memory).set_memory_request(memory)
    made = make_text(text=text).output
    say(text=text).set_cpu_limit(made).set_memory_limit(made).set_container_image(made)
    with dsl.If(made == 'big'):
        say(text=text).set_memory_limit(made).set_container_image(made)
