"""Compiles each twin of this folder beside itself, or into the folder given."""
import importlib
import os
import pathlib
import sys
import warnings

if os.environ.get('PYTHONHASHSEED') != '0':  # the SDK writes defaults in the order of their hashes
    os.environ['PYTHONHASHSEED'] = '0'
    os.execv(sys.executable, [sys.executable] + sys.argv)

warnings.simplefilter('ignore')
here = pathlib.Path(__file__).parent
sys.path.insert(0, str(here))
sys.dont_write_bytecode = True
out = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else here

from kfp import compiler  # noqa: E402

for f in sorted(here.glob('*.py')):
    if f.stem not in ('compile', 'steps'):
        compiler.Compiler().compile(importlib.import_module(f.stem).pipeline, str(out / (f.stem + '.yaml')))
