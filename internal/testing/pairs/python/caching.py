from kfp import dsl

from steps import *


@dsl.pipeline(name='once')
def once(text: str) -> str:
    return make_text(text=text).set_caching_options(True, 'inner').output


@dsl.pipeline(name='caching')
def pipeline(text: str):
    say(text=text)
    say(text=text).set_caching_options(False)
    a = make_text(text=text).set_caching_options(True, cache_key='v1')
    say(text=a.output).set_caching_options(enable_caching=True, cache_key="it's: v1")
    once(text=text)
    with dsl.If(text == 'x'):
        say(text=text).set_caching_options(False)
