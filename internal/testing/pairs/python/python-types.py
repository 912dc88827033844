from typing import Dict, List, NamedTuple, Optional

from kfp import dsl
from kfp.dsl import (HTML, ClassificationMetrics, Dataset, Input, InputPath, Markdown, Metrics, Model, Output, OutputPath,
                     PipelineTaskFinalStatus, SlicedClassificationMetrics)


@dsl.component(base_image='python:3.12')
def make(name: str, rows: List[int], weights: Dict[str, float], data: Output[Dataset], note: OutputPath(str)) -> NamedTuple('Made', [('sum', int), ('names', List[str]), ('big', bool)]):
    with open(data.path, 'w') as f:
        f.write('%s %s' % (rows, weights))
    with open(note, 'w') as f:
        f.write(name)
    return sum(rows), [name], sum(rows) > 10


@dsl.component(base_image='python:3.12')
def fit(data: Input[Dataset], rate: float = 0.5, note: Optional[str] = None, options: dict = {'a': 1, 'b': [2.5, 3]}, base: Input[Model] = None, *, model: Output[Model], metrics: Output[Metrics]):
    model.framework = 'none'
    with open(model.path, 'w') as f:
        f.write(open(data.path).read())
    metrics.log_metric('rate', rate)


@dsl.component(base_image='python:3.12')
def judge(models: Input[List[Model]], data: InputPath(Dataset), curve: Output[ClassificationMetrics], slices: Output[SlicedClassificationMetrics], page: Output[HTML], text: Output[Markdown]) -> float:
    curve.log_confusion_matrix(['a', 'b'], [[1, 2], [3, 4]])
    with open(page.path, 'w') as f:
        f.write('<p>')
    with open(text.path, 'w') as f:
        f.write('#')
    return float(len(models))


@dsl.component(base_image='python:3.12')
def last(status: PipelineTaskFinalStatus, best: float = 0.0):
    print(status.state, best)


@dsl.pipeline(name='python-types')
def pipeline(rows: List[int] = [1, 2], name: str = 'x'):
    end = last()
    with dsl.ExitHandler(end):
        made = make(name=name, rows=rows, weights={'a': 0.5})
        with dsl.ParallelFor(items=[0.1, 0.2]) as rate:
            fitted = fit(data=made.outputs['data'], rate=rate, note=made.outputs['note'])
        judge(models=dsl.Collected(fitted.outputs['model']), data=made.outputs['data'])
