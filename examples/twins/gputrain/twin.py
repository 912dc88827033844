"""Trains on a GPU, with data on a claim of the run's own, from a checkpoint if one is given."""

from typing import NamedTuple, Optional

from kfp import dsl, kubernetes
from kfp.dsl import Input, Metrics, Model, Output


@dsl.container_component
def train(
    model: Output[Model],
    metrics: Output[Metrics],
    loss: dsl.OutputPath(float),
    epochs: int = 10,
    rate: float = 0.001,
    checkpoint: Optional[Input[Model]] = None,
):
    return dsl.ContainerSpec(
        image="ghcr.io/acme/train:1.4",
        command=["python", "-m", "acme.train"],
        args=["--epochs", epochs, "--lr", rate, "--data", "/data", "--ckpt-dir", "/data/ckpt"]
        + [dsl.IfPresentPlaceholder("checkpoint", ["--resume", checkpoint.path])]
        + ["--model", model.path, "--metrics", metrics.path, "--loss", loss],
    )


@dsl.pipeline(name="train-gpu")
def pipeline(
    epochs: int = 10, rate: float = 0.001, checkpoint: Optional[Input[Model]] = None
) -> NamedTuple("Out", [("model", Model), ("metrics", Metrics), ("loss", float)]):
    claim = kubernetes.CreatePVC(
        pvc_name_suffix="-data", access_modes=["ReadWriteOnce"], size="200Gi", storage_class_name="standard"
    ).set_caching_options(False)
    task = train(epochs=epochs, rate=rate, checkpoint=checkpoint)
    task.set_accelerator_type("nvidia.com/gpu").set_accelerator_limit(1)
    task.set_cpu_limit("8").set_memory_limit("32Gi").set_env_variable("NCCL_DEBUG", "INFO")
    task.set_retry(3, backoff_duration="30s", backoff_factor=2, backoff_max_duration="600s")
    kubernetes.add_node_selector(task, "cloud.google.com/gke-accelerator", "nvidia-l4")
    kubernetes.add_toleration(task, key="nvidia.com/gpu", operator="Exists", effect="NoSchedule")
    kubernetes.mount_pvc(task, claim.outputs["name"], "/data")
    kubernetes.use_secret_as_env(task, "wandb", {"key": "WANDB_API_KEY"})
    kubernetes.set_timeout(task, 6 * 3600)
    kubernetes.DeletePVC(pvc_name=claim.outputs["name"]).set_caching_options(False).after(task)
    out = NamedTuple("Out", [("model", Model), ("metrics", Metrics), ("loss", float)])
    return out(task.outputs["model"], task.outputs["metrics"], task.outputs["loss"])
