from kfp import dsl

from steps import *


@dsl.pipeline(name='inner-order')
def inner(text: str):
    a = say(text=text)
    say(text=text).after(a)


@dsl.pipeline(name='after-groups')
def pipeline(n: int):
    a = say(text='hi')
    p = inner(text='hi').after(a)
    say(text='hi').after(p, a)
    with dsl.If(n == 1):
        b = say(text='hi').after(p)
        with dsl.If(n == 2):
            inner(text='hi').after(a, b)
        say(text='hi').after(b)
    with dsl.Else():
        say(text='hi').after(a)
