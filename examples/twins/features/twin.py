"""Makes features in Python, fits a model in a container and rates it in Python, for two regions."""

from typing import NamedTuple

from kfp import dsl
from kfp.dsl import HTML, Dataset, Input, Metrics, Model, Output


@dsl.component
def raw(region: str, data: Output[Dataset]):
    print("reading", region)
    with open(data.path, "w") as f:
        f.write("y\n1\n2\n3\n4\n5\n")


@dsl.component(base_image="python:3.12-slim")
def features(raw: Input[Dataset], table: Output[Dataset], lags: int = 2) -> int:
    with open(raw.path) as f:
        y = f.read().split()[1:]
    rows = [",".join(y[i : i + lags + 1]) for i in range(len(y) - lags)]
    with open(table.path, "w") as f:
        f.write("\n".join(rows))
    return len(rows)


@dsl.container_component
def fit(table: Input[Dataset], model: Output[Model]):
    return dsl.ContainerSpec(
        image="busybox:1.37", command=["sh", "-c", 'wc -l <"$0" >"$1"'], args=[table.path, model.path]
    )


@dsl.component
def evaluate(model: Input[Model], rows: int, metrics: Output[Metrics], report: Output[HTML]) -> float:
    with open(model.path) as f:
        score = rows / len(f.read().strip())
    metrics.log_metric("score", score)
    with open(report.path, "w") as f:
        f.write("<p>good</p>")
    return score


@dsl.pipeline(name="region")
def region(region: str) -> NamedTuple("Region", [("model", Model), ("score", float)]):
    table = features(raw=raw(region=region).outputs["data"])
    model = fit(table=table.outputs["table"]).outputs["model"]
    rated = evaluate(model=model, rows=table.outputs["Output"])
    return NamedTuple("Region", [("model", Model), ("score", float)])(model, rated.outputs["Output"])


@dsl.pipeline(name="regions")
def pipeline() -> NamedTuple("Out", [("eu", float), ("us", float)]):
    eu = region(region="eu")
    us = region(region="us")
    return NamedTuple("Out", [("eu", float), ("us", float)])(eu.outputs["score"], us.outputs["score"])
