from typing import List, NamedTuple

from kfp import components, dsl

Outputs = NamedTuple('Outputs', s=str, i=int, f=float, b=bool, d=dict, l=List[str])


def passed(name):
    kinds = [('s', 'String'), ('i', 'Integer'), ('f', 'Float'), ('b', 'Boolean'), ('d', 'JsonObject'), ('l', 'JsonArray')]
    ports = ', '.join('{name: %s, type: %s}' % k for k in kinds)
    args = ', '.join(['{inputValue: %s}' % k for k, _ in kinds] + ['{outputPath: %s}' % k for k, _ in kinds])
    return components.load_component_from_text(f"""
name: {name}
inputs: [{ports}]
outputs: [{ports}]
implementation: {{container: {{image: x, command: [/pass], args: [{args}]}}}}
""")


pass_ = passed('pass')


@dsl.container_component
def sum(l: List[List[int]]):
    return dsl.ContainerSpec(image='x', command=['/sum'], args=[l])


@dsl.pipeline(name='values')
def pipeline(s: str = 'it\'s "x": # ü 日本', i: int = -3, f: float = 1e-7, b: bool = False,
             d: dict = {'a': 0.5, 'b': -2}, l: List[str] = ['x', 'y'], s2: str = '', i2: int = 2**53,
             l2: List[List[int]] = [[1]]) -> Outputs:
    one = pass_(s=s, i=i, f=f, b=b, d=d, l=l)
    two = pass_(**one.outputs)
    pass_(s='two\nlines\tand a tab \\', i=2**53 - 1, f=1e300, b=True, d={'a': 1, 'é': 1e-3},
          l=['', 'a b', "'", 'null', '1'])
    pass_(s=s2, i=i2, f=-0.1, b=False, d={}, l=[])
    sum(l=l2)
    sum(l=[[1, 2], [], [-3]])
    return Outputs(**two.outputs)
