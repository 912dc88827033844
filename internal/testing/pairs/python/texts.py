from kfp import dsl

from steps import *


@dsl.pipeline(name='texts')
def pipeline(s: str, n: int = 2):
    a = make_text(text=f'{s} and {n}')
    say(text=f'got {a.output}: {s}')
    with dsl.If(n == 2):
        say(text=f'in {a.output} {s} {n}')
    say(text='quote \' " {brace} # line\nnext ü 日本 \\ $(x)')
    say(text='')
    make_float(x=-0.5)
