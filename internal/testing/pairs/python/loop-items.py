from kfp import dsl

from steps import *


@dsl.container_component
def flag(on: bool):
    return dsl.ContainerSpec(image='x', command=['/flag'], args=[on])


@dsl.pipeline(name='loop-items')
def pipeline():
    with dsl.ParallelFor(['a', '', 'it\'s "x"', 'ü', '1']) as x:
        say(text=x)
    with dsl.ParallelFor([0.5, -1e-7, 1e300]) as x:
        make_float(x=x)
    with dsl.ParallelFor([True, False]) as x:
        flag(on=x)
    with dsl.ParallelFor([[1, 2], [3]], parallelism=1) as x:
        sum_up(ns=x)
    with dsl.ParallelFor([{'n': 1}, {'n': -2}]) as x:
        make_int(n=x.n)
    with dsl.ParallelFor([{'rate': 0.5, 'x': 0.1}, {'rate': 1.5, 'x': 0.2}]) as x:
        make_float(x=x.rate)
        make_float(x=x.x)
    with dsl.ParallelFor([{'on': True}, {'on': False}]) as x:
        flag(on=x.on)
