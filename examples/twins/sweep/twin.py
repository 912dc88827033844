"""Trains with each combination of two parameters and deploys the best model if it is good."""

from typing import List

from kfp import dsl
from kfp.dsl import Input, Model, Output


@dsl.component
def train(rate: float, depth: int, model: Output[Model]) -> float:
    with open(model.path, "w") as f:
        f.write(f"{rate} {depth}")
    return 1 - rate / depth


@dsl.component
def best(models: Input[List[Model]], accuracies: List[List[float]], model: Output[Model]) -> float:
    import shutil

    flat = sum(accuracies, [])
    shutil.copy(models[flat.index(max(flat))].path, model.path)
    return max(flat)


@dsl.component
def deploy(model: Input[Model]):
    with open(model.path) as f:
        print("deploying", f.read())


@dsl.pipeline(name="sweep")
def pipeline(rates: List[float] = [0.01, 0.1], depths: List[int] = [2, 4], at_least: float = 0.95):
    with dsl.ParallelFor(rates, parallelism=4) as rate:
        with dsl.ParallelFor(depths) as depth:
            trained = train(rate=rate, depth=depth)
    chosen = best(models=dsl.Collected(trained.outputs["model"]), accuracies=dsl.Collected(trained.outputs["Output"]))
    with dsl.If(chosen.outputs["Output"] >= at_least):
        deploy(model=chosen.outputs["model"])
