"""Starts kfpgo's runtime of Python steps under debugpy: HOST PORT NAME SOURCE RUNTIME ARGUMENTS.

The runtime compiles the source of the step under a NAME that is not a file; the debugger
is told the SOURCE, which is one, so that an editor shows it and sets breakpoints there.
"""
import builtins
import linecache
import sys

import debugpy

host, port, name, source, runtime = sys.argv[1:6]
sys.argv = [runtime] + sys.argv[6:]
compiled = builtins.compile


def compile_file(text, filename, *args, **kwargs):
    code = compiled(text, filename, *args, **kwargs)
    if filename != name:
        return code
    linecache.cache.pop(name, None)
    return compiled(text, source, *args, **kwargs)


debugpy.listen((host, int(port)))
debugpy.wait_for_client()
builtins.compile = compile_file
with open(runtime, encoding='utf-8') as f:
    exec(compiled(f.read(), runtime, 'exec', 0, True), {'__name__': '__main__', '__file__': runtime})
