"""Runs functions.py with KFP's own executor, and prints for each case what it wrote: {"output": ..., "files": {...}} or {"error": true}."""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import sys
import tempfile

os.environ['_KFP_RUNTIME'] = 'true'
sys.dont_write_bytecode = True
here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))

import functions  # noqa: E402
from functions_cases import CASES, OURS, executor_input  # noqa: E402
from kfp.dsl.executor import Executor  # noqa: E402


def run(case):
    with tempfile.TemporaryDirectory() as folder:
        with open(folder + '/data', 'w') as f:
            f.write('rows')
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                Executor(executor_input=json.loads(executor_input(case, folder)), function_to_execute=getattr(functions, case[0])).execute()
        except Exception:
            return dict(error=True)
        files = {}
        for path in sorted(pathlib.Path(folder).rglob('*')):
            name = str(path.relative_to(folder))
            if path.is_file() and name not in ('data', 'output.json'):
                files[name] = path.read_text().replace(folder, 'DIR')
        with open(folder + '/output.json') as f:
            return dict(output=json.loads(f.read().replace(folder, 'DIR')), files=files)


out = []
for case in CASES + OURS:
    theirs = run(case) if case in CASES else None
    function, outputs, params, read, write = case
    out.append(dict(function=function, outputs=outputs, input=executor_input(case, 'DIR'), want=theirs))
json.dump(out, sys.stdout, indent=1)
