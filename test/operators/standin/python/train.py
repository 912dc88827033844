"""What the image of examples/eci-imagenet does here in place of a training."""
import subprocess
import sys

gpu = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv"], capture_output=True, text=True, check=True).stdout
with open("/data/trained", "w") as f:
    f.write("ok")
print("trained on", gpu.split(", ")[1], "with", " ".join(sys.argv[1:]))
