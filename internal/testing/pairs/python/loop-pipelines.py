from typing import List, NamedTuple

from kfp import dsl

from steps import *

Inner = NamedTuple('Inner', out=str)


@dsl.pipeline(name='in-loop')
def in_loop(text: str) -> Inner:
    with dsl.ParallelFor([1, 2]) as n:
        make_int(n=n).set_env_variable('A', 'b')
    return Inner(make_text(text=text).set_caching_options(False).output)


@dsl.container_component
def join(texts: List[str], out: dsl.OutputPath(str)):
    return dsl.ContainerSpec(image='x', command=['/join'], args=[texts, out])


@dsl.pipeline(name='loop-pipelines')
def pipeline(texts: List[str], rates: List[float]):
    with dsl.ParallelFor(texts) as x:
        got = in_loop(text=x)
        with dsl.If(got.output == 'x'):
            in_loop(text=got.output)
    join(texts=dsl.Collected(got.output))
