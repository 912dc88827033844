package calc_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/discover"
	"github.com/kfpgo/kfpgo/internal/graph"
)

// TestCalc runs the three pipelines on this machine: 12 gives 2, 2 and 19.
func TestCalc(t *testing.T) {
	for _, p := range []dsl.Definition{calc.Pipeline, calc.PythonPipeline, calc.ContainerPipeline} {
		t.Run(p.Name(), func(t *testing.T) {
			if err := p.Check(); err != nil {
				t.Fatal(err)
			}
			r := &runner{T: t, Graph: dsl.Graph(p)}
			got := r.run(map[string]float64{"a": 12})
			for name, want := range map[string]float64{"quotient": 2, "remainder": 2, "result": 19} {
				if got[name] != want {
					t.Errorf("%s: got %v, want %v", name, got[name], want)
				}
			}
		})
	}
}

// A runner runs a pipeline of numbers, one task after the other.
type runner struct {
	*testing.T
	*graph.Graph
	prog *discover.Program
	args map[string]float64
	out  map[graph.TaskID]map[string]float64
}

func (r *runner) run(args map[string]float64) map[string]float64 {
	r.args, r.out = args, map[graph.TaskID]map[string]float64{}
	p := r.Graph.Component(1)
	for _, f := range p.Inputs {
		if _, ok := args[f.Name]; !ok {
			var v float64
			json.Unmarshal(f.Default, &v)
			args[f.Name] = v
		}
	}
	for _, t := range r.Tasks {
		in := map[string]float64{}
		for name, id := range t.Args {
			in[name] = r.value(id)
		}
		r.out[t.ID] = r.task(r.Graph.Component(t.Component), in)
	}
	results := map[string]float64{}
	for name, id := range p.Results {
		results[name] = r.value(id)
	}
	return results
}

func (r *runner) value(id graph.ValueID) (n float64) {
	switch v := r.Value(id); v.Kind {
	case graph.Const:
		json.Unmarshal(v.Const, &n)
	case graph.Input:
		n = r.args[v.Name]
	case graph.Output:
		n = r.out[v.Task][v.Name]
	}
	return n
}

func (r *runner) task(c *graph.Component, in map[string]float64) map[string]float64 {
	dir := r.TempDir()
	args, _ := json.Marshal(in)
	switch c.Kind {
	case graph.Func:
		return r.goStep(c, string(args), filepath.Join(dir, "out.json"))
	case graph.Python:
		script := c.Python.Source + "\nimport json, sys\nr = " + c.Python.Function + "(**json.loads(sys.argv[1]))\n" +
			"print(json.dumps(list(r) if isinstance(r, tuple) else [r]))\n"
		var list []float64
		json.Unmarshal(r.command("python3", "-c", script, string(args)), &list)
		out := map[string]float64{}
		for i, f := range c.Outputs {
			out[f.Name] = list[i]
		}
		return out
	}
	fill := func(text string) string {
		for name, v := range in {
			b, _ := json.Marshal(v)
			text = strings.ReplaceAll(text, "{{$.inputs.parameters['"+name+"']}}", string(b))
		}
		for _, f := range c.Outputs {
			text = strings.ReplaceAll(text, "{{$.outputs.parameters['"+f.Name+"'].output_file}}", filepath.Join(dir, f.Name))
			if f.Path != "" {
				text = strings.ReplaceAll(text, f.Path, filepath.Join(dir, f.Name)) // the container's /tmp
			}
		}
		return text
	}
	var argv []string
	for _, a := range append(c.Container.Command, c.Container.Args...) {
		argv = append(argv, fill(a))
	}
	r.command(argv[0], argv[1:]...)
	out := map[string]float64{}
	for _, f := range c.Outputs {
		b, err := os.ReadFile(filepath.Join(dir, f.Name))
		if err != nil {
			r.Fatal(err)
		}
		var n float64
		json.Unmarshal(b, &n)
		out[f.Name] = n
	}
	return out
}

// goStep runs a Go component as its container does.
func (r *runner) goStep(c *graph.Component, args, file string) map[string]float64 {
	if r.prog == nil {
		var err error
		if r.prog, err = discover.BuildIn(r.TempDir(), "../..", "./examples/calc"); err != nil {
			r.Fatal(err)
		}
	}
	r.command(r.prog.File, "kfpgo:exec", c.Name, `{"inputs":{"parameterValues":`+args+`},"outputs":{"outputFile":"`+file+`"}}`)
	b, err := os.ReadFile(file)
	if err != nil {
		r.Fatal(err)
	}
	var x struct{ ParameterValues map[string]float64 }
	json.Unmarshal(b, &x)
	return x.ParameterValues
}

func (r *runner) command(name string, args ...string) []byte {
	if _, err := exec.LookPath(name); err != nil {
		r.Skip(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		r.Fatalf("%s: %v", name, err)
	}
	return out
}
