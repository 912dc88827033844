from typing import NamedTuple

from kfp import dsl


@dsl.container_component
def add(a: float, b: float, sum: dsl.OutputPath(float)):
    return dsl.ContainerSpec(image='prog', command=['/app', 'kfpgo:exec', 'add'], args=['{{$}}'])


@dsl.container_component
def my_divmod(dividend: float, divisor: float, quotient: dsl.OutputPath(float), remainder: dsl.OutputPath(float)):
    return dsl.ContainerSpec(image='prog', command=['/app', 'kfpgo:exec', 'my-divmod'], args=['{{$}}'])


@dsl.pipeline(name='calc')
def pipeline(a: float, b: float = 7.0, c: float = 17.0) -> NamedTuple('out', quotient=float, remainder=float, result=float):
    sum = add(a=a, b=4.0)
    div = my_divmod(dividend=sum.output, divisor=b)
    result = add(a=div.outputs['quotient'], b=c)
    out = NamedTuple('out', quotient=float, remainder=float, result=float)
    return out(div.outputs['quotient'], div.outputs['remainder'], result.output)
