import functools
import http.server
import pathlib
import threading

from kfp import components, dsl

SAY = """
name: say
inputs: [{name: text, type: String}]
implementation: {container: {image: x, command: [/say], args: [{inputValue: text}]}}
"""

here = pathlib.Path(__file__).resolve().parent


class Quiet(http.server.SimpleHTTPRequestHandler):

    def log_message(self, *args):
        pass


def load_from_url(name):
    server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), functools.partial(Quiet, directory=str(here)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        return components.load_component_from_url(f'http://127.0.0.1:{server.server_port}/{name}')
    finally:
        server.shutdown()


say = components.load_component_from_text(SAY)
calc = components.load_component_from_file(str(here / 'calc.yaml'))
calc_again = load_from_url('calc.yaml')


@dsl.pipeline(name='loaded')
def pipeline(a: float):
    first = calc(a=a)
    calc_again(a=first.outputs['result'], b=2.0)
    say(text='hi')
