package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
)

// A measured is all that the page shows.
type measured struct {
	rows []row

	tasks          int  // of the runs on this machine
	run, pythonRun cost // of all tasks

	step, pythonStep cost // one step, as its container would start it
	image            int64

	machine  string
	versions []string
}

// measure times runs and steps, with functions in both languages.
func (c *comparison) measure(rows []row) (m *measured, err error) {
	m = &measured{rows: rows, tasks: 10}
	if err := c.write("local/local.go", fmt.Sprintf(goFunctions, m.tasks)); err != nil {
		return nil, err
	}
	run := c.cmd(c.kfpgo, "run", "./local", "--no-cache")
	if m.run, err = c.quickest(min(c.times, 3), run); err != nil {
		return nil, err
	}
	tar := filepath.Join(c.dir, "image.tar")
	if err := c.call(c.dir, c.kfpgo, "build", "./local", "--tar", tar); err != nil {
		return nil, err
	}
	info, err := os.Stat(tar)
	if err != nil {
		return nil, err
	}
	m.image = info.Size()

	// The program of the package, as it would be in the image.
	program := filepath.Join(c.dir, "local.program")
	if err := c.write("step/main.go", stepProgram(m.tasks)); err != nil {
		return nil, err
	}
	if err := c.call(c.dir, "go", "build", "-o", program, "./step"); err != nil {
		return nil, err
	}
	if m.step, err = c.quickest(c.times, c.cmd(program, contract.Exec, "add", c.input("go"))); err != nil {
		return nil, err
	}
	if err := c.pythonSteps(m); err != nil {
		return nil, err
	}
	m.describe(c)
	return m, nil
}

// pythonSteps does the same with KFP's SDK.
func (c *comparison) pythonSteps(m *measured) (err error) {
	if c.python == "" {
		return nil
	}
	if err := c.write("local.py", fmt.Sprintf(pyFunctions, m.tasks)); err != nil {
		return err
	}
	if m.pythonRun, err = c.quickest(1, c.cmd(c.python, "local.py")); err != nil {
		return err
	}
	if err := c.write("component.py", pyComponent); err != nil {
		return err
	}
	m.pythonStep, err = c.quickest(c.times, c.cmd(c.python, "-m", "kfp.dsl.executor_main",
		"--component_module_path", "component.py", "--function_to_execute", "add", "--executor_input", c.input("python")))
	return err
}

// input is KFP's executor input of one step.
func (c *comparison) input(name string) string {
	at := filepath.Join(c.dir, "outputs", name)
	b, _ := json.Marshal(map[string]any{
		"inputs":  map[string]any{"parameterValues": map[string]any{"a": 1, "b": 2}},
		"outputs": map[string]any{"parameters": map[string]any{"Output": map[string]any{"outputFile": at + ".txt"}}, "outputFile": at + ".json"},
	})
	return string(b)
}

// describe records the machine and the versions.
func (m *measured) describe(c *comparison) {
	m.machine = fmt.Sprintf("%s/%s, %d cores", runtime.GOOS, runtime.GOARCH, runtime.NumCPU())
	if b, err := os.ReadFile("/proc/cpuinfo"); err == nil {
		for _, line := range strings.Split(string(b), "\n") {
			if name, ok := strings.CutPrefix(line, "model name"); ok {
				m.machine += ", " + strings.TrimSpace(strings.TrimLeft(name, "\t :"))
				break
			}
		}
	}
	if b, err := os.ReadFile("/proc/loadavg"); err == nil {
		m.machine += "; load when it was measured " + strings.Fields(string(b))[0]
	}
	m.versions = append(m.versions, runtime.Version())
	for _, module := range []string{"kfp", "hera"} {
		if c.python == "" {
			break
		}
		out, err := exec.Command(c.python, "-c", "import importlib.metadata as m; print('"+module+"', m.version('"+module+"'))").Output()
		if err == nil {
			m.versions = append(m.versions, strings.TrimSpace(string(out)))
		}
	}
	if c.python != "" {
		if out, err := exec.Command(c.python, "--version").Output(); err == nil {
			m.versions = append(m.versions, strings.TrimSpace(string(out)))
		}
	}
}

const goFunctions = `package local

import (
	"context"

	"github.com/kfpgo/kfpgo/dsl"
)

type AddIn struct{ A, B dsl.Param[float64] }

type AddOut struct {
	Sum dsl.Param[float64] ` + "`kfp:\"Output\"`" + `
}

var Add = dsl.Func("add", func(_ context.Context, in AddIn, out *AddOut) error {
	out.Sum.Set(in.A.Get() + in.B.Get())
	return nil
})

var Pipeline = dsl.Pipeline("local", func(s *dsl.Scope, _ dsl.None) AddOut {
	last := dsl.Const(0.5)
	for range %d {
		last = Add.Call(s, AddIn{A: last, B: dsl.Const(1.5)}).Out.Sum
	}
	return AddOut{Sum: last}
})
`

const pyComponent = `from kfp import dsl


def add(a: float, b: float) -> float:
    return a + b
`

const pyFunctions = `from kfp import dsl, local

local.init(runner=local.SubprocessRunner(use_venv=False))


@dsl.component
def add(a: float, b: float) -> float:
    return a + b


@dsl.pipeline(name='local')
def chain() -> float:
    last = add(a=0.5, b=1.5).output
    for _ in range(%d - 1):
        last = add(a=last, b=1.5).output
    return last


assert chain().output == 0.5 + 1.5 * 10
`

const heraPipeline = `import sys

from hera.workflows import DAG, Container, Parameter, Task, Workflow
from hera.workflows.models import ValueFrom

with Workflow(generate_name='chain-', entrypoint='chain', arguments=[Parameter(name='a')]) as w:
    add = Container(name='add', image='busybox:1.36', command=['/add'],
                    args=['{{inputs.parameters.a}}', '{{inputs.parameters.b}}', '/tmp/sum'],
                    inputs=[Parameter(name='a'), Parameter(name='b')],
                    outputs=[Parameter(name='sum', value_from=ValueFrom(path='/tmp/sum'))])
    with DAG(name='chain'):
        last = '{{workflow.parameters.a}}'
        before = None
        for i in range(%d):
            task = Task(name='add-%%d' %% i, template=add, arguments={'a': last, 'b': i + 0.5})
            if before:
                before >> task
            before, last = task, '{{tasks.add-%%d.outputs.parameters.sum}}' %% i

with open(sys.argv[1], 'w') as f:
    f.write(w.to_yaml())
`
