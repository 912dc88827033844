"""The components that the twins share; steps_test.go has the same in Go."""
from typing import List

from kfp import dsl
from kfp.dsl import Dataset, Input, Model, Output


@dsl.container_component
def say(text: str):
    return dsl.ContainerSpec(image='x', command=['/say'], args=[text])


@dsl.container_component
def make_text(text: str, out: dsl.OutputPath(str)):
    return dsl.ContainerSpec(image='x', command=['/text'], args=[text, out])


@dsl.container_component
def make_int(n: int, out: dsl.OutputPath(int)):
    return dsl.ContainerSpec(image='x', command=['/int'], args=[n, out])


@dsl.container_component
def make_float(x: float, out: dsl.OutputPath(float)):
    return dsl.ContainerSpec(image='x', command=['/float'], args=[x, out])


@dsl.container_component
def make_list(out: dsl.OutputPath(List[int])):
    return dsl.ContainerSpec(image='x', command=['/list'], args=[out])


@dsl.container_component
def sum_up(ns: List[int], out: dsl.OutputPath(int)):
    return dsl.ContainerSpec(image='x', command=['/sum'], args=[ns, out])


@dsl.container_component
def make_data(source: str, data: Output[Dataset]):
    return dsl.ContainerSpec(image='x', command=['/data'], args=[source, data.path])


@dsl.container_component
def train(data: Input[Dataset], rate: float, model: Output[Model], acc: dsl.OutputPath(float)):
    return dsl.ContainerSpec(image='x', command=['/train'], args=[data.path, rate, model.path, acc])


@dsl.container_component
def use_model(model: Input[Model]):
    return dsl.ContainerSpec(image='x', command=['/use'], args=[model.uri])


@dsl.container_component
def use_models(models: Input[List[Model]], accs: List[float]):
    return dsl.ContainerSpec(image='x', command=['/use'], args=['{{$}}'])


@dsl.container_component
def optional(text: str = 'hi', n: int = 3, note: str = None, base: Input[Model] = None):
    return dsl.ContainerSpec(
        image='x', command=['/optional'],
        args=[text, dsl.IfPresentPlaceholder('note', ['--note', note]), dsl.IfPresentPlaceholder('base', ['--base', base.path])])


@dsl.container_component
def report(status: dsl.PipelineTaskFinalStatus, note: str = ''):
    return dsl.ContainerSpec(image='x', command=['/report'], args=['{{$}}'])
