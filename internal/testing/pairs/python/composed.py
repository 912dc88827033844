from kfp import dsl

from steps import *


@dsl.container_component
def configure(job: dict, tags: List[str], extra: dict):
    return dsl.ContainerSpec(image='x', command=['/configure'], args=[job, tags, extra])


@dsl.pipeline(name='composed')
def pipeline(s: str, n: int = 2):
    machine = make_text(text=s).output
    count = make_int(n=n).output
    job = {'machine': machine, 'count': f'{count}', 'args': ['--it\'s "quoted"', f'--name={s} "and" {n}'], 'size': 1.5}
    configure(job=job, tags=[machine, 'b', s], extra={'owner': s, 'nested': [1, f'<{machine}>', True]})
    with dsl.If(n == 2):
        configure(job=job, tags=[machine], extra={'size': 3})
        say(text=machine)
