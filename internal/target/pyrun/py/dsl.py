

class Annotation(object):
    """What Input[Model], OutputPath(str) and the like are."""

    def __init__(self, kind, of=None):
        self.kind, self.of = kind, of

    def __getitem__(self, of):
        return Annotation(self.kind, of)

    def __call__(self, type=None):
        return Annotation(self.kind, type)

    def __or__(self, _):
        return self  # "| None"

    __ror__ = __or__

    def __repr__(self):
        return '%s[%s]' % (self.kind, getattr(self.of, '__name__', self.of))


class Record(object):
    """An object with the fields of its class, all None if they aren't given."""
    fields = ()

    def __init__(self, *args, **kwargs):
        for f in self.fields:
            setattr(self, f, None)
        for f, value in list(zip(self.fields, args)) + list(kwargs.items()):
            if f not in self.fields:
                raise TypeError('%s has no field %s' % (type(self).__name__, f))
            setattr(self, f, value)

    def __repr__(self):
        return '%s(%s)' % (type(self).__name__, ', '.join('%s=%r' % (f, getattr(self, f)) for f in self.fields))

    def __eq__(self, other):
        return type(self) is type(other) and self.__dict__ == other.__dict__


class PipelineTaskFinalStatus(Record):
    fields = ('state', 'pipeline_job_resource_name', 'pipeline_task_name', 'error_code', 'error_message')


class TaskConfig(Record):
    fields = ('affinity', 'tolerations', 'node_selector', 'env', 'volumes', 'volume_mounts', 'resources')


def run_notebook(**_):
    raise NotImplementedError('dsl.run_notebook works in the function of a notebook component only')


# What a module has beside its steps: pipelines, which aren't called here.
def component(func=None, **_):
    return func if func is not None else (lambda f: f)


NOW = ('PipelineTaskFinalStatus', 'TaskConfig', 'Artifact', 'ClassificationMetrics', 'Dataset', 'HTML', 'Markdown', 'Metrics',
       'Model', 'SlicedClassificationMetrics', 'get_uri', 'run_notebook')
DEFINITIONS = ('component', 'notebook_component', 'pipeline', 'container_component', 'graph_component')
ELSEWHERE = ('If', 'Elif', 'Else', 'Condition', 'ExitHandler', 'ParallelFor', 'Collected', 'OneOf', 'importer', 'PipelineTask',
             'ContainerSpec', 'ConcatPlaceholder', 'IfPresentPlaceholder', 'PipelineConfig', 'WorkspaceConfig',
             'KubernetesWorkspaceConfig', 'TaskConfigPassthrough')
PLACEHOLDERS = dict(PIPELINE_JOB_NAME='.pipeline_job_name', PIPELINE_JOB_RESOURCE_NAME='.pipeline_job_resource_name',
                    PIPELINE_JOB_ID='.pipeline_job_uuid', PIPELINE_TASK_NAME='.pipeline_task_name', PIPELINE_TASK_ID='.pipeline_task_uuid',
                    PIPELINE_TASK_EXECUTOR_OUTPUT_PATH='.outputs.output_file', PIPELINE_TASK_EXECUTOR_INPUT='',
                    PIPELINE_ROOT='.pipeline_root', PIPELINE_JOB_CREATE_TIME_UTC='.pipeline_job_create_time_utc',
                    PIPELINE_JOB_SCHEDULE_TIME_UTC='.pipeline_job_schedule_time_utc', WORKSPACE_PATH='.workspace_path')
GOOGLE = ('VertexModel', 'VertexEndpoint', 'VertexBatchPredictionJob', 'VertexDataset', 'BQMLModel', 'BQTable',
          'UnmanagedContainerModel', 'ClassificationMetrics', 'RegressionMetrics', 'ForecastingMetrics')


def elsewhere(name):
    def use(self, *_, **__):
        raise Problem('kfp\'s %s works where a pipeline is compiled, not inside a step' % name)
    return type(name, (object,), dict(__init__=use))


def module(name, **members):
    m = types.ModuleType(name)
    m.__path__ = []
    m.__dict__.update(members)
    sys.modules[name] = m
    if '.' in name:
        above, below = name.rsplit('.', 1)
        setattr(sys.modules[above], below, m)
    return m


def stand_in():
    """Puts modules kfp and kfp.dsl in place, with what runs inside a step."""
    kfp = module('kfp', __version__='2.17.3', Client=elsewhere('Client'))
    dsl = module('kfp.dsl')
    names = list(NOW)
    for name in NOW:
        setattr(dsl, name, globals()[name])
    for name in ('Input', 'Output', 'InputPath', 'OutputPath', 'EmbeddedInput'):
        setattr(dsl, name, Annotation(name))
        names.append(name)
    for name in DEFINITIONS:
        setattr(dsl, name, component)
    for name in ELSEWHERE:
        setattr(dsl, name, elsewhere(name))
    fields = ('RESOURCES', 'ENV', 'KUBERNETES_AFFINITY', 'KUBERNETES_TOLERATIONS', 'KUBERNETES_NODE_SELECTOR', 'KUBERNETES_VOLUMES')
    dsl.TaskConfigField = type('TaskConfigField', (object,), dict((f, f) for f in fields))
    for name, inner in PLACEHOLDERS.items():
        setattr(dsl, name + '_PLACEHOLDER', '{{$' + inner + '}}')
        names.append(name + '_PLACEHOLDER')
    dsl.__all__ = names + list(DEFINITIONS + ELSEWHERE) + ['TaskConfigField']
    dsl.create_component_from_func = dsl.func_to_container_op = component
    module('kfp.compiler', Compiler=elsewhere('Compiler'))
    members = dict((n, v) for n, v in dsl.__dict__.items() if n[0] != '_')
    for name in ('kfp.components', 'kfp.v2', 'kfp.v2.dsl', 'kfp.v2.components', 'kfp.dsl.types', 'kfp.dsl.types.artifact_types',
                 'kfp.dsl.task_final_status', 'kfp.dsl.task_config'):
        module(name, **members)
    kfp.v2.dsl = sys.modules['kfp.v2.dsl'] = dsl
    sys.meta_path.append(Google)
    return dsl


class Google(object):
    """Finds google_cloud_pipeline_components' artifacts where it isn't installed."""
    name = 'google_cloud_pipeline_components'

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if name == cls.name:
            module(name)
            module(name + '.types')
            made = dict((c, type(c, (Artifact,), dict(schema_title='google.' + c))) for c in GOOGLE)
            module(name + '.types.artifact_types', **made)
            from importlib.util import spec_from_loader
            return spec_from_loader(name, cls)
        return None

    @classmethod
    def create_module(cls, spec):
        return sys.modules[cls.name]

    @classmethod
    def exec_module(cls, _):
        pass
