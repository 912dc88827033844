from kfp import dsl
from kfp.dsl import Input, Model

from steps import *


@dsl.pipeline(name='last')
def last(text: str = None, n: int = 3, note: str = None, rate: float = None, base: Input[Model] = None):
    optional(text=text, n=n, note=note, base=base)
    optional(note=note)


@dsl.pipeline(name='middle')
def middle(text: str = None, n: int = 3, note: str = None, rate: float = None, base: Input[Model] = None):
    last(text=text, n=n, note=note, rate=rate, base=base)
    last(note=note)
    last(text='given', n=n)


@dsl.pipeline(name='three')
def pipeline(text: str = None, n: int = 3, note: str = None, rate: float = None, base: Input[Model] = None):
    middle(text=text, n=n, note=note, rate=rate, base=base)
    middle()
    middle(note='', base=base, n=0)
