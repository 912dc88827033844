from kfp import dsl
from kfp.dsl import Dataset, Model

from steps import *


@dsl.pipeline(name='import-config', pipeline_config=dsl.PipelineConfig(workspace=dsl.WorkspaceConfig(size='1Gi')))
def pipeline(uri: str, n: int, lang: str = 'en'):
    dsl.importer(artifact_uri=uri, artifact_class=Dataset, reimport=True,
                 metadata={'a': 'text', 'b': 1.5, 'c': True, 'd': ['x', 2], 'e': {'deep': None}})
    made = make_text(text=lang)
    with dsl.If(n > 1):
        base = dsl.importer(
            artifact_uri=uri, artifact_class=Model, download_to_workspace=True,
            metadata={'again': lang, 'lang': lang, 'list': [made.output, 'x'], 'n': n, 'text': f'{made.output} of {lang}'})
        base.set_display_name('the base')
        use_model(model=base.output)
