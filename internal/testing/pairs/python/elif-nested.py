from kfp import dsl

from steps import *


@dsl.pipeline(name='elif-nested')
def pipeline(s: str, i: int, f: float, b: bool, t: str = 't'):
    got = make_int(n=i).output

    def inner():
        with dsl.If(s == 'a'):
            say(text='a')
        with dsl.Elif(got > 3):
            more = make_int(n=got)
            with dsl.If(more.output == i):
                say(text='same')
            with dsl.Else():
                say(text='other')
        with dsl.Else():
            say(text='none')

    with dsl.If(i == 1):
        inner()
    with dsl.Elif(i == 2):
        inner()
    with dsl.Else():
        inner()
