from kfp import dsl
from kfp.dsl import Dataset, Input, Model

from steps import *


@dsl.pipeline(name='inner')
def inner(data: Input[Dataset], rate: float = 0.5, note: str = None, base: Input[Model] = None) -> Model:
    """Inner one."""
    t = train(data=data, rate=rate)
    optional(note=note, base=base)
    return t.outputs['model']


@dsl.pipeline(name='nested')
def pipeline(source: str, note: str = 'x'):
    data = make_data(source=source)
    a = inner(data=data.output)
    b = inner(data=data.output, rate=0.7, note=note, base=a.output)
    optional()
    optional(text='given', n=4, note=note, base=b.output)
