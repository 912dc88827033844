"""Prints the fields of the messages that a file of IR is made of: MESSAGE FIELD TYPE."""
from google.protobuf import descriptor_pb2
from kfp.kubernetes import kubernetes_executor_config_pb2 as kubernetes
from kfp.pipeline_spec import pipeline_spec_pb2 as spec

kinds = {v.number: v.name.removeprefix("TYPE_").lower() for v in descriptor_pb2.FieldDescriptorProto.Type.DESCRIPTOR.values}
seen, todo = set(), [
    spec.PipelineSpec.DESCRIPTOR, spec.PipelineDeploymentConfig.DESCRIPTOR, spec.PlatformSpec.DESCRIPTOR, kubernetes.KubernetesExecutorConfig.DESCRIPTOR,
]


def name(field):
    if field.message_type is not None and field.message_type.GetOptions().map_entry:
        return "map " + name(field.message_type.fields_by_name["value"])
    if field.message_type is not None:
        if not field.message_type.full_name.startswith("google."):
            todo.append(field.message_type)
        return field.message_type.full_name
    return field.enum_type.full_name if field.enum_type is not None else kinds[field.type]


while todo:
    message = todo.pop()
    if message.full_name not in seen:
        seen.add(message.full_name)
        for f in message.fields:
            print(message.full_name, f.json_name, name(f))
