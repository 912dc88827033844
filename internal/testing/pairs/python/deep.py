from typing import Dict, List

from kfp import dsl

from steps import *


@dsl.container_component
def sum_all(ns: List[List[int]]):
    return dsl.ContainerSpec(image='x', command=['/sum'], args=[ns])


@dsl.pipeline(name='deep')
def pipeline(ns: List[int], groups: List[Dict[str, List[str]]], count: int, text: str):
    got = make_int(n=count)
    with dsl.If(count == 1):
        with dsl.If(got.output == 2):
            with dsl.ParallelFor(ns) as i:
                make_int(n=i)
                with dsl.If(i == 3):
                    say(text=text)
    with dsl.ParallelFor(ns) as i:
        with dsl.ParallelFor([1, 2]) as j:
            b = make_int(n=j)
    sum_all(ns=dsl.Collected(b.output))
    with dsl.ParallelFor(groups) as g:
        with dsl.ParallelFor(g.members) as m:
            say(text=m)
    with dsl.ParallelFor(ns) as i:
        with dsl.If(i == 1):
            c = make_text(text='one')
        with dsl.Else():
            d = make_text(text=text)
        say(text=dsl.OneOf(c.output, d.output))
    with dsl.If(got.output > 1):
        x = make_text(text='many')
    with dsl.Elif(got.output == 1):
        y = make_text(text='one')
    with dsl.Else():
        z = make_text(text='none')
    words = dsl.OneOf(x.output, y.output, z.output)
    with dsl.ParallelFor(ns) as i:
        with dsl.If(i > 0):
            say(text=words)
