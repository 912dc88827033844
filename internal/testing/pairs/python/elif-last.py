from kfp import dsl

from steps import *


@dsl.pipeline(name='elif-last')
def pipeline(s: str, i: int, f: float, b: bool, t: str = 't'):
    got = make_text(text=s)
    with dsl.If(got.output == 'a'):
        say(text='a')
    with dsl.Elif(i == 1):
        say(text='one')
    with dsl.Elif(f > 0.5):
        say(text='more')
