from typing import List

from kfp import dsl

from steps import *


@dsl.container_component
def sort(texts: List[str], out: dsl.OutputPath(List[str])):
    return dsl.ContainerSpec(image='x', command=['/sort'], args=[texts, out])


@dsl.pipeline(name='loop-again')
def pipeline(texts: List[str], rates: List[float]):
    with dsl.ParallelFor(texts) as x:
        made = make_text(text=x)
    with dsl.ParallelFor(texts) as x:
        say(text=x)
    with dsl.ParallelFor(sort(texts=dsl.Collected(made.output)).output) as x:
        say(text=x)
