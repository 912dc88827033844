from typing import List, Optional

from kfp import dsl
from kfp.dsl import ConcatPlaceholder, Dataset, IfPresentPlaceholder, Input, Model, Output

from steps import *


@dsl.container_component
def elements_tool(models: Input[List[Model]], out: Output[Dataset], text: str = 'hi', note: Optional[str] = None, base: Optional[Input[Model]] = None):
    return dsl.ContainerSpec(image='x', command=['/run'], args=[
        ConcatPlaceholder(['pre-', text, '-', out.path]),
        IfPresentPlaceholder('note', then=['--note', note], else_=['--no-note', 'x']),
        IfPresentPlaceholder('base', then=[ConcatPlaceholder(['--base=', base.uri]), '--meta', base.metadata['framework']]),
        ConcatPlaceholder(['--all=', IfPresentPlaceholder('note', then=note, else_=ConcatPlaceholder(['no', '-', text]))]),
        IfPresentPlaceholder('note', then=[IfPresentPlaceholder('base', then=['both', 'of them'], else_=['one']), base.metadata]),
        models, out.metadata['k'], out.metadata])


@dsl.pipeline(name='elements')
def pipeline(models: Input[List[Model]], text: str = 'hi', note: Optional[str] = None, base: Input[Model] = None):
    elements_tool(models=models)
    elements_tool(models=models, text=text, note=note, base=base)
