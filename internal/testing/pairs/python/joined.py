from typing import List

from kfp import dsl
from kfp.dsl import Dataset, Input, Model

from steps import *


@dsl.pipeline
def many_models(data: Input[Dataset], rates: List[float]) -> List[Model]:
    with dsl.ParallelFor(rates) as r:
        one = train(data=data, rate=r)
    return dsl.Collected(one.outputs['model'])


@dsl.pipeline(name='joined')
def pipeline(source: str, rates: List[float], models: Input[List[Model]]):
    data = make_data(source=source)
    with dsl.Condition(source == 'y'):
        say(text=source)
    with dsl.If(source == 'x'):
        a = many_models(data=data.output, rates=rates)
    with dsl.Else():
        b = many_models(data=data.output, rates=[0.5])
    joined = dsl.OneOf(a.output, b.output)
    use_models(models=joined, accs=rates)
    use_models(models=joined, accs=rates)
    with dsl.ParallelFor(rates) as r:
        one = train(data=data.output, rate=r)
    use_models(models=dsl.Collected(one.outputs['model']), accs=rates)
