package random

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/random"
)

var (
	programs = flag.Int("programs", 150, "how many pipelines to make")
	first    = flag.Uint64("seed", 1, "of the first pipeline")
	show     = flag.Bool("show", false, "print the Workflow of a pipeline that fails")
)

// A result is what a run came to.
type result struct {
	state   string
	message string
	outputs map[string]string
	steps   []string
}

func TestRandom(t *testing.T) {
	tasks := 0
	for seed := *first; seed < *first+uint64(*programs); seed++ {
		risky := seed%10 == 0
		d, args := random.Program(seed, random.Kind{Steps: 12, Risky: risky})
		p := lowered(t, seed, d)
		w := workflow(t, seed, p, args)
		if w == nil {
			continue
		}
		here := local(t, p, d, args)
		tasks += len(here.steps)
		for _, version := range []int{3, 4} {
			there := onArgo(t, p, d, w, version)
			if diff := difference(here, there, risky); diff != "" {
				t.Errorf("seed %d, Argo %d: %s", seed, version, diff)
				if *show {
					b, _ := yaml.Marshal(w)
					t.Logf("args %s\n%s", mustJSON(args), b)
				}
				break
			}
		}
	}
	t.Logf("%d pipelines, %d steps ran in them", *programs, tasks)
}

func mustJSON(v any) string { j, _ := json.Marshal(v); return string(j) }

func lowered(t *testing.T, seed uint64, d dsl.Definition) *program.Program {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	g := recorded.Graph(d)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return p
}

func workflow(t *testing.T, seed uint64, p *program.Program, args map[string]json.RawMessage) *wfv1.Workflow {
	b, err := argo.Write(p, argo.Options{Image: "example.com/app:1", Args: args})
	if err != nil {
		t.Errorf("seed %d: %v", seed, err)
		return nil
	}
	var w wfv1.Workflow
	if err := yaml.UnmarshalStrict(b, &w); err != nil {
		t.Fatalf("seed %d: %v", seed, err)
	}
	return &w
}

func local(t *testing.T, p *program.Program, d dsl.Definition, args map[string]json.RawMessage) result {
	t.Helper()
	none := 0
	random.Steps()
	r, err := engine.Run(t.Context(), p, engine.Options{Home: t.TempDir(), Params: args, InProcess: recorded.InProcess(d), NoCache: true, GPUs: &none})
	res := result{steps: random.Steps(), outputs: map[string]string{}}
	if r == nil {
		res.message = fmt.Sprint(err)
		return res
	}
	res.state, res.message = string(r.State), r.Error
	if *show {
		for _, task := range r.Tasks {
			t.Logf("%s %s %s %s", task.Path, task.State, task.Reason, task.Error)
		}
	}
	for name, v := range r.Outputs {
		res.outputs[name] = canonical(v)
	}
	return res
}

func onArgo(t *testing.T, p *program.Program, d dsl.Definition, w *wfv1.Workflow, version int) result {
	random.Steps()
	c := controller(version, recorded.InProcess(d))
	n, err := c.Run(w.DeepCopy())
	res := result{steps: random.Steps(), message: n.Message, outputs: map[string]string{}}
	switch {
	case err != nil:
		res.state, res.message = "Error", err.Error()
	case c.Exit != nil && c.Exit.Phase != wfv1.NodeSucceeded:
		res.state, res.message = string(c.Exit.Phase), "exit handler: "+c.Exit.Message
	case n.Phase == wfv1.NodeSucceeded:
		res.state = "SUCCEEDED"
	case n.Phase == wfv1.NodeFailed:
		res.state = "FAILED"
	}
	given := n.Params()
	for _, out := range p.Component(p.Main).Outputs {
		if text := given[out.Name]; text != "null" && res.state == "SUCCEEDED" {
			res.outputs[out.Name] = canonical(json.RawMessage(text))
		}
	}
	return res
}

// difference says how two results differ. After a failure what else still ran is a
// matter of time, so that of a run that fails the end and the exit handler count.
func difference(here, there result, risky bool) string {
	if here.state != there.state {
		return fmt.Sprintf("%s here (%s), %s there (%s)", here.state, here.message, there.state, there.message)
	}
	if here.state != "SUCCEEDED" {
		// A step that needs what nothing has made fails, on both sides.
		if !risky && !strings.Contains(here.message, "its task did not run") {
			return "both fail: " + here.message + " | " + there.message
		}
		isReport := func(s string) bool { return !strings.HasPrefix(s, "report ") }
		here.steps, there.steps = slices.DeleteFunc(here.steps, isReport), slices.DeleteFunc(there.steps, isReport)
		here.outputs, there.outputs = nil, nil
	}
	var all []string
	for _, name := range slices.Sorted(keys(here.outputs, there.outputs)) {
		if a, b := here.outputs[name], there.outputs[name]; a != b {
			all = append(all, fmt.Sprintf("output %s: %s here, %s there", name, a, b))
		}
	}
	if !slices.Equal(here.steps, there.steps) {
		for _, s := range here.steps {
			if !slices.Contains(there.steps, s) {
				all = append(all, "only here: "+s)
			}
		}
		for _, s := range there.steps {
			if !slices.Contains(here.steps, s) {
				all = append(all, "only there: "+s)
			}
		}
		if all == nil {
			all = append(all, fmt.Sprintf("%d steps here, %d there", len(here.steps), len(there.steps)))
		}
	}
	return strings.Join(all, "\n  ")
}

func keys(ms ...map[string]string) func(func(string) bool) {
	all := map[string]bool{}
	for _, m := range ms {
		for k := range m {
			all[k] = true
		}
	}
	return func(yield func(string) bool) {
		for k := range all {
			if !yield(k) {
				return
			}
		}
	}
}

// canonical returns JSON in which equal values are equal texts: integers keep their
// digits, and other numbers are doubles.
func canonical(j json.RawMessage) string {
	d := json.NewDecoder(strings.NewReader(string(j)))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "not JSON: " + string(j)
	}
	var plain func(v any) any
	plain = func(v any) any {
		switch v := v.(type) {
		case json.Number:
			if _, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
				return v
			}
			f, _ := v.Float64()
			return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
		case []any:
			for i := range v {
				v[i] = plain(v[i])
			}
		case map[string]any:
			for k := range v {
				v[k] = plain(v[k])
			}
		}
		return v
	}
	return mustJSON(plain(v))
}
