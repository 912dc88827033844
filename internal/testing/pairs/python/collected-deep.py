from typing import List

from kfp import dsl
from kfp.dsl import Input, Model

from steps import *


@dsl.container_component
def sum_matrix(m: list):
    return dsl.ContainerSpec(image='x', command=['/matrix'], args=[m])


@dsl.pipeline(name='collected-deep')
def pipeline(source: str, rates: List[float], models: Input[List[Model]]):
    data = make_data(source=source)
    with dsl.ParallelFor([1, 2]) as n:
        with dsl.ParallelFor(rates) as r:
            number = make_int(n=n)
            trained = train(data=data.output, rate=r)
    sum_matrix(m=dsl.Collected(number.output))
    use_models(models=dsl.Collected(trained.outputs['model']), accs=[1.0])
    with dsl.ParallelFor([3, 4]) as n:
        with dsl.If(n > 3):
            some = make_int(n=n)
        with dsl.If(n < 3):
            other = train(data=data.output, rate=0.5)
    sum_up(ns=dsl.Collected(some.output))
    use_models(models=dsl.Collected(other.outputs['model']), accs=[1.0])
