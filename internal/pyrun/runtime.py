"""Runs one Python function as a step of a pipeline.

This is kfpgo's runtime, standard library only, for Python 3.6 and later. Older
ones must still be able to read it, to say that they are too old. Neither two
opening braces in a row nor a dollar before a bracket may stand in it: KFP, Argo
and the kubelet expand them.
"""
import base64
import importlib
import importlib.util
import inspect
import json
import linecache
import os
import site
import subprocess
import sys
import tempfile
import types
import typing

MOUNTS = (('gs://', '/gcs/'), ('s3://', '/s3/'), ('minio://', '/minio/'), ('oci://', '/oci/'), ('file://', ''))
ARTIFACTS = ('Artifact', 'Dataset', 'Model', 'Metrics', 'ClassificationMetrics', 'SlicedClassificationMetrics', 'HTML', 'Markdown')


class Problem(Exception):
    """An error of the step, with a message for the user."""


# What functions written for KFP import from kfp.dsl.

class Artifact(object):
    schema_title = 'system.Artifact'
    schema_version = '0.0.1'

    def __init__(self, name=None, uri=None, metadata=None, custom_path=None):
        self.name, self.uri, self.custom_path = name or '', uri or '', custom_path
        self.metadata = dict(metadata or {})

    @property
    def path(self):
        if self.custom_path:
            return self.custom_path
        for scheme, mount in MOUNTS:
            if self.uri.startswith(scheme):
                return mount + self.uri[len(scheme):]
        return self.uri

    @path.setter
    def path(self, path):
        self.uri = path
        for scheme, mount in MOUNTS:
            if mount and path.startswith(mount):
                self.uri = scheme + path[len(mount):]


class Dataset(Artifact):
    schema_title = 'system.Dataset'


class Model(Artifact):
    schema_title = 'system.Model'

    @property
    def framework(self):
        return self.metadata.get('framework', '')

    @framework.setter
    def framework(self, framework):
        self.metadata['framework'] = framework


class HTML(Artifact):
    schema_title = 'system.HTML'


class Markdown(Artifact):
    schema_title = 'system.Markdown'


class Metrics(Artifact):
    schema_title = 'system.Metrics'

    def log_metric(self, metric, value):
        self.metadata[metric] = value


class ClassificationMetrics(Artifact):
    schema_title = 'system.ClassificationMetrics'

    def log_roc_data_point(self, fpr, tpr, threshold):
        self.metadata.setdefault('confidenceMetrics', []).append(
            {'confidenceThreshold': threshold, 'falsePositiveRate': fpr, 'recall': tpr})

    def log_roc_curve(self, fpr, tpr, threshold):
        if not len(fpr) == len(tpr) == len(threshold):
            raise ValueError('log_roc_curve: fpr, tpr and threshold have %d, %d and %d values; they must be as many'
                             % (len(fpr), len(tpr), len(threshold)))
        for point in zip(fpr, tpr, threshold):
            self.log_roc_data_point(*point)

    def set_confusion_matrix_categories(self, categories):
        self._categories = list(categories)
        self._matrix([[0] * len(self._categories) for _ in self._categories])

    def log_confusion_matrix_row(self, row_category, row):
        rows = self._rows()
        rows[self._index(row_category)] = list(row)
        self._matrix(rows)

    def log_confusion_matrix_cell(self, row_category, col_category, value):
        rows = self._rows()
        rows[self._index(row_category)][self._index(col_category)] = value
        self._matrix(rows)

    def log_confusion_matrix(self, categories, matrix):
        self._categories = list(categories)
        if len(matrix) != len(self._categories) or any(len(r) != len(self._categories) for r in matrix):
            raise ValueError('log_confusion_matrix: the matrix must have a row and a column for each of the %d categories'
                             % len(self._categories))
        self._matrix([list(r) for r in matrix])

    def _index(self, category):
        if category not in getattr(self, '_categories', []):
            raise ValueError('no category %r; set_confusion_matrix_categories first' % (category,))
        return self._categories.index(category)

    def _rows(self):
        return [r['row'] for r in self.metadata['confusionMatrix']['rows']]

    def _matrix(self, rows):
        self.metadata['confusionMatrix'] = dict(
            annotationSpecs=[dict(displayName=c) for c in self._categories], rows=[dict(row=r) for r in rows])


