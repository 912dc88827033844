package operators

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	eciimagenet "github.com/kfpgo/kfpgo/examples/eci-imagenet"
	gpupod "github.com/kfpgo/kfpgo/examples/gpu-pod"
	"github.com/kfpgo/kfpgo/test/operators/suite"
)

func eciIn() eciimagenet.In { return eciimagenet.In{Epochs: dsl.Const(3)} }

// gpuTrain really trains, with TensorFlow, what can be learned in a moment.
const gpuTrain = `import argparse, json, subprocess
import mirrored
p = argparse.ArgumentParser()
p.add_argument("--epochs", type=int)
a = p.parse_args()
import numpy as np, tensorflow as tf
tf.keras.utils.set_random_seed(1)
x = np.random.rand(256, 3).astype("float32")
y = x @ np.array([[1.0], [2.0], [3.0]], "float32")
m = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
m.compile(tf.keras.optimizers.Adam(0.05), "mse")
losses = m.fit(x, y, epochs=a.epochs, verbose=0).history["loss"]
gpu = subprocess.run(["nvidia-smi", "--query-gpu=name", "--format=csv"], capture_output=True, text=True, check=True).stdout.split(", ")[1]
with open("/data/result.json", "w") as f:
    json.dump({"epochs": len(losses), "learned": losses[-1] < losses[0] / 2, "mirrored": mirrored.VERSION, "tensorflow": tf.__version__, "gpu": gpu}, f)
print("losses", losses)
`

func TestGPUPod(t *testing.T) {
	ready(t)
	dir := fillClaim(t, "training-data", map[string]string{"train.py": gpuTrain, "requirements.txt": "mirrored==1.2\n"})
	r := ended(t, start(t, suite.GPUPod, gpupod.In{Epochs: dsl.Const(12), Mirror: dsl.Const("http://mirror.mirror/simple")}), patience)
	const want = `{"epochs":12,"gpu":"Tesla T4","learned":true,"mirrored":"1.2","tensorflow":"2.16.1"}`
	l := line{system: "GPU pod on a claim (examples/gpu-pod)", applied: "Pod " + r.output("name"), ran: r.ran(t, "train-"), want: "SUCCEEDED " + want}
	l.result = string(r.State) + " " + canonical(read(t, filepath.Join(dir, "result.json")))
	l.cleaned = deleted(t, "v1", "Pod", r.output("name"))
	tell(t, l, why(r))
}

// wheel is the package mirrored 1.2.
func wheel() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	record := ""
	for _, f := range [][2]string{
		{"mirrored.py", "VERSION = '1.2'\n"},
		{"mirrored-1.2.dist-info/METADATA", "Metadata-Version: 2.1\nName: mirrored\nVersion: 1.2\n"},
		{"mirrored-1.2.dist-info/WHEEL", "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"},
	} {
		sum := sha256.Sum256([]byte(f[1]))
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f[0], strings.TrimRight(base64.URLEncoding.EncodeToString(sum[:]), "="), len(f[1]))
		w, _ := z.Create(f[0])
		w.Write([]byte(f[1]))
	}
	w, _ := z.Create("mirrored-1.2.dist-info/RECORD")
	w.Write([]byte(record + "mirrored-1.2.dist-info/RECORD,,\n"))
	z.Close()
	return b.Bytes()
}

// mirror is an index of packages with one in it.
func mirror(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case "/simple/mirrored/":
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, `<a href="/files/mirrored-1.2-py3-none-any.whl">mirrored-1.2-py3-none-any.whl</a>`)
	case "/files/mirrored-1.2-py3-none-any.whl":
		w.Write(wheel())
	default:
		http.NotFound(w, r)
	}
}
