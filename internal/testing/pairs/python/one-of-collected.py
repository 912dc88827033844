from typing import List, NamedTuple

from kfp import dsl

from steps import *

Spread = NamedTuple('Spread', texts=List[str])


@dsl.pipeline(name='spread')
def spread(texts: List[str], rates: List[float]) -> Spread:
    with dsl.ParallelFor(texts) as x:
        made = make_text(text=x)
    return Spread(dsl.Collected(made.output))


@dsl.container_component
def join(texts: List[str], out: dsl.OutputPath(str)):
    return dsl.ContainerSpec(image='x', command=['/join'], args=[texts, out])


@dsl.pipeline(name='one-of-collected')
def pipeline(texts: List[str], rates: List[float]):
    kind = make_text(text='x').output
    with dsl.If(kind == 'x'):
        a = spread(texts=texts, rates=rates)
    with dsl.Else():
        b = spread(texts=['other'], rates=rates)
    all = dsl.OneOf(a.outputs['texts'], b.outputs['texts'])
    join(texts=all)
    with dsl.ParallelFor(all) as x:
        say(text=x)
