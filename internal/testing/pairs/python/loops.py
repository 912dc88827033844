from typing import List

from kfp import dsl

from steps import *


@dsl.pipeline(name='loops')
def pipeline(ns: List[int], sweep: List[dict] = [{'rate': 0.5, 'n': 1}], source: str = 'here') -> List[int]:
    data = make_data(source=source)
    with dsl.ParallelFor([1, 2, 3]) as i:
        make_int(n=i)
    with dsl.ParallelFor([{'text': "it's", 'label': '1'}, {'text': 'ü', 'label': '2'}], parallelism=2) as item:
        say(text=item.text)
        say(text=item.label)
    with dsl.ParallelFor([{'n': 1}, {'n': 2}]) as item:
        make_int(n=item.n)
    with dsl.ParallelFor(ns) as n:
        got = make_int(n=n)
        with dsl.ParallelFor(['a', 'b']) as s:
            say(text=s)
            make_int(n=n)
            make_int(n=got.output)
    sum_up(ns=dsl.Collected(got.output))
    listed = make_list()
    with dsl.ParallelFor(listed.output) as n:
        with dsl.If(n > 3):
            make_int(n=n)
    return dsl.Collected(got.output)
