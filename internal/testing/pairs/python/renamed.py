from typing import List

from kfp import compiler, dsl

from steps import *


@dsl.pipeline(name='inner-renamed')
def inner(text: str):
    say(text=text)


@dsl.pipeline(name='renamed')
def pipeline(text: str = 'a', n: int = 1, ns: List[int] = [1], x: float = 0.5, on: bool = False, mean: dict = {'a': 1}):
    say(text=text)
    inner(text=text)
    with dsl.If(on == True):
        make_int(n=n)


def compile_to(path):
    compiler.Compiler().compile(
        pipeline, path, pipeline_name='another-name', pipeline_display_name='Another: name', type_check=False,
        pipeline_parameters={'text': 'b: "c"', 'n': 2, 'ns': [2, 3], 'x': 1e-3, 'on': True, 'mean': {'b': 0.5}})
