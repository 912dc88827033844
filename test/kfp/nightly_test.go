package kfp

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
)

// older is what servers of 2.0 can't run of mnist, and what the copy has in its place.
var older = [][2]string{
	{"Report.Call(s, ReportIn{Status: status, Day: in.Day})", ""}, // exit tasks that read how the run has ended
	{`	k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: "Exists", Effect: "NoSchedule"}),`, ""},
	{"	trained := dsl.ParallelFor(", "	in.Epochs, in.Rate = dsl.Const(1), dsl.Const(0.2)\n	one := train.Call(s, in, opts...).Out\n\treturn PickOut{Model: one.Model, Accuracy: one.Accuracy}\n}\n\nfunc collected(s *dsl.Scope, train *dsl.Component[TrainIn, TrainOut], configs dsl.Param[[]Config], in TrainIn, opts ...dsl.Option) PickOut {\n	trained := dsl.ParallelFor("}, // what loops collect
	{"ShuffleLabels: in.ShuffleLabels}, mount)", "ShuffleLabels: in.ShuffleLabels}, mount, dsl.Retry(0))"},
	{"dsl.OneOf(s, dsl.Eq(in.Trainer, \"tensorflow\"), func(s *dsl.Scope) PickOut {\n\t\treturn sweep(s, TrainTensorFlow, in.Sweep, train, gpu, mount)\n\t}).Else(", "func(train func(*dsl.Scope) PickOut) PickOut { _ = gpu; return train(s) }("}, // outputs of branches
}

// forOlder copies the examples mnist and nightly to where the module's packages can be
// imported, without what is older's. It returns where they are, from the root.
func forOlder(t *testing.T) string {
	t.Helper()
	const root = "../.."
	no(t, os.MkdirAll(root+"/out", 0o755))
	dir, err := os.MkdirTemp(root+"/out", "nightly")
	no(t, err)
	t.Cleanup(func() { os.RemoveAll(dir) })
	to := "out/" + filepath.Base(dir)
	for _, name := range []string{"mnist", "mnist/digits", "nightly"} {
		no(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
		files, err := os.ReadDir(filepath.Join(root, "examples", name))
		no(t, err)
		for _, f := range files {
			if f.IsDir() || strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			b, err := os.ReadFile(filepath.Join(root, "examples", name, f.Name()))
			no(t, err)
			text := strings.ReplaceAll(string(b), "kfpgo/examples/mnist", "kfpgo/"+to+"/mnist")
			if f.Name() == "pipeline.go" {
				for _, o := range older {
					if !strings.Contains(text, o[0]) {
						t.Fatalf("pipeline.go has no %s", o[0])
					}
					text = strings.Replace(text, o[0], o[1], 1)
				}
			}
			no(t, os.WriteFile(filepath.Join(dir, name, f.Name()), []byte(text), 0o644))
		}
	}
	return "./" + to
}

// nightly builds the program of examples/nightly, or of a copy of it.
func (c *command) nightly(from string) string {
	c.t.Helper()
	program := filepath.Join(c.t.TempDir(), "nightly")
	build := exec.Command("go", "build", "-o", program, from+"/nightly")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		c.t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// TestNightly: the program in examples/nightly, and then the command, start MNIST and
// make it nightly. The command finds the program's schedule as it should be.
func TestNightly(t *testing.T) {
	ctx, c, cmd := t.Context(), connect(t, kfp.Config{}), newCommand(t)
	cmd.env = append(cmd.env, "KFPGO_IMAGE=registry.local/mnist:1")
	if err := c.DeleteSchedule(ctx, "mnist"); err != nil && client.CodeOf(err) != client.NotFound {
		t.Fatal(err) // of a test that was broken off
	}
	from := "./examples"
	if os.Getenv("KFP") == "" {
		from = refusesNightly(t, c, cmd)
	}
	program := cmd.nightly(from)
	var runs []string
	for _, want := range []string{"was created", "was unchanged"} {
		start := exec.Command(program)
		start.Env = cmd.env
		out, err := start.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "schedule mnist "+want) {
			t.Fatalf("%v\n%s", err, out)
		}
		runs = append(runs, strings.Fields(string(out))[1])
	}
	dir, err := filepath.Abs("../..")
	no(t, err)
	cmd.dir = dir
	byCommand := cmd.run("run " + from + "/mnist --on kfp")
	cmd.has(cmd.run("schedule apply "+from+"/nightly --on kfp"), "unchanged")
	s, err := c.Schedule(ctx, "mnist")
	no(t, err)
	if s.When.Cron != "0 3 * * *" || s.Paused || s.Pipeline != "mnist" || !slices.Equal(s.FireTime, []string{"day"}) {
		t.Errorf("%+v", s)
	}
	r, err := c.Get(ctx, byCommand)
	no(t, err)
	if r.Pipeline != "mnist" {
		t.Errorf("%+v", r)
	}
	no(t, c.Terminate(ctx, r.ID))
	for _, name := range runs {
		p, err := c.List(ctx, client.ListOptions{Name: name})
		no(t, err)
		for _, r := range p.Runs {
			if r.Pipeline != "mnist" {
				t.Errorf("%+v", r)
			}
			no(t, c.Terminate(ctx, r.ID))
		}
	}
	no(t, c.DeleteSchedule(ctx, "mnist"))
}

// refusesNightly: as it is, KFP 2.0.5 reports that it can't run it, and holds nothing of
// it. It returns where there is a copy that it can run.
func refusesNightly(t *testing.T, c *kfp.Client, cmd *command) string {
	ctx := t.Context()
	before, err := c.List(ctx, client.ListOptions{Size: 1})
	no(t, err)
	start := exec.Command(cmd.nightly("./examples"))
	start.Env = cmd.env
	out, err := start.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "pipeline.go:41: pipeline mnist: task report: KFP 2.0 has no final status; it came with 2.14") {
		t.Errorf("%v\n%s", err, out)
	}
	if after, err := c.List(ctx, client.ListOptions{Size: 1}); err != nil || after.Total != before.Total {
		t.Errorf("there were %d runs, and now %+v, %v", before.Total, after, err)
	}
	return forOlder(t)
}
