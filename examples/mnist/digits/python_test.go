package digits

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tryTrainer runs the parts of the TensorFlow trainer that need no TensorFlow.
const tryTrainer = `
import sys, types
dsl = types.ModuleType('kfp.dsl')
for name in ('Dataset', 'Metrics', 'Model'):
    setattr(dsl, name, type(name, (), {}))
dsl.Input = dsl.Output = __import__('typing').List
sys.modules['kfp'], sys.modules['kfp.dsl'] = types.ModuleType('kfp'), dsl
source, manifest, model = sys.argv[1:]
module = {}
exec(compile(open(source).read(), source, 'exec'), module)
labels = module['read'](manifest, 'train-labels-idx1-ubyte', 8)
print(list(labels[:12]), len(labels))
dense = lambda rows, columns: ([[0.5] * columns for _ in range(rows)], [0.0] * columns)
module['export']([dense(784, 3), dense(3, 10)], model)
`

// TestTrainTensorFlow has the Python side read what the download wrote, and
// write what the server reads.
func TestTrainTensorFlow(t *testing.T) {
	dir, data := smallData(t)
	model := filepath.Join(t.TempDir(), "new", "model.json")
	try := func() (string, error) {
		b, err := exec.Command("python3", "-c", tryTrainer, "train_tensorflow.py", data.Path(), model).CombinedOutput()
		return strings.TrimSpace(string(b)), err
	}
	if out, err := try(); err != nil || out != "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1] 300" {
		t.Errorf("got %s, %v", out, err)
	}
	if _, err := readModel(model); err != nil {
		t.Error(err)
	}
	if err := os.WriteFile(filepath.Join(dir, trainLabels), make([]byte, 308), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := try(); err == nil || !strings.Contains(out, trainLabels+" in the data volume has changed since the download") {
		t.Errorf("got %s, %v", out, err)
	}
}
