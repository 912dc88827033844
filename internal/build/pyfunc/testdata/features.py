"""Functions of all kinds, which are steps."""
import typing as t
from typing import Any, Dict, List, NamedTuple, Optional, Union

from kfp import dsl
from kfp.dsl import (Dataset, HTML, Input as In, InputPath,
                     Metrics, Model, Output, OutputPath, PipelineTaskFinalStatus, component as comp)

IMAGE = 'python:3.12-slim'
RATE = 1_0e-1
PACKAGES = ['pandas==2.2.3', "numpy"]
Rows = List[Dict[str, Any]]
Limits = NamedTuple('Limits', [('low', float), ('high', 'float')])
QUERY = f"""
def not_a_function(a: int): {IMAGE:>{len("x")}} {'}'}
"""


class Score(NamedTuple):
    """What score returns."""
    share: float
    rows: 'int'


@dsl.component(base_image=IMAGE, packages_to_install=PACKAGES, pip_index_urls=('https://packages.example.com/simple',),
               pip_trusted_hosts=['packages.example.com'], use_venv=True, install_kfp_package=False, target_image=None)
def features(
    raw: In[Dataset],  # the rows, as CSV
    columns: List[str],
    rate: float = RATE, n: int = 0x10, big: int = -1_000, whole: float = 2, on: bool = True,
    name: str = 'a "b" `c`\t', empty: list = [], none: t.Optional[dict] = None, given: Optional[int] = 5,
    options: Dict[str, Any] = {'a': 1, "b": [2.5, None, 'x'], 'a': False}, weights: List[List[float]] = [[1, 2.0], []],
    *,
    table: Output[Dataset],
    report: 'Output[HTML]',
    text: OutputPath(str),
) -> Score:
    '''Makes features.

    It reads each row once:

        a, b

    Args:
        raw (Dataset): The rows,
            as CSV.
        rate: Of "learning".
        unknown: Nobody has it.

    Returns:
        rows: How many rows.

    Raises:
        ValueError: For an empty table.
    '''
    return Score(0.5, 1)


@comp
async def train(base: Optional[In[Model]], many: In[List[Model]], path: InputPath('Dataset'), any: InputPath(), number: InputPath(int),
                other: InputPath('CSV'), rows: Rows, last: PipelineTaskFinalStatus, learningRate: float, metrics: Output[dsl.Metrics], note: str | None = None) -> Model:
    """Trains.

    Returns:
        A model that
        is good.
    """


# Says it.
# kfpgo:step say-it
@staticmethod
def say(text: 'str', limits: Union[None, dict[str, list[int]]] = None) -> Limits: return Limits(0, 1)


@dsl.component()
# kfpgo:step nothing
def nothing() -> None:
    pass


@dsl.component
def two(a: int) -> NamedTuple('Two', first=int, second=Optional[str]):
    return 1, None


@dsl.pipeline
def pipeline(a: int):
    two(a=a)


def helper(x, *args, **kwargs):
    @dsl.component
    def inner(a: object): pass
