from kfp import dsl

from steps import *


@dsl.pipeline(name='retries')
def pipeline(text: str):
    say(text=text).set_retry(2)
    say(text=text).set_retry(3, backoff_duration='60s')
    say(text=text).set_retry(4, backoff_factor=1.25)
    say(text=text).set_retry(5, backoff_duration='2h', backoff_factor=3.0, backoff_max_duration='2d')
    with dsl.ParallelFor(['a', 'b']) as item:
        say(text=item).set_retry(1, backoff_max_duration='10s')
