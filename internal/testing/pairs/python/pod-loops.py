from kfp import dsl, kubernetes

from steps import *


@dsl.pipeline(name='pod-loops')
def pipeline(kind: str, n: int, limit: str):
    made = make_text(text=kind).output
    say(text='input').set_accelerator_type(kind).set_accelerator_limit(n).set_cpu_limit(limit)
    say(text='output').set_accelerator_type(made).set_accelerator_limit(2)
    with dsl.ParallelFor(['a', 'b']) as name:
        with dsl.If(name == 'a'):
            with dsl.ParallelFor([1, 2]):
                t = say(text=kind)
                kubernetes.use_secret_as_env(t, name, {'a': 'A'})
                kubernetes.use_config_map_as_volume(t, made, '/c')
                kubernetes.set_image_pull_secrets(t, [limit])
                t.set_accelerator_type(made).set_accelerator_limit(n)
