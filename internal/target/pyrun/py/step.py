

# The step.

def decode(text):
    while isinstance(text, str):
        text = json.loads(text)
    return text


def final_status(value):
    """Reads KFP's form of a final status, and Argo's with its list of failures."""
    def get(*names):
        return next((value[n] for n in names if value.get(n) is not None), None)
    error = value.get('error') or {}
    state = {'Succeeded': 'SUCCEEDED', 'Failed': 'FAILED', 'Error': 'FAILED'}.get(value.get('state'), value.get('state') or '')
    task, message = get('pipelineTaskName', 'pipeline_task_name') or '', error.get('message')
    failures = decode(value['failures']) if value.get('failures') else None
    for f in failures or []:
        if f.get('message'):
            task, message = f.get('displayName') or task, f['message']
            if not f['message'].startswith('child '):
                break
    return PipelineTaskFinalStatus(state, get('pipelineJobResourceName', 'pipeline_job_resource_name') or '', task, error.get('code'), message)


def task_config(value):
    keys = ('affinity', 'tolerations', 'nodeSelector', 'env', 'volumes', 'volumeMounts', 'resources')
    return TaskConfig(*[(value or {}).get(k) for k in keys])


KNOWN = dict((c.schema_title, c) for c in (Artifact, Dataset, Model, Metrics, ClassificationMetrics, SlicedClassificationMetrics, HTML, Markdown))


def is_artifact(cls):
    return isinstance(cls, type) and hasattr(cls, 'schema_title') and hasattr(cls, 'schema_version')


def artifacts(entry, cls):
    """Makes objects of artifacts: of their own class if KFP has it, else of the annotation's."""
    made = []
    for a in (entry or {}).get('artifacts') or []:
        c = KNOWN.get((a.get('type') or {}).get('schemaTitle'), cls if is_artifact(cls) else Artifact)
        make = getattr(c, '_from_executor_fields', c)
        made.append(make(name=a.get('name') or '', uri=a.get('uri') or '', metadata=a.get('metadata') or {}))
        if a.get('customPath'):
            made[-1].custom_path = a['customPath']
    return made


def of_list(t):
    """Returns the class of an artifact and whether a list of them is meant."""
    args = getattr(t, '__args__', None)
    if args and getattr(t, '__origin__', None) in (list, typing.List):
        return args[0], True
    return t, False


def strip_optional(t):
    args = [a for a in getattr(t, '__args__', None) or () if a is not type(None)]
    if len(args) == 1 and len(t.__args__) == 2:
        return args[0]
    return t


def of_type(value, t):
    if t is int and isinstance(value, float) and value == int(value):
        return int(value)
    if t is float and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    args = getattr(t, '__args__', None) or ()
    if isinstance(value, list) and len(args) == 1:
        return [of_type(v, args[0]) for v in value]
    if isinstance(value, dict) and len(args) == 2:
        return dict((k, of_type(v, args[1])) for k, v in value.items())
    return value


# The types of output parameters, with what Python calls them.
TYPES = dict(STRING=('str', lambda v: isinstance(v, str)), BOOLEAN=('bool', lambda v: isinstance(v, bool)),
             NUMBER_INTEGER=('int', lambda v: isinstance(v, int) and not isinstance(v, bool)),
             NUMBER_DOUBLE=('float', lambda v: isinstance(v, (int, float)) and not isinstance(v, bool)),
             LIST=('list', lambda v: isinstance(v, (list, tuple))), STRUCT=('dict', lambda v: isinstance(v, dict)))


