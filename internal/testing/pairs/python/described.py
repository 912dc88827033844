from typing import NamedTuple

from kfp import dsl
from kfp.dsl import Dataset, Input, Model, Output


@dsl.component(base_image='python:3.12')
def read(source: str, data: Output[Dataset], rows: int = 3) -> int:
    """Reads rows.

    Args:
        source: Where the rows are.
        rows: How many of them.

    Returns:
        Output: How many there were.
        data: The rows.
    """
    with open(data.path, 'w') as f:
        f.write(source)
    return rows


@dsl.component(base_image='python:3.12')
def learn(data: Input[Dataset], model: Output[Model], rate: float = 0.5) -> NamedTuple('Learned', [('loss', float), ('steps', int)]):
    """Learns a model.

    It takes a while.

    Args:
        data: What to learn from,
            a line of CSV for each example.
        rate: Of learning; "0.5" is fast.

    Returns:
        model: What it learned.
        loss: Of the last step.
    """
    with open(model.path, 'w') as f:
        f.write('m')
    return 0.1, 2


@dsl.container_component
def show(text: str, page: Output[Dataset]):
    """Shows a text.

    Args:
        text: To show.

    Returns:
        page: That shows it.
    """
    return dsl.ContainerSpec(image='x', command=['/show'], args=[text, page.path])


@dsl.pipeline(name='described')
def pipeline(source: str, rate: float = 0.25):
    """Learns from what it read.

    Args:
        source: Of the rows.
        rate: Of learning.
    """
    made = read(source=source)
    learn(data=made.outputs['data'], rate=rate)
    show(text=source)
