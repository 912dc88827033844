"""Checks the tables of a day every night, also of nights that were missed."""

import datetime
import sys
from typing import List, NamedTuple

from kfp import Client, compiler, dsl
from kfp.dsl import Metrics, Output


@dsl.component
def check(
    day: str, table: str, metrics: Output[Metrics], max_null: float = 0.02
) -> NamedTuple("Checked", [("ok", bool), ("null_rate", float)]):
    print("checking", table, "of", day)
    null_rate = len(table) / 250
    metrics.log_metric("null_rate", null_rate)
    return null_rate <= max_null, null_rate


@dsl.component
def alert(table: str, rate: float):
    print(f"{table}: null rate {rate}")


@dsl.pipeline(name="quality")
def pipeline(day: str, tables: List[str] = ["orders", "users"]):
    with dsl.ParallelFor(tables) as table:
        checked = check(day=day, table=table).set_caching_options(False)
        with dsl.If(checked.outputs["ok"] == False):
            alert(table=table, rate=checked.outputs["null_rate"])


@dsl.component
def fire_date(time: str) -> str:
    return time[:10]


@dsl.pipeline(name="quality-nightly")
def nightly():
    pipeline(day=fire_date(time=dsl.PIPELINE_JOB_SCHEDULE_TIME_UTC_PLACEHOLDER).output)


def backfill(start: datetime.date, end: datetime.date):
    while start < end:
        Client().create_run_from_pipeline_func(pipeline, {"day": start.isoformat()})
        start += datetime.timedelta(days=1)


if __name__ == "__main__":
    if sys.argv[1] == "backfill":
        backfill(*map(datetime.date.fromisoformat, sys.argv[2:]))
    else:
        compiler.Compiler().compile(nightly, "nightly.yaml")
        Client().create_recurring_run(
            Client().create_experiment("quality").experiment_id,
            "quality-nightly",
            cron_expression="0 30 4 * * *",
            no_catchup=False,
            pipeline_package_path="nightly.yaml",
        )
