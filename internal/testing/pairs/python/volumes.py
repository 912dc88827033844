from kfp import dsl, kubernetes

from steps import *


@dsl.pipeline(name='volumes')
def pipeline(claim: str, n: int = 1):
    # kfpgo always does what changes the cluster: a claim from the cache may be gone.
    pvc = kubernetes.CreatePVC(pvc_name_suffix='-cache', access_modes=['ReadWriteMany'], size='1Gi', storage_class_name='fast', annotations={'a': 'b'}).set_caching_options(False)
    a = say(text='a')
    kubernetes.mount_pvc(a, pvc_name=pvc.outputs['name'], mount_path='/cache')
    b = say(text='b')
    kubernetes.mount_pvc(b, pvc_name=claim, mount_path='/data')
    kubernetes.mount_pvc(b, pvc_name='fixed', mount_path='/fixed')
    with dsl.If(n == 1):
        c = say(text='c')
        kubernetes.mount_pvc(c, pvc_name=pvc.outputs['name'], mount_path='/cache')
        kubernetes.use_secret_as_env(c, claim, {'k': 'K'})
    d = say(text='d').after(a, b)
    kubernetes.DeletePVC(pvc_name=pvc.outputs['name']).set_caching_options(False).after(d)
