from typing import List

from kfp import compiler, dsl
from kfp.compiler.compiler_utils import KubernetesManifestOptions

from steps import *


@dsl.pipeline(name='inner-manifests')
def inner(text: str):
    say(text=text)


@dsl.pipeline(name='manifests')
def pipeline(text: str = 'a', n: int = 1, ns: List[int] = [1], x: float = 0.5, on: bool = False, mean: dict = {'a': 1}):
    say(text=text)
    inner(text=text)
    with dsl.If(on == True):
        make_int(n=n)


def compile_to(path):
    compiler.Compiler().compile(
        pipeline, path, kubernetes_manifest_format=True,
        kubernetes_manifest_options=KubernetesManifestOptions(
            namespace='ml', pipeline_name='the-pipeline', pipeline_display_name='The pipeline',
            pipeline_version_name='the-pipeline-2', pipeline_version_display_name='Second', include_pipeline_manifest=True))
