from typing import List

from kfp import compiler, dsl, kubernetes

from steps import *


@dsl.pipeline(name='inner-manifest')
def inner(text: str):
    say(text=text)


@dsl.pipeline(name='manifest')
def pipeline(text: str = 'a', n: int = 1, ns: List[int] = [1], x: float = 0.5, on: bool = False, mean: dict = {'a': 1}):
    kubernetes.add_node_selector(say(text=text), 'zone', 'a')
    inner(text=text)
    with dsl.If(on == True):
        make_int(n=n)


def compile_to(path):
    compiler.Compiler().compile(pipeline, path, kubernetes_manifest_format=True)
