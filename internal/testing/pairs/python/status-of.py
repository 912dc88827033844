from kfp import dsl

from steps import *


@dsl.pipeline(name='status-of')
def pipeline(text: str):
    a = say(text=text)
    report(note='x').after(a).ignore_upstream_failure()
    b = make_text(text=text)
    report(note=b.output).ignore_upstream_failure()
