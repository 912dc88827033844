from typing import Dict, List

from kfp import dsl, kubernetes

from steps import *


def options(t, name):
    kubernetes.use_secret_as_env(t, name, {'s': 'S'})
    kubernetes.use_secret_as_volume(t, name, '/s')
    kubernetes.use_config_map_as_env(t, name, {'c': 'C'})
    kubernetes.use_config_map_as_volume(t, name, '/c', True)
    kubernetes.set_image_pull_secrets(t, [name])
    kubernetes.mount_pvc(t, name, '/p', 'x')


@dsl.pipeline(name='pod-references')
def pipeline(name: str, selector: Dict[str, str], toleration: dict, many: List[dict], affinity: dict):
    def place(t):
        kubernetes.add_node_selector_json(t, selector)
        kubernetes.add_toleration_json(t, toleration)
        kubernetes.add_toleration_json(t, many)
        kubernetes.add_node_affinity_json(t, affinity)

    made = make_text(text='name').output
    a = say(text='input')
    options(a, name)
    place(a)
    b = say(text='output')
    options(b, made)
    kubernetes.add_node_selector_json(b, {'disk': 'ssd'})
    kubernetes.add_node_affinity_json(b, {'preferredDuringSchedulingIgnoredDuringExecution': []})
    with dsl.If(name == 'x'):
        c = say(text='condition')
        options(c, name)
        place(c)
        with dsl.ParallelFor([1, 2]):
            d = say(text='loop in condition')
            options(d, made)
            place(d)
    with dsl.ParallelFor(['a', 'b']) as item:
        own = make_text(text=item).output
        e = say(text='item')
        options(e, item)
        f = say(text='own')
        options(f, own)
        place(f)
