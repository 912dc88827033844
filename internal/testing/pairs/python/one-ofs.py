from kfp import dsl

from steps import *


@dsl.pipeline(name='one-ofs')
def pipeline(s: str, i: int, f: float, b: bool, t: str = 't') -> str:
    with dsl.If(s == 'a'):
        x = make_text(text='A')
    with dsl.Elif(i == 2):
        y = make_text(text=s)
    with dsl.Else():
        z = make_text(text=t)
    word = dsl.OneOf(x.output, y.output, z.output)
    with dsl.If(b == True):
        p = make_list()
    with dsl.Else():
        q = make_list()
    numbers = dsl.OneOf(p.output, q.output)
    say(text=word)
    sum_up(ns=numbers)
    with dsl.ParallelFor(numbers) as n:
        say(text=word)
        make_int(n=n)
    with dsl.If(i == 7):
        say(text=word)
    return word