class Step(object):
    def __init__(self, name, function, outputs, lax, spec):
        self.name, self.function, self.spec, self.lax = name, function, spec, lax
        self.types = dict((n, t.rstrip('?')) for n, t in outputs.items())
        self.outputs, self.optional = list(outputs), [n for n, t in outputs.items() if t.endswith('?')]
        self.made, self.files = {}, {}
        try:
            self.signature = inspect.signature(function)
        except NameError:  # Python 3.14 evaluates annotations late
            import annotationlib
            self.signature = inspect.signature(function, annotation_format=annotationlib.Format.FORWARDREF)
        out = spec.get('outputs') or {}
        # The launcher of KFP 2.17 adds executor-logs to the outputs of each step; it isn't the function's.
        self.write_to = dict((n, a) for n, a in (out.get('artifacts') or {}).items() if n != 'executor-logs')
        self.promised = json.loads(json.dumps(self.write_to))
        self.argo = (spec.get('kfpgo') or {}).get('outputs') == 'argo'
        if out.get('outputFile'):
            TASK_ROOT[:] = [os.path.dirname(out['outputFile'])]
        for name, entry in self.write_to.items():
            for a in artifacts(entry, None):
                folder(a.path)

    def note(self, t):
        if isinstance(t, str):
            try:
                t = eval(t, self.function.__globals__)
            except Exception:
                return None
        return strip_optional(t)

    def arguments(self):
        inputs = self.spec.get('inputs') or {}
        values, read = inputs.get('parameterValues') or {}, inputs.get('artifacts') or {}
        kwargs = {}
        for p in self.signature.parameters.values():
            note = self.note(p.annotation)
            kind = note.kind if isinstance(note, Annotation) else ''
            name = self.known(p.name, kind, values, read)
            cls, many = of_list(note.of if kind else note)
            if kind == 'EmbeddedInput':
                kwargs[p.name] = self.embedded(cls)
            elif kind == 'Output' or name in self.write_to and kind != 'OutputPath':
                found = artifacts(self.write_to.get(name), cls)
                if not found:
                    raise Problem('output %s of the function is not an output of the component' % p.name)
                self.made[name] = found
                kwargs[p.name] = found if many else found[0]
            elif kind == 'OutputPath':
                if name in self.write_to:
                    self.made[name] = artifacts(self.write_to[name], cls)
                    kwargs[p.name] = self.made[name][0].path
                else:
                    kwargs[p.name] = self.files[name] = os.path.join(temporary('file'), 'data')
            elif read.get(name):
                found = artifacts(read[name], cls)
                if kind == 'InputPath':
                    kwargs[p.name] = found[0].path if found else None
                else:
                    kwargs[p.name] = found if many else found[0] if found else None
            elif note is TaskConfig:
                kwargs[p.name] = task_config(values.get(name))
            elif values.get(name) is not None:
                kwargs[p.name] = self.value(values[name], note, kind)
            elif p.default is inspect.Parameter.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
                kwargs[p.name] = None  # an optional input that was not given
        return kwargs

    @staticmethod
    def value(value, note, kind):
        if note is PipelineTaskFinalStatus:
            return final_status(value)
        if kind == 'InputPath':
            path = os.path.join(temporary('file'), 'data')
            save(path, value if isinstance(value, str) else dumps(value))
            return path
        return of_type(value, note)

    def embedded(self, cls):
        members = self.function.__globals__
        path = members.get('__KFP_EMBEDDED_ASSET_FILE') or members.get('__KFP_EMBEDDED_ASSET_DIR')
        if not path:
            raise Problem('EmbeddedInput was specified but no file goes along with the step')
        a = (cls if is_artifact(cls) else Artifact)()
        a.path = path
        return a

    def known(self, name, kind, values, read):
        """KFP 1.8 cut _path off the names of InputPath and OutputPath arguments."""
        if kind in ('InputPath', 'OutputPath') and not any(name in g for g in (values, read, self.write_to, self.types)):
            for end in ('_path', '_file'):
                if name.endswith(end):
                    return name[:-len(end)]
        return name

    def results(self, returned):
        """Matches what the function returned with the outputs."""
        values = {}
        for name, path in self.files.items():
            if os.path.exists(path):
                with open(path, encoding='utf-8') as f:
                    values[name] = self.parse(name, f.read())
        given = set(self.files) | set(self.made)
        names = [n for n in self.outputs + list(self.write_to) if n not in given]
        note = self.note(self.signature.return_annotation)
        fields = getattr(note, '_fields', ())
        found = {}
        if hasattr(returned, '_asdict'):
            found = dict(returned._asdict())
        elif isinstance(returned, (tuple, list)) and fields:
            if len(fields) != len(returned):
                raise Problem('returned %d values for the %d outputs %s' % (len(returned), len(fields), ', '.join(fields)))
            found = dict(zip(fields, returned))
        elif fields and returned is not None:
            found = dict((f, getattr(returned, f)) for f in fields)
        elif returned is not None and len(names) == 1:
            found = {names[0]: returned}
        elif isinstance(returned, dict) and names:
            found = returned
        elif isinstance(returned, (tuple, list)) and names:
            if len(returned) != len(names):
                raise Problem('returned %d values for the %d outputs %s' % (len(returned), len(names), ', '.join(names)))
            found = dict(zip(names, returned))
        elif returned is not None and names:
            raise Problem('returned one value for the outputs %s; return a tuple' % ', '.join(names))
        for name, value in found.items():
            if name in self.write_to:
                self.artifact(name, value)
            elif value is not None:
                values[name] = self.check(name, value)
        missing = [n for n in self.outputs if n not in values and n not in self.optional]
        if missing:
            raise Problem('output %s was never set' % ', '.join(missing))
        extra = [n for n in values if n not in self.types]
        if extra:
            raise Problem('returned %s, which is not an output of the component; it has %s' % (', '.join(extra), ', '.join(self.outputs)))
        self.written()
        return values

    def written(self):
        """Fails the step where it did not write an artifact, and not the next one, which reads it."""
        for name, entry in self.promised.items():
            if name in self.lax or not chief():
                continue
            for was, now in zip(artifacts(entry, None), self.made.get(name) or artifacts(entry, None)):
                if any(getattr(was, m) != getattr(now, m) for m in ('name', 'uri', 'custom_path', 'metadata')) or metadata_only(was) or metadata_only(now):
                    continue
                if was.path.startswith('/') and not os.path.exists(was.path):
                    raise Problem('output %s was never written: there is no file or folder at %s; write it at the path of the output, or make the output optional' % (name, was.path))

    def parse(self, name, text):
        """Reads an output that the function wrote to a file, as KFP does."""
        t = self.types.get(name)
        if t == 'STRING':
            return text
        try:
            return self.check(name, json.loads(text))
        except ValueError:
            if t == 'BOOLEAN' and text.strip() in ('True', 'False'):
                return text.strip() == 'True'
            if t in TYPES:
                raise Problem('output %s: %r is no %s' % (name, text[:80], TYPES[t][0]))
            return text

    def check(self, name, value):
        """Takes a value for a parameter, of the type that is declared."""
        t = self.types.get(name)
        if t not in TYPES or TYPES[t][1](value):
            return float(value) if t == 'NUMBER_DOUBLE' else value
        for method in ('tolist', 'item'):  # numpy's
            if hasattr(value, method):
                return self.check(name, getattr(value, method)())
        if t == 'NUMBER_INTEGER' and isinstance(value, float) and value == int(value):
            return int(value)
        raise Problem('output %s is %s, want %s' % (name, type(value).__name__, TYPES[t][0]))

    def artifact(self, name, value):
        """Takes an artifact, or what is to be written as one."""
        declared = artifacts(self.write_to[name], None)
        if not is_artifact(type(value)):
            self.made[name] = declared
            if value is not None:
                save(declared[0].path, str(value))
            return
        to, at = declared[0].path, value.path
        if self.argo and at != to and os.path.exists(at):
            if not os.path.exists(to):
                import shutil
                shutil.move(at, to)
            value.uri, value.custom_path = declared[0].uri, declared[0].custom_path
        self.made[name] = [value]

    def write(self, values):
        outputs = self.spec.get('outputs') or {}
        made = {}
        for name, found in self.made.items():
            made[name] = dict(artifacts=[self.runtime_artifact(a) for a in found])
        for name in self.write_to:
            if name not in made:
                self.made[name] = artifacts(self.write_to[name], None)
                made[name] = dict(artifacts=[self.runtime_artifact(a) for a in self.made[name]])
        text = dumps(dict(parameterValues=values, artifacts=made))
        if outputs.get('outputFile') and chief():
            save(outputs['outputFile'], text)
        if not self.argo:
            return
        for name, p in (outputs.get('parameters') or {}).items():
            if name in values and p.get('outputFile'):
                save(p['outputFile'], carrier(values[name]))
        for name, found in self.made.items():
            for a, entry in zip(found, self.write_to[name]['artifacts']):
                if entry.get('metadataFile'):
                    save(entry['metadataFile'], carrier(a.metadata))
                path = entry.get('customPath') or a.path
                if path.startswith('/') and not os.path.exists(path) and name not in self.lax:
                    save(path, '')  # all metadata; Argo takes a missing file for a failure

    def runtime_artifact(self, a):
        entry = dict(name=a.name, uri=a.uri, metadata=a.metadata)
        if a.custom_path and 'kfpgo' not in self.spec:
            entry['custom_path'] = a.custom_path
        return entry


