from kfp import dsl

from steps import *


@dsl.pipeline(name='after')
def pipeline(n: int):
    a = say(text='a')
    b = say(text='b').after(a)
    with dsl.If(n == 1):
        c = say(text='c').after(a)
        d = say(text='d').after(c, b)
    with dsl.ParallelFor([1, 2]) as i:
        e = make_int(n=i).after(b)
