from kfp import dsl, kubernetes

from steps import *


@dsl.pipeline(name='options')
def pipeline(s: str, image: str = 'y', n: int = 3, limit: str = '2Gi'):
    a = say(text='a').set_cpu_limit('500m').set_cpu_request('0.25').set_memory_limit('1Gi').set_memory_request('512M')
    a.set_accelerator_type('nvidia.com/gpu').set_accelerator_limit('2')
    a.set_retry(3, '10s', 1.5, '90s').set_env_variable('B', '1').set_env_variable('A', 'two').set_display_name('Say A')
    b = say(text='b').set_cpu_limit(s).set_memory_limit(limit).set_container_image(image).set_caching_options(False).after(a)
    b.set_accelerator_type('amd.com/gpu').set_accelerator_limit(n)
    b.set_retry(1)
    c = say(text='c').ignore_upstream_failure().after(a, b)
    kubernetes.use_secret_as_env(c, 'creds', {'password': 'PASSWORD'})
    kubernetes.use_secret_as_env(c, s, {'user': 'USER'})
    kubernetes.add_node_selector(c, 'zone', 'a')
    kubernetes.add_node_selector(c, 'disk', 'ssd')
    kubernetes.add_toleration(c, 'gpu', 'Exists', None, 'NoSchedule')
    kubernetes.add_toleration(c, 'team', 'Equal', 'ml')
    kubernetes.set_timeout(c, 90)
