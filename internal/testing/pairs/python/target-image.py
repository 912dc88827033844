from kfp import dsl
from kfp.dsl import Dataset, Input, Model, Output

IMAGE = 'registry.example.com/team/train:1'


@dsl.component(base_image='python:3.12', target_image=IMAGE)
def learn(data: Input[Dataset], model: Output[Model], rate: float = 0.5) -> float:
    import shutil
    shutil.copy(data.path, model.path)
    return rate


@dsl.component(base_image='python:3.12', target_image=IMAGE, packages_to_install=['numpy==2.2.0'])
def collect(rows: int, data: Output[Dataset]):
    with open(data.path, 'w') as f:
        f.write(str(rows))


@dsl.pipeline(name='target-image')
def pipeline(rows: int = 3):
    learn(data=collect(rows=rows).outputs['data'])