def metadata_only(a):
    """Reports whether artifacts of a kind need no file, as metadataOnly of package dsl does."""
    return a.schema_title in ('system.Metrics', 'system.ClassificationMetrics', 'system.SlicedClassificationMetrics')


def chief():
    """In distributed TensorFlow only one worker writes the output."""
    cluster = os.environ.get('CLUSTER_SPEC')
    return not cluster or json.loads(cluster)['task']['type'] in ('workerpool0', 'chief', 'master')


def plain(value):
    """Makes JSON of numpy's numbers and arrays."""
    for method in ('tolist', 'item'):
        if hasattr(value, method):
            return getattr(value, method)()
    raise Problem('a value of type %s has no JSON form' % type(value).__name__)


def dumps(value):
    try:
        return json.dumps(value, ensure_ascii=False, separators=(',', ':'), default=plain, allow_nan=False)
    except (TypeError, ValueError) as e:
        raise Problem('an output can\'t be JSON: %s' % e)


def carrier(value):
    text = dumps(value).replace('{{', '{\\u007b').replace('$', '\\u0024').replace('\x7f', '\\u007f')
    if max(text) > '\uffff':  # Argo quotes some of those in a way that isn't JSON's
        text = ''.join(json.dumps(c)[1:-1] if c > '\uffff' else c for c in text)
    return text


TEMPORARY = []


def temporary(name):
    import tempfile
    TEMPORARY.append(tempfile.mkdtemp(prefix='kfpgo-%s-' % name))
    return TEMPORARY[-1]


def folder(path):
    d = os.path.dirname(path)
    if d and not os.path.isdir(d):
        os.makedirs(d)


def save(path, text):
    folder(path)
    part = path + '.part'
    try:
        with open(part, 'wb') as f:
            f.write(text.encode('utf-8', 'surrogatepass'))
        os.rename(part, path)
    except OSError as e:  # that of a full disk doesn't say which file
        e.filename = e.filename or path
        raise
