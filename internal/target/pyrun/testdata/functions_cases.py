"""The calls of functions.py: (function, outputs with their types, parameters, input artifacts, output artifacts)."""


def art(uri, title='system.Dataset', **metadata):
    return {'name': 'projects/1/' + uri[-3:], 'type': {'schemaTitle': title, 'schemaVersion': '0.0.1'}, 'uri': uri, 'metadata': metadata}


O = 'Output'
data = art('DIR/data', rows=2)
CASES = [
    ('scalars', {O: 'STRING'}, dict(i=3, f=5, s="it's {x} $HOME", b=True), {}, {}),
    ('no_result', {}, dict(s='x'), {}, {}),
    ('a_int', {O: 'NUMBER_INTEGER'}, dict(x=9007199254740993), {}, {}),
    ('a_float', {O: 'NUMBER_DOUBLE'}, dict(x=1), {}, {}),
    ('a_float', {O: 'NUMBER_DOUBLE'}, dict(x=1e300), {}, {}),
    ('int_as_float', {O: 'NUMBER_DOUBLE'}, {}, {}, {}),
    ('a_bool', {O: 'BOOLEAN'}, dict(x=1), {}, {}),
    ('a_list', {O: 'LIST'}, dict(xs=[3, 1, 2]), {}, {}),
    ('a_list', {O: 'LIST'}, dict(xs=[]), {}, {}),
    ('a_plain_list', {O: 'LIST'}, dict(xs=[{'a': 1}]), {}, {}),
    ('a_dict', {O: 'STRUCT'}, dict(d={'a': 1, 'b': 0.25}), {}, {}),
    ('a_plain_dict', {O: 'STRUCT'}, dict(d={'a': [0.1, 1.0], 'b': [5, 50, 1]}), {}, {}),
    ('texts', {O: 'STRING'}, dict(s='\u65e5\n"\\'), {}, {}),
    ('empty', {O: 'STRING'}, dict(s=''), {}, {}),
    ('optional', {O: 'STRING'}, {}, {}, {}),
    ('optional', {O: 'STRING'}, dict(a='x', b=0, c='', d=[1]), {}, {}),
    ('pair', dict(first='NUMBER_INTEGER', second='STRING'), dict(a=4), {}, {}),
    ('named', dict(first='NUMBER_INTEGER', second='STRING'), dict(a=4), {}, {}),
    ('point', dict(x='NUMBER_INTEGER', y='NUMBER_DOUBLE'), dict(a=4), {}, {}),
    ('datasets', {}, {}, dict(data=[data]), dict(out=art('DIR/o/out'))),
    ('every_kind', {}, {}, {}, dict(a=art('DIR/k/a', 'system.Artifact'), b=art('DIR/k/b', 'system.Model'), c=art('DIR/k/c', 'system.Metrics'),
                                    d=art('DIR/k/d', 'system.HTML'), e=art('DIR/k/e', 'system.Markdown'),
                                    f=art('DIR/k/f', 'system.ClassificationMetrics'))),
    ('matrix', {}, {}, {}, dict(f=art('DIR/m', 'system.ClassificationMetrics'))),
    ('wrong_category', {}, {}, {}, dict(f=art('DIR/m', 'system.ClassificationMetrics'))),
    ('wrong_matrix', {}, {}, {}, dict(f=art('DIR/m', 'system.ClassificationMetrics'))),
    ('many', {O: 'STRING'}, {}, dict(models=[art('gs://b/a', 'system.Model', k=1), art('gs://b/b', 'system.Model', k='2')]), {}),
    ('many_plain', {O: 'NUMBER_INTEGER'}, {}, dict(models=[art('gs://b/a', 'system.Model')]), {}),
    ('in_path', {O: 'STRING'}, {}, dict(data=[data]), {}),
    ('in_path_by_name', {}, {}, dict(data=[data]), dict(out=art('DIR/p', 'system.Model'))),
    ('optional_artifact', {O: 'STRING'}, {}, {}, {}),
    ('optional_artifact', {O: 'STRING'}, {}, dict(data=[art('gs://b/x')]), {}),
    ('other_class', {O: 'STRING'}, {}, dict(data=[art('gs://b/x', 'system.Model')]), {}),
    ('uris', {O: 'STRING'}, {}, dict(a=[art('gs://b/x')], b=[art('minio://b/x')], c=[art('s3://b/x')], d=[art('oci://r/m', 'system.Model')],
                                     e=[art('gs://b/y', _kfp_workspace=True)]), {}),
    ('set_paths', {}, {}, {}, dict(out=art('DIR/o', 'system.Model'))),
    ('custom_path', {O: 'STRING'}, {}, dict(data=[data]), dict(out=art('DIR/own', 'system.Model'))),
    ('names', {O: 'STRING'}, {}, dict(data=[data]), dict(made=art('DIR/o', 'system.Model'))),
    ('task_uri', dict(first='STRING', other='STRING'), {}, {}, dict(made=art('DIR/o', 'system.Model'))),
    ('roc', {}, {}, {}, dict(f=art('DIR/m', 'system.ClassificationMetrics'))),
    ('set_uri', {}, {}, {}, dict(out=art('DIR/o', 'system.Model'))),
    ('status', {O: 'STRING'}, dict(s={'state': 'FAILED', 'pipelineJobResourceName': 'j', 'pipelineTaskName': 't', 'error': {'code': 9, 'message': 'no'}}), {}, {}),
    ('status', {O: 'STRING'}, dict(s={'state': 'SUCCEEDED', 'pipeline_job_resource_name': 'j', 'pipeline_task_name': 't'}), {}, {}),
    ('config', {O: 'STRING'}, dict(c={'env': [{'name': 'A', 'value': 'b'}], 'nodeSelector': {'x': 'y'}, 'volumeMounts': []}), {}, {}),
    ('config', {O: 'STRING'}, {}, {}, {}),
    ('pythonic', {}, {}, dict(data=[data]), {O: art('DIR/py')}),
    ('pythonic_text', {}, {}, {}, {O: art('DIR/py', 'system.Model')}),
    ('pythonic_tuple', dict(n='NUMBER_INTEGER'), dict(a=2), {}, dict(model=art('DIR/py', 'system.Model'))),
    ('wrong_type', {O: 'NUMBER_INTEGER'}, {}, {}, {}),
    ('wrong_length', dict(first='NUMBER_INTEGER', second='STRING'), {}, {}, {}),
    ('raises', {O: 'NUMBER_INTEGER'}, dict(x=1), {}, {}),
    ('keyword_only', {O: 'NUMBER_INTEGER'}, dict(a=1), {}, {}),
    ('placeholder', {O: 'STRING'}, {}, {}, {}),
]
# KFP's executor doesn't take these.
OURS = [
    ('out_path', dict(text='STRING', number='NUMBER_INTEGER'), {}, {}, {}),
    ('strings_as_types', {O: 'STRING'}, dict(a=3), {}, dict(m=art('DIR/m', 'system.Metrics'))),
]


def executor_input(case, folder):
    """The ExecutorInput of a case, with its files in a folder."""
    import json
    function, outputs, params, read, write = case
    text = json.dumps(dict(
        inputs=dict(parameterValues=params, artifacts=dict((n, dict(artifacts=a)) for n, a in read.items())),
        outputs=dict(parameters=dict((n, dict(outputFile='DIR/parameters/' + n)) for n in outputs),
                     artifacts=dict((n, dict(artifacts=[a])) for n, a in write.items()), outputFile='DIR/output.json')))
    return text.replace('DIR', folder)
