from kfp import dsl

from steps import *


@dsl.container_component
def later(text: str = 'none', n: int = 0):
    return dsl.ContainerSpec(image='x', command=['/later'], args=[text, n])


@dsl.pipeline(name='ignoring')
def pipeline(n: int):
    a = make_text(text='hi')
    b = make_int(n=n)
    later(text=a.output, n=n).ignore_upstream_failure()
    later(text=a.output, n=b.output).ignore_upstream_failure().after(a)
    say(text='hi').ignore_upstream_failure().after(a)
    with dsl.If(n == 1):
        c = say(text='hi')
        say(text='hi').after(c).ignore_upstream_failure()
