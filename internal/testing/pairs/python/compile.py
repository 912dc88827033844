"""Compiles the Python side of the pairs that are named, or of all, beside it: [--out FOLDER] [NAME...]"""
import argparse
import importlib
import os
import pathlib
import sys
import warnings

if os.environ.get('PYTHONHASHSEED') != '0':  # the SDK writes defaults in the order of their hashes
    os.environ['PYTHONHASHSEED'] = '0'
    os.execv(sys.executable, [sys.executable] + sys.argv)

warnings.simplefilter('ignore')
here = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(here))
sys.dont_write_bytecode = True

flags = argparse.ArgumentParser(description=__doc__)
flags.add_argument('--out', type=pathlib.Path, default=here)
flags.add_argument('names', nargs='*')
flags = flags.parse_intermixed_args()
out = flags.out.resolve()
os.chdir(here)  # notebooks and requirements are named from here

from kfp import compiler  # noqa: E402

names = flags.names or sorted(f.stem for f in here.glob('*.py') if f.stem != 'compile' and not f.stem.startswith('steps'))
failed = False
for name in names:
    path = str(out / (name + '.yaml'))
    try:
        module = importlib.import_module(name)
        if hasattr(module, 'compile_to'):  # it has options of the compiler to show
            module.compile_to(path)
        else:
            compiler.Compiler().compile(module.pipeline, path)
    except Exception as e:
        failed = True
        print(f'{name}.py: {type(e).__name__}: {e}', file=sys.stderr)
sys.exit(failed)
