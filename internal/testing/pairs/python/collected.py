from typing import List

from kfp import dsl
from kfp.dsl import Input, Model

from steps import *


@dsl.pipeline(name='collected')
def pipeline(rates: List[float], source: str, models: Input[List[Model]]):
    data = make_data(source=source)
    with dsl.ParallelFor(rates, parallelism=1) as r:
        t = train(data=data.output, rate=r)
    use_models(models=dsl.Collected(t.outputs['model']), accs=dsl.Collected(t.outputs['acc']))
    with dsl.ParallelFor(models) as m:
        use_model(model=m)
