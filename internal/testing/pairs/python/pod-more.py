from google.protobuf import json_format
from kfp import dsl, kubernetes
from kfp.kubernetes import common
from kfp.kubernetes import kubernetes_executor_config_pb2 as pb

from steps import *


@dsl.pipeline(name='pod-more')
def pipeline():
    # There are no functions for these fields.
    a = say(text='affinity')
    msg = common.get_existing_kubernetes_config_as_message(a)
    msg.enabled_shared_memory.volume_name = 'shm'
    msg.enabled_shared_memory.size = '2Gi'
    msg.pod_affinity.append(pb.PodAffinityTerm(topology_key='zone', match_pod_labels={'app': 'db'}, namespaces=['data']))
    msg.pod_affinity.append(pb.PodAffinityTerm(
        topology_key='kubernetes.io/hostname', weight=7, anti=True,
        match_pod_expressions=[pb.SelectorRequirement(key='app', operator='In', values=['a', 'b'])],
        match_namespace_labels={'team': 'vision'},
        match_namespace_expressions=[pb.SelectorRequirement(key='tier', operator='Exists')]))
    a.platform_config['kubernetes'] = json_format.MessageToDict(msg)

    b = say(text='containers')
    kubernetes.empty_dir_mount(b, 'shared', '/shared')
    kubernetes.mount_pvc(b, 'models', '/models')
    # What add_init_container writes, which came after 2.17.
    b.platform_config['kubernetes']['initContainers'] = [
        {
            'name': 'prepare', 'image': 'busybox:1.36', 'command': ['sh', '-c'], 'args': ['echo $TEXT > /data/ready'],
            'env': [{'name': 'TEXT', 'value': 'yes'}, {'name': 'A', 'value': '$(TEXT)'}],
            'volumeMounts': [{'volumeName': 'shared', 'mountPath': '/data'}, {'volumeName': 'models', 'mountPath': '/models'}],
        },
        {
            'name': 'proxy', 'image': 'envoy:1', 'restartPolicy': 'Always',
            'resources': {'requests': {'cpu': '100m'}, 'limits': {'memory': '128Mi', 'cpu': '1'}},
            'volumeMounts': [{'volumeName': 'shared', 'mountPath': '/shared'}],
        },
    ]
