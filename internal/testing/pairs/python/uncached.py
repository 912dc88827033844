import os
import subprocess
import sys
from typing import List

from kfp import dsl

from steps import *


@dsl.pipeline(name='inner-uncached')
def inner(text: str):
    say(text=text)


@dsl.pipeline(name='uncached')
def pipeline(text: str = 'a', n: int = 1, ns: List[int] = [1], x: float = 0.5, on: bool = False, mean: dict = {'a': 1}):
    say(text=text)
    inner(text=text)
    with dsl.If(on == True):
        make_int(n=n)


def compile_to(path):
    kfp = os.path.join(os.path.dirname(sys.executable), 'kfp')
    subprocess.run([kfp, 'dsl', 'compile', '--py', __file__, '--function', 'pipeline', '--output', path,
                    '--disable-execution-caching-by-default'], check=True, stdout=subprocess.DEVNULL)
