from typing import List

from kfp import dsl

from steps import *


@dsl.pipeline(name='loop-after')
def pipeline(texts: List[str], rates: List[float]):
    with dsl.ParallelFor(texts) as x:
        last = say(text=x)
    say(text='after the loop').after(last)
    with dsl.ParallelFor(texts) as x:
        a = say(text=x).after(last)
        say(text=x).after(a)
