from typing import List

from kfp import dsl

from steps import *


@dsl.pipeline(name='loop-deep')
def pipeline(texts: List[str], rates: List[float]):
    before = make_text(text='before').output
    with dsl.ParallelFor(texts) as a:
        made = make_text(text=a).output
        with dsl.ParallelFor(rates, parallelism=2) as b:
            flt = make_float(x=b).output
            with dsl.ParallelFor([7, 8], parallelism=4) as c:
                say(text=a)
                say(text=made)
                say(text=before)
                make_float(x=b)
                make_float(x=flt)
                make_int(n=c)
