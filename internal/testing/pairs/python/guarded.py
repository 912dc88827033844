from typing import List

from kfp import dsl

from steps import *


@dsl.pipeline(name='clean-up')
def clean_up(text: str):
    a = say(text=text)
    say(text='done').after(a)


@dsl.pipeline(name='each')
def each(texts: List[str], n: int = 1):
    with dsl.ParallelFor(texts) as text:
        say(text=text)


@dsl.pipeline(name='guarded')
def pipeline(texts: List[str], n: int = 1):
    first = make_text(text='first')
    with dsl.ExitHandler(clean_up(text='clean')):
        with dsl.ParallelFor(texts, parallelism=3) as text:
            got = make_text(text=text)
            with dsl.If(got.output == first.output):
                say(text='same')
            with dsl.Else():
                say(text=got.output)
        each(texts=texts, n=n)
    with dsl.ExitHandler(report(note='second')):
        each(texts=['z'])
