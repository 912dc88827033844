"""KFP's SDK refuses a model of pydantic's as the type of a parameter; what a model dumps is a dict."""
from typing import Dict, List, Optional

from kfp import dsl
from pydantic import BaseModel, Field


class Layer(BaseModel):
    units: int = 16
    dropout: float = 0.5


class Settings(BaseModel):
    rate: float = Field(default=0.25, gt=0)
    layers: List[Layer] = [Layer(), Layer(units=4)]
    tags: Dict[str, str] = {'team': 'a'}
    note: Optional[str] = None


def refused(settings: Settings):
    pass


try:
    dsl.component(base_image='python:3.12')(refused)
except TypeError:
    pass
else:
    raise AssertionError('the SDK takes models as they are now: let the pair use them')


@dsl.component(base_image='python:3.12', packages_to_install=['pydantic==2.12.5'])
def fit(settings: dict) -> dict:
    from pydantic import BaseModel

    class Settings(BaseModel):
        rate: float
        layers: list

    return Settings(**settings).model_dump()


@dsl.pipeline(name='models')
def pipeline(settings: dict = Settings().model_dump(exclude_none=True)):
    fit(settings=settings)
    fit(settings=Settings(rate=1.5, layers=[], tags={}, note='none').model_dump())
