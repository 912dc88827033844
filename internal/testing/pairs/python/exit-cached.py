from kfp import dsl

from steps import say


@dsl.pipeline(name='clean-up')
def clean_up(text: str):
    say(text=text)
    say(text=text).set_caching_options(False)


@dsl.pipeline(name='exit-cached')
def pipeline(text: str, n: int = 1):
    with dsl.ExitHandler(say(text=text)):
        say(text=text)
    with dsl.ExitHandler(say(text=text).set_caching_options(True, cache_key='once')):
        say(text=text)
    with dsl.ExitHandler(say(text=text).set_caching_options(False)):
        say(text=text)
    with dsl.ExitHandler(clean_up(text=text)):
        say(text=text)
