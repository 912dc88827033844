from kfp import dsl, kubernetes

from steps import *


@dsl.pipeline(name='pod-inner')
def pod_inner(secret: str, n: int = 1):
    made = make_text(text=secret)
    kubernetes.use_secret_as_env(made, secret, {'a': 'A'})
    with dsl.If(n == 1):
        t = say(text='inner').set_cpu_limit(secret)
        kubernetes.use_secret_as_volume(t, secret, '/s')
        kubernetes.use_config_map_as_env(t, made.output, {'b': 'B'})


@dsl.pipeline(name='pod-nested')
def pipeline(secret: str, n: int = 1):
    pod_inner(secret=secret)
    t = use_model(model=dsl.importer('gs://m', artifact_class=dsl.Model).output)
    kubernetes.empty_dir_mount(t, 'd', '/d')