class SlicedClassificationMetrics(Artifact):
    schema_title = 'system.SlicedClassificationMetrics'

    def _slice(self, name):
        slices = self.__dict__.setdefault('_slices', {})
        if name not in slices:
            slices[name] = ClassificationMetrics()
            slices[name].metadata['slice'] = name
        self.metadata['evaluationSlices'] = [dict(slice=n, sliceClassificationMetrics=s.metadata) for n, s in slices.items()]
        return slices[name]

    def load_roc_readings(self, slice, readings):
        for threshold, tpr, fpr in readings:
            self._slice(slice).log_roc_data_point(fpr, tpr, threshold)

    def log_roc_reading(self, slice, threshold, tpr, fpr):
        self._slice(slice).log_roc_data_point(fpr, tpr, threshold)

    def set_confusion_matrix_categories(self, slice, categories):
        self._slice(slice).set_confusion_matrix_categories(categories)

    def log_confusion_matrix_row(self, slice, row_category, row):
        self._slice(slice).log_confusion_matrix_row(row_category, row)

    def log_confusion_matrix_cell(self, slice, row_category, col_category, value):
        self._slice(slice).log_confusion_matrix_cell(row_category, col_category, value)

    def load_confusion_matrix(self, slice, categories, matrix):
        self._slice(slice).log_confusion_matrix(categories, matrix)


class Annotation(object):
    """What Input[Model], OutputPath(str) and the like are."""

    def __init__(self, kind, of=None):
        self.kind, self.of = kind, of

    def __getitem__(self, of):
        return Annotation(self.kind, of)

    def __call__(self, of=None):
        return Annotation(self.kind, of)


class PipelineTaskFinalStatus(object):
    def __init__(self, state='', pipeline_job_resource_name='', pipeline_task_name='', error_code=None, error_message=None):
        self.state, self.pipeline_job_resource_name, self.pipeline_task_name = state, pipeline_job_resource_name, pipeline_task_name
        self.error_code, self.error_message = error_code, error_message


def component(func=None, **_):
    return func if func is not None else (lambda f: f)


# What a module has beside its steps: pipelines, which aren't called here.
DEFINITIONS = ('pipeline', 'container_component', 'graph_component')
ELSEWHERE = ('If', 'Elif', 'Else', 'Condition', 'ExitHandler', 'ParallelFor', 'Collected', 'OneOf', 'importer', 'PipelineTask',
             'ContainerSpec', 'ConcatPlaceholder', 'IfPresentPlaceholder')


def elsewhere(name):
    def use(self, *_, **__):
        raise Problem('kfp\'s %s works where a pipeline is compiled, not inside a step' % name)
    return type(name, (object,), dict(__init__=use))


def stand_in():
    """Puts modules kfp and kfp.dsl in place, with what runs inside a step."""
    kfp, dsl = types.ModuleType('kfp'), types.ModuleType('kfp.dsl')
    for name in ARTIFACTS + ('PipelineTaskFinalStatus', 'component'):
        setattr(dsl, name, globals()[name])
    for name in ('Input', 'Output', 'InputPath', 'OutputPath'):
        setattr(dsl, name, Annotation(name))
    for name in DEFINITIONS:
        setattr(dsl, name, component)
    for name in ELSEWHERE:
        setattr(dsl, name, elsewhere(name))
    compiler = types.ModuleType('kfp.compiler')
    compiler.Compiler, kfp.Client = elsewhere('Compiler'), elsewhere('Client')
    kfp.compiler = sys.modules['kfp.compiler'] = compiler
    kfp.dsl, kfp.__path__ = dsl, []
    for name in ('components', 'v2', 'dsl.types'):
        sys.modules['kfp.' + name] = dsl
    dsl.create_component_from_func = dsl.func_to_container_op = component
    kfp.components = kfp.v2 = dsl
    sys.modules['kfp'], sys.modules['kfp.dsl'] = kfp, dsl


# The step.

def decode(text):
    while isinstance(text, str):
        text = json.loads(text)
    return text


