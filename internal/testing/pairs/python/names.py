from kfp import components, dsl


def odd(name):
    return components.load_component_from_text(f"""
name: {name}
inputs: [{{name: text, type: String}}]
outputs: [{{name: out, type: String}}]
implementation: {{container: {{image: x, command: [/odd], args: [{{inputValue: text}}, {{outputPath: out}}]}}}}
""")


@dsl.pipeline(name='names')
def pipeline(s: str, n: int, f: float, b: bool):
    for name in ['a', 'a-2', 'x1', 'x-1', 'train-model', 'long' + 15 * '-name']:
        c = odd(name)
        c(text=c(text=s).output)
    with dsl.If(s == 'a'):
        odd('condition')(text=s)
    with dsl.ParallelFor(['for']) as x:
        odd('for-loop')(text=x)
