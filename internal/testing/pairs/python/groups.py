from kfp import dsl

from steps import *


@dsl.pipeline(name='groups')
def pipeline(text: str):
    def handled(name, words):
        with dsl.ExitHandler(report(), name=name) as group:
            say(text=words)
        return group

    first = handled('first part', 'a')
    second = handled('second part', 'b')
    say(text=text).after(first).set_debug_pause(before=True, on_error=True)
    say(text=text).after(first, second).set_debug_pause()
    with dsl.If(text == 'x', name='the letter x'):
        say(text=text)
    with dsl.If(text == 'y', name='y'):
        say(text=text)
    with dsl.Elif(text == 'z', name='z'):
        say(text=text)
    with dsl.Else(name='others'):
        say(text=text)
    with dsl.ParallelFor(['a', 'b'], name='each letter') as letter:
        say(text=letter)
