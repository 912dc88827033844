from kfp import dsl
from kfp.dsl import Dataset, Model

from steps import *


@dsl.pipeline(name='importer')
def pipeline(uri: str):
    data = dsl.importer(artifact_uri=uri, artifact_class=Dataset, reimport=False)
    base = dsl.importer(artifact_uri='gs://models/base', artifact_class=Model, reimport=False)
    train(data=data.output, rate=0.5)
    use_model(model=base.output)
