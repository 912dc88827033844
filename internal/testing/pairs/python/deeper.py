from typing import List, NamedTuple

from kfp import dsl
from kfp.dsl import Dataset, Input, Model, Output

from steps import *

One = NamedTuple('One', model=Model, acc=float, text=str)
Sweep = NamedTuple('Sweep', models=List[Model], accs=List[float], texts=List[str])
Names = NamedTuple('Names', model=Model, acc=float, texts=List[str])


@dsl.pipeline(name='one')
def one(data: Input[Dataset], rate: float) -> One:
    t = train(data=data, rate=rate)
    with dsl.If(t.outputs['acc'] > 0.5):
        with dsl.ParallelFor(['x', 'y']) as x:
            say(text=f"{x} of {t.outputs['acc']}")
        good = make_text(text='good')
    with dsl.Else():
        bad = make_text(text='bad')
    return One(t.outputs['model'], t.outputs['acc'], dsl.OneOf(good.output, bad.output))


@dsl.pipeline(name='sweep')
def sweep(source: str, rates: List[float]) -> Sweep:
    data = make_data(source=source)
    with dsl.ParallelFor(rates) as rate:
        o = one(data=data.output, rate=rate)
    return Sweep(dsl.Collected(o.outputs['model']), dsl.Collected(o.outputs['acc']), dsl.Collected(o.outputs['text']))


@dsl.container_component
def pick(models: Input[List[Model]], accs: List[float], model: Output[Model], acc: dsl.OutputPath(float)):
    return dsl.ContainerSpec(image='x', command=['/pick'], args=['{{$}}', model.path])


@dsl.pipeline(name='deeper')
def pipeline(source: str, rates: List[float]) -> Names:
    all = sweep(source=source, rates=rates)
    best = pick(models=all.outputs['models'], accs=all.outputs['accs'])
    return Names(best.outputs['model'], best.outputs['acc'], all.outputs['texts'])
