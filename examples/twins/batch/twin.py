"""Scores objects in parallel, asks for a new model if they have drifted, and reports to a channel."""

from typing import List, NamedTuple

from kfp import dsl, kubernetes
from kfp.dsl import Dataset, Input, Metrics, Output


@dsl.component
def score(
    object: str, model: str, predictions: Output[Dataset]
) -> NamedTuple("Scored", [("rows", int), ("drift", float)]):
    print("scoring", object, "with", model)
    with open(predictions.path, "w") as f:
        f.write(object)
    return len(object), len(object) % 7 / 10


@dsl.component
def summarize(
    rows: List[int], drifts: List[float], predictions: Input[List[Dataset]], metrics: Output[Metrics]
) -> float:
    metrics.log_metric("rows", sum(rows))
    metrics.log_metric("objects", len(predictions))
    return max(drifts)


@dsl.component
def request_retrain(drift: float):
    print("drift is", drift)


@dsl.component
def notify(channel: str, status: dsl.PipelineTaskFinalStatus):
    print(channel, "batch", status.state, status.error_message)


@dsl.pipeline(name="batch-inference")
def pipeline(
    objects: List[str] = ["s3://data/a.parquet", "s3://data/bb.parquet", "s3://data/ccc.parquet"],
    model: str = "s3://models/prod",
    max_drift: float = 0.3,
    channel: str = "#ml-ops",
):
    notified = notify(channel=channel).set_caching_options(False)
    kubernetes.use_secret_as_env(notified, "slack", {"token": "SLACK_TOKEN"}, optional=True)
    with dsl.ExitHandler(notified):
        with dsl.ParallelFor(objects, parallelism=4) as object:
            scored = score(object=object, model=model)
            scored.set_cpu_limit("2").set_memory_limit("4Gi")
            scored.set_retry(2, backoff_duration="1s", backoff_factor=2, backoff_max_duration="60s")
        summary = summarize(
            rows=dsl.Collected(scored.outputs["rows"]),
            drifts=dsl.Collected(scored.outputs["drift"]),
            predictions=dsl.Collected(scored.outputs["predictions"]),
        )
        with dsl.If(summary.outputs["Output"] > max_drift):
            request_retrain(drift=summary.outputs["Output"])
