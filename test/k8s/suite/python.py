from typing import NamedTuple


def work(text: str, map: dict, data: Input[Dataset], model: Output[Model], rate: float = 0.25) -> NamedTuple('Out', [('text', str), ('sum', float)]):
    with open(data.path) as f:
        read = f.read()
    with open(model.path, 'w') as f:
        f.write(read + '!')
    model.metadata['length'] = len(read)
    return (f"{text}|{map['b']}", map['a'] + rate + data.metadata['length'])


def raises(text: str):
    raise ValueError(text)


def filed(text: str, files: dsl.EmbeddedInput[dsl.Dataset]) -> str:
    import os
    with open(os.path.join(files.path, 'words.txt')) as f:
        return text + f.read()


def repeats(text: str) -> str:
    return text


def draft(write: str, data: Output[Dataset]):
    if write is not None:
        with open(data.path, 'w') as f:
            f.write(write)


def looks(data: Input[Dataset]) -> str:
    import os
    if not os.path.exists(data.path):
        return 'no file'
    with open(data.path) as f:
        return 'file ' + f.read()
