"""examples/mnist as kfp's Python SDK writes it."""
from typing import List

from kfp import components, dsl, kubernetes
from kfp.dsl import ClassificationMetrics, Dataset, Input, Metrics, Model, Output


def step(name):
    return dsl.ContainerSpec(image='prog', command=['/app', 'kfpgo:exec', name], args=['{{$}}'])


@dsl.container_component
def report(status: dsl.PipelineTaskFinalStatus, day: str = None):
    return step('report')


@dsl.container_component
def download(source: str, data: Output[Dataset], shuffle_labels: bool = False):
    return step('download')


@dsl.container_component
def train_go(data: Input[Dataset], epochs: int, rate: float, model: Output[Model], metrics: Output[Metrics],
             accuracy: dsl.OutputPath(float), device: dsl.OutputPath(str), seed: int = 1):
    return step('train-go')


@dsl.container_component
def train_tensorflow(data: Input[Dataset], epochs: int, rate: float, model: Output[Model], metrics: Output[Metrics],
                     accuracy: dsl.OutputPath(float), device: dsl.OutputPath(str), seed: int = 1):
    # The command of a Python step is kfpgo's own.
    return dsl.ContainerSpec(image='tensorflow/tensorflow:2.16.1-gpu', command=['python3'], args=['{{$}}'])


@dsl.container_component
def pick(models: Input[List[Model]], accuracies: List[float], model: Output[Model], accuracy: dsl.OutputPath(float)):
    return step('pick')


@dsl.container_component
def evaluate(data: Input[Dataset], model: Input[Model], accuracy: dsl.OutputPath(float), metrics: Output[Metrics],
             confusion: Output[ClassificationMetrics], predictions: Output[Dataset]):
    return step('evaluate')


def named(name, inputs):
    """A step whose input and output have the same name, which no function can have."""
    return components.load_component_from_text(f"""
name: {name}
inputs: [{', '.join('{name: %s, type: String}' % i for i in inputs)}]
outputs: [{{name: name, type: String}}]
implementation:
  container: {{image: prog, command: [/app, 'kfpgo:exec', {name}], args: ['{{{{$}}}}']}}
""")


model_claim = named('model-claim', ['name'])
serve = named('serve', ['name', 'claim', 'version'])


@dsl.container_component
def publish(model: Input[Model], version: dsl.OutputPath(str)):
    return step('publish')


@dsl.container_component
def expose(name: str, host: dsl.OutputPath(str)):
    return step('expose')


@dsl.container_component
def query(host: str, data: Input[Dataset], model: Input[Model], accuracy: dsl.OutputPath(float),
          p50_ms: dsl.OutputPath(float), p99_ms: dsl.OutputPath(float), metrics: Output[Metrics]):
    return step('query')


def mount(task, claim, path='/data'):
    kubernetes.mount_pvc(task, pvc_name=claim, mount_path=path)
    return task


@dsl.pipeline(name='mnist')
def pipeline(source: str = 'https://storage.googleapis.com/cvdf-datasets/mnist',
             trainer: str = 'go',
             sweep: List[dict] = [{'epochs': 8, 'rate': 0.05}, {'epochs': 8, 'rate': 0.2}],
             threshold: float = 0.95,
             volume: str = 'mnist-data',
             storage_class: str = '',
             seed: int = 1,
             shuffle_labels: bool = False,
             day: str = None):
    status = report(day=day)
    with dsl.ExitHandler(status) as guarded:
        # What changes the cluster must not be taken from the cache.
        claim = kubernetes.CreatePVC(pvc_name=volume, storage_class_name=storage_class, access_modes=['ReadWriteOnce'], size='1Gi').set_caching_options(False).outputs['name']
        data = mount(download(source=source, shuffle_labels=shuffle_labels), claim).set_retry(2).set_caching_options(False).outputs['data']
        with dsl.If(trainer == 'tensorflow'):
            with dsl.ParallelFor(sweep, parallelism=2) as c:
                t = mount(train_tensorflow(data=data, epochs=c.epochs, rate=c.rate, seed=seed), claim)
                t.set_accelerator_type('nvidia.com/gpu').set_accelerator_limit(1).set_memory_limit('16Gi')
                kubernetes.add_node_selector(t, 'cloud.google.com/gke-accelerator', 'nvidia-l4')
                kubernetes.add_toleration(t, 'nvidia.com/gpu', 'Exists', None, 'NoSchedule')
            a = pick(models=dsl.Collected(t.outputs['model']), accuracies=dsl.Collected(t.outputs['accuracy']))
        with dsl.Else():
            with dsl.ParallelFor(sweep, parallelism=2) as c:
                t = mount(train_go(data=data, epochs=c.epochs, rate=c.rate, seed=seed), claim).set_cpu_limit('2').set_cpu_request('500m')
            b = pick(models=dsl.Collected(t.outputs['model']), accuracies=dsl.Collected(t.outputs['accuracy']))
        model = dsl.OneOf(a.outputs['model'], b.outputs['model'])
        evaluated = mount(evaluate(data=data, model=model), claim)
        with dsl.If(evaluated.outputs['accuracy'] >= threshold):
            models = model_claim(name='mnist-models').set_caching_options(False)
            published = mount(publish(model=model), models.outputs['name'], '/models').set_caching_options(False)
            served = serve(name='mnist', claim=models.outputs['name'], version=published.output).set_caching_options(False)
            served.set_env_variable('KFPGO_IMAGE', 'prog')
            exposed = expose(name=served.outputs['name']).set_caching_options(False)
            mount(query(host=exposed.output, data=data, model=model), claim).set_caching_options(False)
    kubernetes.DeletePVC(pvc_name=volume).set_caching_options(False).after(guarded).ignore_upstream_failure()
