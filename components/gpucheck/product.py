import subprocess
import threading
import time
from typing import NamedTuple

from kfp.dsl import Metrics, Output


def product(
    framework: str, size: int, repeats: int, dtype: str, min_devices: int, min_tflops: float, metrics: Output[Metrics],
) -> NamedTuple("Out", [("framework", str), ("cuda", str), ("devices", list)]):
    name, version, cuda, devices, multiply = library(framework, size, dtype)
    print("%s %s, built for CUDA %s; %s" % (name, version, cuda or "none", ", ".join(n for _, n in devices) or "no GPU"), flush=True)
    gpus = len(devices)
    wrong = []
    if gpus < min_devices:
        why = " (%s is a build without CUDA)" % name if not cuda else ""
        wrong.append("%s sees %d GPUs and %d are needed%s; what nvidia-smi says: %s" % (name, gpus, min_devices, why, "; ".join(driver()) or "there is none"))
    report = []
    for index, device in devices or [(None, "CPU")]:
        multiply(index)  # the first loads libraries and clocks up
        with Samples(index) as samples:
            began = time.perf_counter()
            for _ in range(repeats):
                multiply(index)
            took = (time.perf_counter() - began) / repeats
        tflops = 2 * size**3 / took / 1e12
        report.append(dict({"index": -1 if index is None else index, "name": device, "ms": round(took * 1000, 3), "tflops": round(tflops, 3)}, **samples.result()))
        label = "cpu" if index is None else "gpu%d" % index
        for key, value in sorted(report[-1].items()):
            if key not in ("index", "name"):
                metrics.log_metric("%s_%s" % (label, key), value)
        print("%s, %s: %d x %d %s in %.2f ms, %.3f TFLOPS" % (label, device, size, size, dtype, took * 1000, tflops), flush=True)
        if tflops < min_tflops:
            wrong.append("%s, %s, comes to %.3f TFLOPS and %g are needed" % (label, device, tflops, min_tflops))
    metrics.log_metric("devices", gpus)
    if wrong:
        raise SystemExit("; ".join(wrong))
    return ("%s==%s" % (name, version), cuda, report)


def library(framework, size, dtype):
    """Returns the first library that is there: its name, version and CUDA, the GPUs, and a product on one of them."""
    wanted = [framework] if framework else ["torch", "tensorflow", "cupy"]
    missing = []
    for name in wanted:
        try:
            return {"torch": torch, "tensorflow": tensorflow, "cupy": cupy}[name](size, dtype)
        except KeyError:
            raise SystemExit("framework %s is not one of torch, tensorflow and cupy" % name)
        except ImportError as e:
            missing.append("%s: %s" % (name, e))
    raise SystemExit("the product is timed by %s, and the image has no such (%s); there is no program in CUDA that would do without: "
                     "give the task dsl.Image with a framework" % (" or ".join(wanted), "; ".join(missing)))


def torch(size, dtype):
    import torch

    def multiply(index):
        key = -1 if index is None else index
        if key not in kept:
            at = "cpu" if index is None else "cuda:%d" % index
            kept[key] = [torch.rand((size, size), device=at).to(getattr(torch, dtype)) for _ in range(2)]
        torch.matmul(*kept[key])
        if index is not None:
            torch.cuda.synchronize(index)

    kept = {}
    devices = [(i, torch.cuda.get_device_name(i)) for i in range(torch.cuda.device_count() if torch.cuda.is_available() else 0)]
    return "torch", torch.__version__, torch.version.cuda or "", devices, multiply


def tensorflow(size, dtype):
    import tensorflow as tf

    def multiply(index):
        with tf.device("/CPU:0" if index is None else "/GPU:%d" % index):
            key = -1 if index is None else index
            if key not in kept:
                kept[key] = [tf.cast(tf.random.uniform((size, size)), dtype) for _ in range(2)]
            tf.reduce_max(tf.matmul(*kept[key])).numpy()  # waits for it

    kept = {}
    gpus = tf.config.list_physical_devices("GPU")
    devices = [(i, tf.config.experimental.get_device_details(g).get("device_name", g.name)) for i, g in enumerate(gpus)]
    return "tensorflow", tf.__version__, tf.sysconfig.get_build_info().get("cuda_version", "") or "", devices, multiply


def cupy(size, dtype):
    import cupy

    def multiply(index):
        if index is None:
            raise SystemExit("cupy works on GPUs only, and there is none")
        with cupy.cuda.Device(index) as device:
            if index not in kept:
                kept[index] = [cupy.random.rand(size, size).astype(dtype) for _ in range(2)]
            cupy.matmul(*kept[index])
            device.synchronize()

    kept = {}
    number = cupy.cuda.runtime.runtimeGetVersion()
    devices = [(i, cupy.cuda.runtime.getDeviceProperties(i)["name"].decode()) for i in range(cupy.cuda.runtime.getDeviceCount())]
    return "cupy", cupy.__version__, "%d.%d" % (number // 1000, number % 1000 // 10), devices, multiply


def smi(query):
    """Returns what nvidia-smi says, a list for each device, or nothing where there is none."""
    try:
        text = subprocess.run(["nvidia-smi", "--query-gpu=" + query, "--format=csv,noheader,nounits"], stdout=subprocess.PIPE, timeout=60, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [[f.strip() for f in line.split(",")] for line in text.decode().splitlines() if "," in line]


def driver():
    return ["%s, driver %s" % (row[0], row[1]) for row in smi("name,driver_version")]


class Samples:
    """Looks at the use and the memory of a device every half second, while it works."""

    def __init__(self, index):
        self.index, self.use, self.used, self.done = index, [], [], threading.Event()

    def __enter__(self):
        self.thread = threading.Thread(target=self.run, daemon=True)
        if self.index is not None:
            self.thread.start()
        return self

    def __exit__(self, *_):
        self.done.set()
        if self.index is not None:
            self.thread.join()

    def run(self):
        while True:
            for row in smi("index,utilization.gpu,memory.used"):
                if row[0] == str(self.index):
                    for values, text in ((self.use, row[1]), (self.used, row[2])):
                        try:
                            values.append(float(text))
                        except ValueError:
                            pass  # [N/A]: a part of a GPU says nothing
            if self.done.wait(0.5):
                return

    def result(self):
        found = {}
        if self.use:
            found.update(use_percent_max=max(self.use), use_percent_mean=round(sum(self.use) / len(self.use), 1))
        if self.used:
            found.update(used_mib_max=max(self.used))
        if self.use or self.used:
            found.update(samples=max(len(self.use), len(self.used)))
        return found
