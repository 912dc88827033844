"""Trains on a GPU, with data on a claim of the run's own, from a checkpoint if one is given."""

from hera.workflows import (
    Artifact,
    Container,
    Env,
    Parameter,
    Resources,
    RetryStrategy,
    SecretEnv,
    Steps,
    Volume,
    Workflow,
    models as m,
)

with Workflow(
    generate_name="train-gpu-",
    entrypoint="main",
    arguments=[
        Parameter(name="epochs", value="10"),
        Parameter(name="rate", value="0.001"),
        Artifact(name="checkpoint", optional=True),
    ],
    volumes=[Volume(name="data", size="200Gi", mount_path="/data", storage_class_name="standard")],
) as w:
    train = Container(
        name="train",
        image="ghcr.io/acme/train:1.4",
        command=["sh", "-c", 'test ! -e /tmp/checkpoint || set -- --resume /tmp/checkpoint "$@"; exec "$@"', "train"],
        args=["python", "-m", "acme.train", "--epochs", "{{workflow.parameters.epochs}}", "--lr", "{{workflow.parameters.rate}}"]
        + ["--data", "/data", "--ckpt-dir", "/data/ckpt"]
        + ["--model", "/tmp/model", "--metrics", "/tmp/metrics", "--loss", "/tmp/loss"],
        inputs=[Artifact(name="checkpoint", path="/tmp/checkpoint", optional=True)],
        outputs=[
            Artifact(name="model", path="/tmp/model"),
            Artifact(name="metrics", path="/tmp/metrics", optional=True),
            Parameter(name="loss", value_from=m.ValueFrom(path="/tmp/loss")),
        ],
        env=[
            SecretEnv(name="WANDB_API_KEY", secret_name="wandb", secret_key="key"),
            Env(name="NCCL_DEBUG", value="INFO"),
        ],
        resources=Resources(cpu_limit="8", memory_limit="32Gi", gpus=1),
        node_selector={"cloud.google.com/gke-accelerator": "nvidia-l4"},
        tolerations=[m.Toleration(key="nvidia.com/gpu", operator="Exists", effect="NoSchedule")],
        volume_mounts=[m.VolumeMount(name="data", mount_path="/data")],
        retry_strategy=RetryStrategy(limit="3", backoff=m.Backoff(duration="30s", factor="2", max_duration="10m")),
        active_deadline_seconds=6 * 3600,
    )
    with Steps(name="main"):
        train(arguments=[Artifact(name="checkpoint", from_="{{workflow.artifacts.checkpoint}}", optional=True)])

print(w.to_yaml())
