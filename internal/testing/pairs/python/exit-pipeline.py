from kfp import dsl

from steps import *


@dsl.pipeline
def clean_up(text: str):
    say(text=text)


@dsl.pipeline(name='exit-pipeline')
def pipeline(text: str):
    with dsl.ExitHandler(clean_up(text=text)):
        say(text=text)