def final_status(value):
    """Reads KFP's form of a final status, and Argo's with its list of failures."""
    error = value.get('error') or {}
    state = {'Succeeded': 'SUCCEEDED', 'Failed': 'FAILED', 'Error': 'FAILED'}.get(value.get('state'), value.get('state') or '')
    task, message = value.get('pipelineTaskName') or '', error.get('message')
    failures = decode(value['failures']) if value.get('failures') else None
    for f in failures or []:
        if f.get('message'):
            task, message = f.get('displayName') or task, f['message']
            if not f['message'].startswith('child '):
                break
    return PipelineTaskFinalStatus(state, value.get('pipelineJobResourceName') or '', task, error.get('code'), message)


def artifacts(entry, cls):
    made = []
    for a in entry.get('artifacts') or []:
        c = cls if cls else globals().get((a.get('type') or {}).get('schemaTitle', '').split('.')[-1], Artifact)
        if not (isinstance(c, type) and issubclass(c, Artifact)):
            c = Artifact
        made.append(c(a.get('name'), a.get('uri'), a.get('metadata'), a.get('customPath')))
    return made


def element(annotation):
    """Returns the class of an artifact and whether a list of them is meant."""
    t = annotation.of if isinstance(annotation, Annotation) else annotation
    args = getattr(t, '__args__', None)
    if args and getattr(t, '__origin__', None) in (list, typing.List):
        return args[0], True
    return t, False


def of_type(value, annotation):
    if annotation is int and isinstance(value, float) and value == int(value):
        return int(value)
    if annotation is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


class Step(object):
    def __init__(self, name, function, outputs, spec):
        self.name, self.function, self.spec = name, function, spec
        self.outputs = [o.rstrip('?') for o in outputs]
        self.optional = [o.rstrip('?') for o in outputs if o.endswith('?')]
        self.made, self.files = {}, {}

    def arguments(self):
        inputs, outputs = self.spec.get('inputs') or {}, self.spec.get('outputs') or {}
        values, read = inputs.get('parameterValues') or {}, inputs.get('artifacts') or {}
        write = outputs.get('artifacts') or {}
        kwargs = {}
        for p in inspect.signature(self.function).parameters.values():
            note = p.annotation
            if isinstance(note, str):
                try:
                    note = eval(note, self.function.__globals__)
                except Exception:
                    note = None
            kind = note.kind if isinstance(note, Annotation) else ''
            name = self.known(p.name, kind, values, read, write)
            cls, many = element(note)
            if name in write and kind != 'OutputPath' or kind == 'Output':
                found = artifacts(write.get(name) or {}, cls)
                if not found:
                    raise Problem('output %s of the function is not an output of the component' % p.name)
                self.made[name] = found
                for a in found:
                    folder(a.path)
                kwargs[p.name] = found if many else found[0]
            elif kind == 'OutputPath':
                if name in write:
                    self.made[name] = artifacts(write[name], None)
                    kwargs[p.name] = self.made[name][0].path
                else:
                    kwargs[p.name] = self.files[name] = os.path.join(tempfile.mkdtemp(), 'data')
                folder(kwargs[p.name])
            elif name in read:
                found = artifacts(read[name], cls if kind == 'Input' else None)
                if kind == 'InputPath':
                    kwargs[p.name] = found[0].path
                else:
                    kwargs[p.name] = found if many else found[0]
            elif values.get(name) is not None:
                value = values[name]
                if note is PipelineTaskFinalStatus:
                    value = final_status(value)
                if kind == 'InputPath':
                    path = os.path.join(tempfile.mkdtemp(), 'data')
                    with open(path, 'w') as f:
                        f.write(value if isinstance(value, str) else json.dumps(value))
                    value = path
                kwargs[p.name] = of_type(value, note)
            elif p.default is inspect.Parameter.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                kwargs[p.name] = None  # an optional input that was not given
        return kwargs

    @staticmethod
    def known(name, kind, *groups):
        """KFP cuts _path off the names of InputPath and OutputPath arguments."""
        if kind in ('InputPath', 'OutputPath') and not any(name in g for g in groups):
            for end in ('_path', '_file'):
                if name.endswith(end):
                    return name[:-len(end)]
        return name

    def results(self, returned):
        """Matches what the function returned with the output parameters."""
        values = {}
        for name, path in self.files.items():
            if os.path.exists(path):
                with open(path) as f:
                    text = f.read()
                try:
                    values[name] = json.loads(text)
                except ValueError:
                    values[name] = text
        names = [n for n in self.outputs if n not in self.files]
        fields = getattr(inspect.signature(self.function).return_annotation, '_fields', ())
        if hasattr(returned, '_asdict'):
            values.update(returned._asdict())
        elif isinstance(returned, (tuple, list)) and fields and len(fields) == len(returned):
            values.update(zip(fields, returned))
        elif returned is not None and len(names) == 1:
            values[names[0]] = returned
        elif isinstance(returned, dict) and names:
            values.update(returned)
        elif isinstance(returned, (tuple, list)) and names:
            if len(returned) != len(names):
                raise Problem('returned %d values for the %d outputs %s' % (len(returned), len(names), ', '.join(names)))
            values.update(zip(names, returned))
        elif returned is not None and names:
            raise Problem('returned one value for the outputs %s; return a tuple' % ', '.join(names))
        values = dict((n, v) for n, v in values.items() if v is not None)
        missing = [n for n in self.outputs if n not in values and n not in self.optional]
        if missing:
            raise Problem('output %s was never set' % ', '.join(missing))
        extra = [n for n in values if n not in self.outputs]
        if extra:
            raise Problem('returned %s, which is not an output of the component; it has %s' % (', '.join(extra), ', '.join(self.outputs)))
        return values

    def write(self, values):
        outputs = self.spec.get('outputs') or {}
        made = {}
        for name, found in self.made.items():
            made[name] = dict(artifacts=[dict(name=a.name, uri=a.uri, metadata=a.metadata) for a in found])
        text = dumps(dict(parameterValues=values, artifacts=made))
        if outputs.get('outputFile'):
            save(outputs['outputFile'], text)
        if (self.spec.get('kfpgo') or {}).get('outputs') != 'argo':
            return
        for name, p in (outputs.get('parameters') or {}).items():
            if name in values and p.get('outputFile'):
                save(p['outputFile'], carrier(values[name]))
        for name, found in self.made.items():
            for a, entry in zip(found, outputs['artifacts'][name]['artifacts']):
                if entry.get('metadataFile'):
                    save(entry['metadataFile'], carrier(a.metadata))
                if a.path.startswith('/') and not os.path.exists(a.path):
                    save(a.path, '')  # all metadata; Argo takes a missing file for a failure


