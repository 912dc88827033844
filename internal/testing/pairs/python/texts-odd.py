from kfp import dsl

from steps import *


@dsl.pipeline(name='texts-odd')
def pipeline(s: str, n: int, f: float, b: bool):
    for text in [
            '{{', '}}', '$(HOME)', '${HOME}', '%s %d %%', '{{channel}}',
            '#', '- a', 'a: b', 'null', '~', 'true', '1e3', '0x10', '1_000', '2001-01-01', ' lead', 'trail ', '\ttab',
            'a\nb\n', '\n', '\\n', '\u00a0', '\u2028', '\U0001f600', "'", '"', '|', '>', '&a', '*a', '!t', '@', '`', '=',
            '<<', 'a very long line that goes on and on until it is longer than eighty columns, where the writer of YAML '
            'would like to break it, and then goes on some more'
    ]:
        say(text=text).set_env_variable('T', text)
