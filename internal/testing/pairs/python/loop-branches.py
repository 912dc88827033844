from typing import List

from kfp import dsl

from steps import *


@dsl.container_component
def join(texts: List[str], out: dsl.OutputPath(str)):
    return dsl.ContainerSpec(image='x', command=['/join'], args=[texts, out])


@dsl.pipeline(name='loop-branches')
def pipeline(texts: List[str], rates: List[float]) -> List[str]:
    with dsl.ParallelFor(texts) as x:
        with dsl.If(x == 'a'):
            a = make_text(text='A')
        with dsl.Elif(x == 'b'):
            b = make_text(text=x)
        with dsl.Else():
            c = make_text(text='else')
        made = make_text(text=dsl.OneOf(a.output, b.output, c.output))
    got = join(texts=dsl.Collected(made.output))
    with dsl.If(got.output != ''):
        join(texts=dsl.Collected(made.output))
    return dsl.Collected(made.output)