def plain(value):
    """Makes JSON of numpy's numbers and arrays."""
    for method in ('tolist', 'item'):
        if hasattr(value, method):
            return getattr(value, method)()
    raise Problem('a value of type %s has no JSON form' % type(value).__name__)


def dumps(value):
    try:
        return json.dumps(value, ensure_ascii=False, separators=(',', ':'), default=plain, allow_nan=False)
    except ValueError as e:
        raise Problem('an output can\'t be JSON: %s' % e)


def carrier(value):
    brace = '{'
    return dumps(value).replace(brace + brace, '{\\u007b').replace('$', '\\u0024')


def folder(path):
    d = os.path.dirname(path)
    if d and not os.path.isdir(d):
        os.makedirs(d)


def save(path, text):
    folder(path)
    part = path + '.part'
    with open(part, 'wb') as f:
        f.write(text.encode('utf-8'))
    os.rename(part, path)


def pip(python, options):
    """Returns what pip said if it failed."""
    ran = subprocess.run([python, '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-warn-script-location'] + options,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return ran.returncode and (ran.stdout.decode('utf-8', 'replace').strip() or 'exit status %d' % ran.returncode)


def install(packages, urls, hosts, venv):
    options = []
    for url in urls:
        options += ['--extra-index-url' if options else '--index-url', url]
    for host in hosts:
        options += ['--trusted-host', host]
    said = 'externally-managed'
    if not venv:
        if importlib.util.find_spec('pip') is None:
            subprocess.run([sys.executable, '-m', 'ensurepip'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        said = pip(sys.executable, options + packages)
    if said and any(s in said for s in ('externally-managed', 'Permission denied', 'Read-only file system', 'No module named pip')):
        # Beside what the image has.
        folder = tempfile.mkdtemp(prefix='kfpgo-venv-')
        made = subprocess.run([sys.executable, '-m', 'venv', '--system-site-packages', folder], stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode:
            raise Problem('a virtual environment: %s' % made.stdout.decode('utf-8', 'replace').strip())
        python = os.path.join(folder, 'bin', 'python3')
        said = pip(python, options + packages)
        os.environ['VIRTUAL_ENV'] = folder
        os.environ['PATH'] = os.path.join(folder, 'bin') + os.pathsep + os.environ.get('PATH', '')
        before = list(sys.path)
        site.addsitedir(os.path.join(folder, 'lib', 'python%d.%d' % sys.version_info[:2], 'site-packages'))
        sys.path[:] = [p for p in sys.path if p not in before] + before
        sys.executable = python
    elif not said:
        site.addsitedir(site.getusersitepackages())
    if said:
        raise Problem('pip install %s: %s' % (' '.join(packages), said))
    importlib.invalidate_caches()


def load(source, function):
    file = '<%s.py>' % function
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)
    module = types.ModuleType('kfpgo_step')
    sys.modules['kfpgo_step'] = module
    exec(compile(source, file, 'exec'), module.__dict__)
    if not callable(getattr(module, function, None)):
        raise Problem('the source has no function %s' % function)
    return getattr(module, function)


def describe(e, function):
    """An exception in one message, with the line of the user's source."""
    if isinstance(e, Problem):
        return str(e)
    where, file, tb = '', '<%s.py>' % function, e.__traceback__
    if isinstance(e, SyntaxError) and e.filename == file:
        where = ' at line %s' % e.lineno
    while tb:
        if tb.tb_frame.f_code.co_filename == file:
            where = ' at line %d' % tb.tb_lineno
            text = linecache.getline(file, tb.tb_lineno).strip()
            if text:
                where += ' (%s)' % text
        tb = tb.tb_next
    return '%s: %s%s' % (type(e).__name__, e, where)


def last_words(file, message):
    """Writes to the file whose text Kubernetes keeps as the message of a
    container that has ended. Elsewhere there is none, and none is made."""
    try:
        with open(file, 'r+b') as f:
            f.truncate()
            f.write(message.encode('utf-8', 'replace')[:2048].decode('utf-8', 'ignore').encode('utf-8'))
    except OSError:
        pass


def main(argv):
    options = dict(zip(argv[0::2], argv[1::2]))
    name, function = options['--name'], options['--function']
    try:
        if sys.version_info < (3, 6):
            raise Problem('the image has Python %s; steps need 3.6 or later' % sys.version.split()[0])
        text = options['--input']
        if text.startswith('@'):
            with open(text[1:], encoding='utf-8') as f:
                text = f.read()
        spec = json.loads(text)
        source = options.get('--source')
        if source is None:
            source = base64.b64decode(options['--source64']).decode('utf-8')
        packages, urls, hosts = (json.loads(options.get(o, '[]')) for o in ('--packages', '--index-urls', '--trusted-hosts'))
        if packages:
            install(packages, urls, hosts, '--venv' in options)
        for key, value in ((spec.get('inputs') or {}).get('parameterValues') or {}).items():
            if key.startswith('kfpgo-env--') and value is not None:
                os.environ[key[len('kfpgo-env--'):]] = value if isinstance(value, str) else dumps(value)
        stand_in()
        step = Step(name, load(source, function), json.loads(options['--outputs']), spec)
        returned = step.function(**step.arguments())
        if inspect.iscoroutine(returned):
            import asyncio
            returned = asyncio.get_event_loop_policy().new_event_loop().run_until_complete(returned)
        step.write(step.results(returned))
    except Exception as e:
        sys.stdout.flush()
        message = '%s: %s' % (name, describe(e, function))
        sys.stderr.write(message + '\n')
        last_words(options.get('--last-words', '/dev/termination-log'), message)
        return 1
    return 0


if __name__ == '__main__':
    status = main(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(status)
