//go:build slow

package bertpretrain_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	bertpretrain "github.com/kfpgo/kfpgo/examples/bert-pretrain"
	"github.com/kfpgo/kfpgo/local"
)

// python puts a Python with PyTorch in front of PATH: python3, or Debian's.
func python(t *testing.T) {
	for _, dir := range append([]string{""}, "/usr/bin") {
		if exec.Command(filepath.Join(dir, "python3"), "-c", "import torch").Run() != nil {
			continue
		}
		if dir != "" {
			t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
		}
		return
	}
	t.Fatal("no python3 has torch; .ci/run installs Debian's python3-torch")
}

// TestTwoSteps pre-trains a tiny model for two steps, in one process and then in
// two, each with a local rank of torchrun's. A third run learns something.
func TestTwoSteps(t *testing.T) {
	python(t)
	home, zero := t.TempDir(), 0
	folder := filepath.Join(home, "volumes", "bert-data", "语料")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "维基百科.txt"), []byte(strings.Repeat("天地玄黄，宇宙洪荒。\n日月盈昃，辰宿列张。\n", 20)), 0o600); err != nil {
		t.Fatal(err)
	}
	tiny := bertpretrain.In{
		Name:     dsl.Const("小模型"),
		Shape:    bertpretrain.Shape{Layers: dsl.Const(1), Hidden: dsl.Const(32), Heads: dsl.Const(2), Intermediate: dsl.Const(64), Sequence: dsl.Const(16), Dropout: dsl.Const(0.0)},
		Training: bertpretrain.Training{Steps: dsl.Const(2), Batch: dsl.Const(4), Rate: dsl.Const(0.01), Processes: dsl.Const(1)},
	}
	run := func(in bertpretrain.In) (*local.Result[bertpretrain.TrainOut], string) {
		t.Helper()
		r, err := local.Run(t.Context(), bertpretrain.Pipeline, in, local.Options{Home: home, GPUs: &zero, IgnoreGPUs: true})
		if err != nil {
			t.Fatal(err)
		}
		log, err := os.ReadFile(filepath.Join(r.Dir, "tasks", "pretrain", "log.1"))
		if err != nil {
			t.Fatal(err)
		}
		return r, string(log)
	}
	r, log := run(tiny)
	if l := r.Out.Loss.Get(); l <= 0 || l > 10 || r.Out.Device.Get() != "CPU" || !strings.Contains(log, "step 2 of 2: loss ") {
		t.Errorf("loss %v on %s\n%s", l, r.Out.Device.Get(), log)
	}
	for _, file := range []string{"小模型.pt", "vocab.txt", "config.json"} {
		if info, err := os.Stat(filepath.Join(r.Out.Model.Path(), file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	var config struct {
		Name       string
		Vocabulary int
	}
	b, err := os.ReadFile(filepath.Join(r.Out.Model.Path(), "config.json"))
	if err != nil || json.Unmarshal(b, &config) != nil || config.Name != "小模型" || config.Vocabulary != 5+18 {
		t.Errorf("config.json %s, %v", b, err)
	}

	tiny.Processes = dsl.Const(2)
	if _, log = run(tiny); !strings.Contains(log, "rank 0 of 2, local rank 0, on CPU") || !strings.Contains(log, "rank 1 of 2, local rank 1, on CPU") {
		t.Errorf("two processes:\n%s", log)
	}

	tiny.Processes, tiny.Steps, tiny.Name = dsl.Const(1), dsl.Const(300), dsl.Const("больше")
	tiny.Batch, tiny.Warmup = dsl.Const(16), dsl.Const(10)
	if r, log = run(tiny); r.Out.Loss.Get() > 2.5 { // ln(18) is 2.9: what guessing has
		t.Errorf("after 300 steps the loss is %v\n%s", r.Out.Loss.Get(), log)
	}
}

// TestCheckpoint ends a training with its process, and has another go on.
func TestCheckpoint(t *testing.T) {
	python(t)
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/текст.txt", []byte(strings.Repeat("слово за слово\n", 50)), 0o600); err != nil {
		t.Fatal(err)
	}
	train := exec.Command("python3", "worker/worker.py", "--corpus="+dir+"/текст.txt", "--name=м", "--model="+dir, "--checkpoints="+dir+"/c",
		"--steps=400", "--save-every=20", "--layers=1", "--hidden=16", "--heads=2", "--intermediate=16", "--sequence=16", "--batch=2")
	again := exec.Command(train.Args[0], train.Args[1:]...)
	if err := train.Start(); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(dir + "/c/м.pt"); err == nil {
			break
		}
		time.Sleep(5 * time.Millisecond)
	}
	train.Process.Kill()
	if err := train.Wait(); err == nil {
		t.Fatal("the training ended before it could be stopped")
	}
	if b, err := again.CombinedOutput(); err != nil || !strings.Contains(string(b), "goes on at step ") || !strings.Contains(string(b), "step 400 of 400") {
		t.Errorf("%v\n%s", err, b)
	}
	if _, err := os.Stat(dir + "/c/м.pt"); err == nil {
		t.Error("the checkpoint is there after the end")
	}
}
