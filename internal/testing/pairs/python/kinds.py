from typing import NamedTuple

from kfp import dsl
from kfp.dsl import (HTML, Artifact, ClassificationMetrics, Dataset, Input, Markdown, Metrics, Model, Output,
                     SlicedClassificationMetrics)


class Tokenizer(Artifact):
    schema_title = 'system.Tokenizer'
    schema_version = '0.2.1'


class VertexModel(Artifact):
    schema_title = 'google.VertexModel'
    schema_version = '0.0.1'


@dsl.container_component
def make_all(any: Output[Artifact], data: Output[Dataset], model: Output[Model], metrics: Output[Metrics],
             classes: Output[ClassificationMetrics], slices: Output[SlicedClassificationMetrics], page: Output[HTML],
             text: Output[Markdown], tokenizer: Output[Tokenizer], vertex: Output[VertexModel]):
    return dsl.ContainerSpec(
        image='x', command=['/make'],
        args=[any.path, data.uri, model.path, metrics.path, classes.path, slices.path, page.path, text.path,
              tokenizer.path, vertex.uri])


@dsl.container_component
def use_all(any: Input[Artifact], data: Input[Dataset], model: Input[Model], metrics: Input[Metrics],
            classes: Input[ClassificationMetrics], slices: Input[SlicedClassificationMetrics], page: Input[HTML],
            text: Input[Markdown], tokenizer: Input[Tokenizer], vertex: Input[VertexModel]):
    return dsl.ContainerSpec(
        image='x', command=['/use'],
        args=[any.uri, data.path, model.uri, metrics.uri, classes.uri, slices.uri, page.uri, text.uri,
              tokenizer.uri, vertex.path])


@dsl.container_component
def look(it: Input[Artifact]):
    return dsl.ContainerSpec(image='x', command=['/look'], args=[it.path])


Outputs = NamedTuple('Outputs', any=Artifact, data=Dataset, model=Model, metrics=Metrics, classes=ClassificationMetrics,
                     slices=SlicedClassificationMetrics, page=HTML, text=Markdown, tokenizer=Tokenizer, vertex=VertexModel)


@dsl.pipeline(name='kinds')
def pipeline() -> Outputs:
    made = make_all()
    use_all(**made.outputs)
    look(it=made.outputs['any'])
    look(it=made.outputs['model'])
    look(it=made.outputs['tokenizer'])
    return Outputs(**made.outputs)
