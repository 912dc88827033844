from kfp import dsl

from steps import *


@dsl.pipeline(name='exit')
def pipeline(text: str, n: int = 1):
    status = report(note=text)
    with dsl.ExitHandler(status):
        a = make_text(text=text)
        with dsl.If(n == 1):
            say(text=a.output)
