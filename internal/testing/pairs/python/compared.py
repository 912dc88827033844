from kfp import dsl

from steps import *


@dsl.pipeline(name='compared')
def pipeline(s: str, i: int, f: float, b: bool, t: str = 't'):
    for condition, text in [
        (lambda: s == 'a b', 'eq'),
        (lambda: s != '', 'ne'),
        (lambda: s < 'm', 'lt'),
        (lambda: s == t, 'eq ref'),
        (lambda: i == -1, 'int eq'),
        (lambda: i != 0, 'int ne'),
        (lambda: i < 1, 'int lt'),
        (lambda: i <= 2, 'int le'),
        (lambda: i > 3, 'int gt'),
        (lambda: i >= 2**53, 'int ge'),
        (lambda: f == 0.5, 'float eq'),
        (lambda: f <= -1e-7, 'float le'),
        (lambda: f > 2.0, 'float gt'),
        (lambda: b == True, 'bool'),
        (lambda: b == False, 'bool eq'),
        (lambda: b != True, 'bool ne'),
    ]:
        with dsl.If(condition()):
            say(text=text)
    got = make_float(x=f).output
    with dsl.If(got < f):
        say(text='ref lt')
    with dsl.If(got <= f):
        say(text='ref le')
    with dsl.If(got > f):
        say(text='ref gt')
    with dsl.If(got != f):
        say(text='ref ne')
