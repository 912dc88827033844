from kfp import dsl, kubernetes

from steps import *


@dsl.pipeline(name='pods')
def pipeline():
    a = say(text='sources')
    kubernetes.use_secret_as_env(a, 'creds', {'user': 'USER', 'password': 'PASSWORD'})
    kubernetes.use_secret_as_env(a, 'tokens', {'hub.token': 'TOKEN'}, optional=True)
    kubernetes.use_secret_as_volume(a, 'certs', '/etc/certs')
    kubernetes.use_secret_as_volume(a, 'more', '/etc/more', optional=True)
    kubernetes.use_config_map_as_env(a, 'settings', {'level': 'LEVEL'})
    kubernetes.use_config_map_as_env(a, 'settings', {'color': 'COLOR'}, optional=True)
    kubernetes.use_config_map_as_volume(a, 'files', '/etc/files')
    kubernetes.use_config_map_as_volume(a, 'extra', '/etc/extra', optional=True)
    kubernetes.use_field_path_as_env(a, 'POD', 'metadata.name')
    kubernetes.use_field_path_as_env(a, 'NODE', 'spec.nodeName')

    b = say(text='volumes')
    kubernetes.mount_pvc(b, 'data', '/data')
    kubernetes.mount_pvc(b, 'data', '/models', 'models/2024')
    kubernetes.empty_dir_mount(b, 'scratch', '/scratch')
    kubernetes.empty_dir_mount(b, 'shm', '/dev/shm', 'Memory', '2Gi')
    kubernetes.add_ephemeral_volume(b, 'tmp', '/tmp/big', ['ReadWriteOnce'], '100Gi')
    kubernetes.add_ephemeral_volume(
        b, 'fast', '/fast', ['ReadWriteOnce', 'ReadWriteMany'], '1Ti', 'ssd', {'team': 'vision'}, {'note': 'any text'})

    c = say(text='place')
    kubernetes.add_node_selector(c, 'disk', 'ssd')
    kubernetes.add_node_selector(c, 'zone', 'a')
    kubernetes.add_node_affinity(c, match_expressions=[
        {'key': 'disk', 'operator': 'In', 'values': ['ssd', 'nvme']}, {'key': 'spot', 'operator': 'DoesNotExist'}])
    kubernetes.add_node_affinity(
        c, [{'key': 'cores', 'operator': 'Gt', 'values': ['16']}], [{'key': 'metadata.name', 'operator': 'NotIn', 'values': ['n1']}], 50)
    kubernetes.add_toleration(c, operator='Exists')
    kubernetes.add_toleration(c, 'gpu', 'Equal', 'yes', 'NoExecute', 0)

    d = say(text='pod')
    kubernetes.add_pod_label(d, 'team', 'vision')
    kubernetes.add_pod_label(d, 'acme.com/tier', '1')
    kubernetes.add_pod_annotation(d, 'note', "it's {any} text\nof two lines")
    kubernetes.set_image_pull_secrets(d, ['registry', 'mirror'])
    kubernetes.set_image_pull_policy(d, 'Always')
    kubernetes.set_security_context(d, 1000, 0, True)
    kubernetes.set_timeout(d, 3600)
    kubernetes.set_security_context(say(text='user'), run_as_non_root=False)
