from kfp import dsl


def double(x):
    return x * 2


def half(x):
    return x / 2


@dsl.component(base_image='python:3.12', additional_funcs=[double, half])
def helped(x: float) -> float:
    return half(double(double(x)))


@dsl.component(base_image='python:3.12', embedded_artifact_path='files')
def with_files(r: float, folder: dsl.EmbeddedInput[dsl.Dataset]) -> str:
    import os

    import shapes
    with open(os.path.join(folder.path, 'kind.txt')) as f:
        return f.read() + str(shapes.area(r))


@dsl.pipeline(name='python-files')
def pipeline(x: float = 2.0):
    helped(x=x)
    with_files(r=x)
