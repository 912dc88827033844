from kfp import dsl
from kfp.dsl import Dataset, Model

from steps import *


@dsl.pipeline(name='load')
def load(source: str) -> Model:
    return dsl.importer(artifact_uri=source, artifact_class=Model, reimport=False).output


@dsl.pipeline(name='importers')
def pipeline(source: str) -> Model:
    made = make_text(text=source).output
    use_model(model=dsl.importer(artifact_uri=made, artifact_class=Model).output)
    with dsl.ParallelFor(['gs://a/b', 's3://c/d']) as uri:
        use_model(model=dsl.importer(artifact_uri=uri, artifact_class=Model).output)
    with dsl.If(source != ''):
        train(data=dsl.importer(artifact_uri=source, artifact_class=Dataset).output, rate=0.5)
    return load(source=source).output
