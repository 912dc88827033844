from kfp import dsl

from steps import *


@dsl.pipeline(name='labels')
def pipeline(n: int, text: str):
    with dsl.If(n == 1, name='one'):
        say(text=text)
    with dsl.Elif(n == 2, name='two'):
        say(text=text)
    with dsl.Else(name='many of them'):
        say(text=text)
    with dsl.ParallelFor([1, 2], name='Each number') as i:
        make_int(n=i)
    status = report()
    with dsl.ExitHandler(status, name='guarded'):
        say(text=text)
