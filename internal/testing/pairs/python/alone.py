from kfp import dsl
from kfp.dsl import Dataset, Input, Model, Output


@dsl.container_component
def alone(data: Input[Dataset], model: Output[Model], acc: dsl.OutputPath(float), text: str = 'hi'):
    return dsl.ContainerSpec(image='x', command=['/alone'], args=[text, data.path, model.path, acc])


pipeline = alone
