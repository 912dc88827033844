from kfp import dsl
from kfp.dsl import Model

from steps import *


@dsl.pipeline(name='branches')
def pipeline(kind: str, n: int = 3, x: float = 0.5, flag: bool = True, source: str = 'here') -> Model:
    data = make_data(source=source)
    with dsl.If(kind == 'small'):
        a = train(data=data.output, rate=0.1)
    with dsl.Elif(kind == 'large'):
        b = train(data=data.output, rate=x)
    with dsl.Else():
        c = train(data=data.output, rate=0.3)
    model = dsl.OneOf(a.outputs['model'], b.outputs['model'], c.outputs['model'])
    acc = dsl.OneOf(a.outputs['acc'], b.outputs['acc'], c.outputs['acc'])
    use_model(model=model)
    make_float(x=acc)  # without it, kfp 2.17.3 forgets to export what only a condition reads
    with dsl.If(acc >= x):
        say(text='good')
        with dsl.If(n > 2):
            say(text='many')
        with dsl.Else():
            say(text='few')
    got = make_int(n=n)
    with dsl.If(got.output != 7):
        say(text='not seven')
    with dsl.If(flag == True):
        say(text='flag')
    with dsl.If(x < 1e20):
        say(text='small')
    with dsl.If(got.output == n):
        say(text='same')
    return model
