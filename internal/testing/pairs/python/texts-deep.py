from kfp import dsl

from steps import *


@dsl.pipeline(name='say-both')
def say_both(text: str) -> str:
    got = make_text(text=f'inner {text}')
    return make_text(text=f'{got.output}|{text}').output


@dsl.pipeline(name='texts-deep')
def pipeline(s: str, n: int, f: float, b: bool):
    m = make_int(n=n).output
    say(text=f'{s} {n} {f} {b}')
    say(text=f'{m}{m}')
    say(text=f'{{"a": "{s}", "n": {m}}}\n# 100%')
    both = say_both(text=f'<{m}>')
    say(text=f'{both.output}')
    with dsl.If(m > 1):
        inside = make_text(text=f'{m} of {s}').output
        with dsl.If(s == 'x'):
            say(text=f'{m} of {s} and {inside}')
            say_both(text=f'{both.output}!')
