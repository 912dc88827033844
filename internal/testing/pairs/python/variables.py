from kfp import dsl

from steps import *


@dsl.pipeline(name='variables')
def pipeline(text: str):
    a = say(text=text).set_env_variable('Z', 'last').set_env_variable('A', 'it\'s $(HOME) "x"')
    a.set_env_variable('EMPTY', '').set_env_variable('N', '1').set_display_name("Say: it's a ü")
    say(text=text).set_container_image(
        'ghcr.io/acme/say:1.4@sha256:0123456789012345678901234567890123456789012345678901234567890123')
    with dsl.ParallelFor(['a']) as item:
        say(text=item).set_env_variable('IN', 'loop').set_display_name('in a loop').set_container_image('y')
