from kfp.dsl import Dataset, Input, Output


def features(raw: Input[Dataset], table: Output[Dataset], lags: int = 2) -> int:
    with open(raw.path) as f:
        y = f.read().split()[1:]
    rows = [",".join(y[i : i + lags + 1]) for i in range(len(y) - lags)]
    with open(table.path, "w") as f:
        f.write("\n".join(rows))
    return len(rows)
