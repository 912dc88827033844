from dataclasses import dataclass
from typing import *

from kfp import dsl
from kfp.dsl import *

Loop = List['Loop']


@dataclass
class Row:
    name: str


@dsl.component
def untyped(a, b=1, *args: int, **kwargs): pass


@dsl.component
def types(a: Row, b: Any, c: Union[int, str], d: tuple, e: None, f: Loop, g: np.ndarray, h: Dict[int, str],
          i: List[Row], j: Optional[Model], k: List[Optional[int]], l: Input[str], m: Output[List[Model]],
          n: InputPath(Row), o: EmbeddedInput[Dataset], p: Callable[[int], int], q: List[int, int], r: Optional[()], s: lambda x, y: 1, t: Literal['a']): pass


@dsl.component
def defaults(a: int = 1.5, b: str = 1, c: bool = 0, d: List[int] = ['x'], e: float = f(1), f: Input[Model] = 'x', g: Output[Model] = None,
             h: int = 10 ** 9, i: Dict[str, int] = {1: 2}, j: OutputPath(str) = 'x', k: int = 99999999999999999999, l: str = f'{a}', m: bytes = b'', n: Optional[Output[Model]] = None): pass


@dsl.component
def positional(a: int, a2, /, b: int): pass


@dsl.component
def untyped_result(a: int) -> NamedTuple('X', [('a', Row), ('b', List[Model])]): pass


@dsl.component
def wrong_result(a: int) -> Output[Model]: pass


@dsl.component
def lists() -> List[Model]: pass


@dsl.component
def same(a_b: int, aB: int, out: Output[Model], größe: int) -> NamedTuple('X', out=int): pass


@dsl.component('x', base_imag='x', use_venv=1, base_image=1, packages_to_install='x', pip_index_urls=[1], target_image='x', embedded_artifact_path='x')
def settings(): pass


@dsl.component
def types(): pass


@dsl.component
def Same(): pass


# kfpgo:step same
@dsl.component
def other(): pass


# kfpgo:step a
# kfpgo:step b
# kfpgo:stp
def twice(): pass


# kfpgo:step

# kfpgo:
def far(): pass


@dsl.component
def _(): pass


@dsl.component
def taken(a: int): pass
