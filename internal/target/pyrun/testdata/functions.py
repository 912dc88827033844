"""Functions as users of KFP write them, for its executor and for ours."""
from typing import Any, Dict, List, NamedTuple, Optional, Union

from kfp import dsl
from kfp.dsl import *
from kfp.dsl import Artifact, Dataset, Input, Model, Output

CONSTANT = 3


class Point(NamedTuple):
    x: int
    y: float


def helper(x):
    return x * CONSTANT


def scalars(i: int, f: float, s: str, b: bool) -> str:
    return '%s %s %s %s' % (type(i).__name__, f / 2, s, b)


def no_result(s: str):
    print('it says', s)


def a_int(x: int) -> int:
    return helper(x)


def a_float(x: float) -> float:
    return x / 3


def int_as_float() -> float:
    return 3


def a_bool(x: int) -> bool:
    return x > 1


def a_list(xs: List[int]) -> List[int]:
    return sorted(xs) + [len(xs)]


def a_plain_list(xs: list) -> list:
    return xs + [None, 1.5, 'x', {'a': []}]


def a_dict(d: Dict[str, float]) -> Dict[str, float]:
    return dict(d, more=0.1)


def a_plain_dict(d: dict) -> dict:
    return {'deep': {'er': [d, True, None]}, 'text': 'é日 \\ " \n {}'}


def texts(s: str) -> str:
    return s


def empty(s: str) -> str:
    return ''


def optional(a: Optional[str] = None, b: Optional[int] = 5, c: str = 'c', d: Optional[List[int]] = None) -> str:
    return repr((a, b, c, d))


def pair(a: int) -> NamedTuple('Out', [('first', int), ('second', str)]):
    return a, str(a)


def named(a: int) -> NamedTuple('Out', [('first', int), ('second', str)]):
    from collections import namedtuple
    out = namedtuple('Out', ['second', 'first'])
    return out(second='x', first=a)


def point(a: int) -> Point:
    return Point(x=a, y=0.5)


def out_path(text: OutputPath(str), number: OutputPath(int)):
    with open(text, 'w') as f:
        f.write('12')
    with open(number, 'w') as f:
        f.write('12')


def datasets(data: Input[Dataset], out: Output[Dataset]):
    with open(data.path) as f, open(out.path, 'w') as g:
        g.write(f.read().upper())
    out.metadata['rows'] = data.metadata['rows'] + 1
    out.metadata['from'] = data.name


def every_kind(a: Output[Artifact], b: Output[Model], c: Output[Metrics], d: Output[HTML], e: Output[Markdown], f: Output[ClassificationMetrics]):
    b.framework = 'tf'
    assert b.framework == 'tf' and b.schema_title == 'system.Model'
    c.log_metric('accuracy', 0.9)
    c.log_metric('accuracy', 0.95)
    c.log_metric('epochs', 3)
    f.log_roc_data_point(0.1, 0.2, 0.9)
    f.log_roc_curve([0.1, 0.2], [0.3, 0.4], [0.9, 0.8])
    f.log_confusion_matrix(['cat', 'dog'], [[1, 2], [3, 4]])
    for written in (a, d):
        with open(written.path, 'w') as out:
            out.write('<b>')
    with open(e.path, 'w') as out:
        out.write('#')


def matrix(f: Output[ClassificationMetrics]):
    f.set_confusion_matrix_categories(['a', 'b', 'c'])
    f.log_confusion_matrix_row('a', [1, 2, 3])
    f.log_confusion_matrix_cell('b', 'c', 7)


def wrong_category(f: Output[ClassificationMetrics]):
    f.set_confusion_matrix_categories(['a'])
    f.log_confusion_matrix_cell('a', 'z', 7)


def wrong_matrix(f: Output[ClassificationMetrics]):
    f.log_confusion_matrix(['a', 'b'], [[1]])


def many(models: Input[List[Model]]) -> str:
    return ' '.join('%s:%s:%s' % (type(m).__name__, m.uri, m.metadata.get('k')) for m in models)


def many_plain(models: List[Model]) -> int:
    return len(models)


def in_path(data: InputPath(Dataset)) -> str:
    with open(data) as f:
        return f.read()


def in_path_by_name(data: InputPath('Dataset'), out: OutputPath('Model')):
    with open(out, 'w') as f:
        f.write(data)


def optional_artifact(data: Input[Dataset] = None) -> str:
    return 'none' if data is None else data.uri


def other_class(data: Input[Dataset]) -> str:
    return type(data).__name__


def uris(a: Input[Artifact], b: Input[Artifact], c: Input[Artifact], d: Input[Model], e: Input[Artifact]) -> str:
    return ' '.join(x.path for x in (a, b, c, d, e))


def set_paths(out: Output[Model]):
    out.path = '/gcs/bucket/model'
    out.name = 'renamed'


def custom_path(data: Input[Dataset], out: Output[Model]) -> str:
    out.custom_path = out.uri + '.local'
    with open(data.path) as f, open(out.path, 'w') as g:
        g.write(f.read())
    return '%s %s' % (out.path, data.custom_path)


def names(data: Input[Dataset], made: Output[Model]) -> str:
    made.name = 'models/7'
    return data.name + ' ' + Artifact(name='x').name


def task_uri() -> NamedTuple('Out', [('first', str), ('other', str), ('made', Model)]):
    return dsl.get_uri(), dsl.get_uri('a/b'), Model(uri=dsl.get_uri(suffix='model'))


def roc(f: Output[ClassificationMetrics]):
    f.log_roc_curve([0.0, 0.5, 1.0], [0.0, 0.75, 1.0], [1.0, 0.5, 0.0])


def set_uri(out: Output[Model]):
    out.uri = 's3://bucket/model'
    assert out.path == '/s3/bucket/model'


def status(s: PipelineTaskFinalStatus) -> str:
    return '%s %s %s %s %s' % (s.state, s.pipeline_job_resource_name, s.pipeline_task_name, s.error_code, s.error_message)


def config(c: dsl.TaskConfig) -> str:
    return '%s %s %s' % (c.env, c.node_selector, c.volume_mounts)


def pythonic(data: Dataset) -> Dataset:
    return Dataset(uri=data.uri + '/out', metadata={'k': data.metadata['rows']})


def pythonic_text() -> Model:
    return 'some text'


def pythonic_tuple(a: int) -> NamedTuple('Out', [('model', Model), ('n', int)]):
    return Model(uri='gs://b/m', name='m', metadata={'a': 1}), a


def wrong_type() -> int:
    return 'x'


def wrong_length() -> NamedTuple('Out', [('first', int), ('second', str)]):
    return 1, 'x', 2


def raises(x: int) -> int:
    return 1 // (x - x)


def keyword_only(a: int, *, b: int = 2) -> int:
    return a + b


def strings_as_types(a: 'int', m: 'Output[Metrics]') -> 'str':
    m.log_metric('a', a)
    return str(a)


def placeholder() -> str:
    return dsl.PIPELINE_JOB_ID_PLACEHOLDER.strip('{}')
