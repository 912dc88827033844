from typing import List

from kfp import dsl, kubernetes

from steps import *


@dsl.pipeline(name='settings-inner')
def inner(secret: str, claim: str, texts: List[str]):
    with dsl.ParallelFor(texts) as x:
        a = say(text=x).set_cpu_limit('1')
        kubernetes.use_secret_as_env(a, secret, {'a': 'A'})
        kubernetes.mount_pvc(a, claim, '/data')


@dsl.pipeline(name='settings-deep')
def pipeline(secret: str, claim: str, texts: List[str]):
    with dsl.ParallelFor(texts) as x:
        with dsl.ParallelFor(texts) as y:
            a = say(text=y)
            kubernetes.use_secret_as_env(a, secret, {'a': 'A'})
            kubernetes.use_secret_as_env(a, 'fixed', {'b': 'B'})
            b = say(text=x)
            kubernetes.mount_pvc(b, claim, '/data')
            kubernetes.mount_pvc(b, 'fixed', '/fixed')
        name = make_text(text=x).output
        c = say(text=x)
        kubernetes.use_secret_as_env(c, name, {'a': 'A'})
        kubernetes.mount_pvc(c, name, '/data')
        inner(secret=name, claim=claim, texts=texts)
    inner(secret=secret, claim=claim, texts=texts)
