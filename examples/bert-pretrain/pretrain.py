import json
import os
import subprocess
import sys
import tempfile
from typing import NamedTuple

from kfp.dsl import Dataset, EmbeddedInput, Metrics, Model, Output


def pretrain(
    corpus: str, name: str,
    layers: int, hidden: int, heads: int, intermediate: int, sequence: int, vocabulary: int, dropout: float,
    steps: int, batch: int, rate: float, warmup: int, weight_decay: float, masked: float, save_every: int, seed: int, processes: int,
    script: EmbeddedInput[Dataset], model: Output[Model], metrics: Output[Metrics],
) -> NamedTuple("Out", [("loss", float), ("device", str)]):
    try:
        import torch
    except ImportError:
        raise SystemExit("%s has no torch: on this machine run it in an environment with PyTorch" % sys.executable)
    if hidden % heads:
        raise SystemExit("hidden is %d, which can't be shared by %d heads" % (hidden, heads))
    if not name or "/" in name or name.startswith("."):
        raise SystemExit("name is %r: files are called by it, so it has no / and no . in front" % name)

    text = local(corpus)
    if not os.path.isfile(text):
        raise SystemExit("corpus %s: there is no such file on the volume" % corpus)
    options = {
        "corpus": text, "name": name, "model": model.path, "checkpoints": os.path.join(os.path.dirname(text), "checkpoints"),
        "layers": layers, "hidden": hidden, "heads": heads, "intermediate": intermediate, "sequence": sequence,
        "vocabulary": vocabulary, "dropout": dropout, "steps": steps, "batch": batch, "rate": rate, "warmup": warmup,
        "weight-decay": weight_decay, "masked": masked, "save-every": save_every, "seed": seed,
    }
    os.makedirs(model.path, exist_ok=True)
    count = torch.cuda.device_count() or processes
    with tempfile.TemporaryDirectory() as logs:  # torchrun copies what processes print to files, so that it can say which of them did
        code = subprocess.run(
            [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc_per_node", str(count), "--redirects", "1", "--tee", "1", "--log_dir", logs]
            + [os.path.join(script.path, "worker.py")] + ["--%s=%s" % option for option in options.items()],
            env=dict(os.environ, PYTHONUTF8="1", OMP_NUM_THREADS=os.environ.get("OMP_NUM_THREADS", "1")),
        ).returncode
    if code:
        raise SystemExit("the training ended with %d; its log has the reason" % code)
    with open(os.path.join(model.path, "result.json"), encoding="utf-8") as f:
        result = json.load(f)
    for key in ("steps", "first_loss", "last_loss", "characters_per_second", "processes"):
        metrics.log_metric(key, result[key])
    model.metadata["name"] = name
    model.metadata["framework"] = "PyTorch " + torch.__version__
    return (result["last_loss"], result["device"])


def local(path):
    """Returns where a path of the volume is. In a run on this machine a volume is a folder somewhere else."""
    for mounted, folder in json.loads(os.environ.get("KFPGO_MOUNTS", "{}")).items():
        if path == mounted or path.startswith(mounted + "/"):
            return folder + path[len(mounted):]
    return path
