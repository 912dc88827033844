package vet

import (
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// inputs finds the inputs of a pipeline that nothing reads.
func (v *vetter) inputs(c *program.Component, path string) {
	if c.DAG == nil || v.seen["inputs "+c.Name] {
		return
	}
	v.seen["inputs "+c.Name] = true
	read := map[string]bool{}
	for _, t := range c.DAG.Tasks {
		for _, value := range t.Values() {
			if value.Kind == program.Input {
				read[value.Name] = true
			}
		}
	}
	for _, in := range c.Inputs {
		if !read[in.Name] {
			v.find(Warning, "unused", path, c.Pos, "nothing reads input %s of pipeline %s", in.Name, c.Name)
		}
	}
	if main := v.p.Main == c.Name; main {
		for _, in := range c.Inputs {
			v.literal(path, c.Pos, "the default of input "+in.Name, in.Name, string(in.Default))
		}
	}
}

// outputs finds outputs of a task that nothing reads, where something reads others of
// it: the results of the last steps of a pipeline are for people.
func (v *vetter) outputs(c *program.Component, at string) {
	read := map[string]bool{}
	some := map[string]bool{} // tasks
	use := func(task, output string) { read[task+"\x00"+output], some[task] = true, true }
	for _, t := range c.DAG.Tasks {
		for _, value := range t.Values() {
			if value.Kind == program.Output {
				use(value.Task, value.Name)
			}
		}
	}
	for _, out := range c.DAG.Outputs {
		for _, from := range out.From {
			use(from.Task, from.Output)
		}
	}
	for _, t := range c.DAG.Tasks {
		sub := v.p.Component(t.Component)
		if sub == nil || sub.Exec == nil || sub.Exec.Resource != nil || sub.Exec.Suspend != nil || !some[t.Name] || filepath.Dir(sub.Pos.File) != filepath.Dir(c.Pos.File) {
			continue // a component of another package has outputs for all who use it
		}
		for _, out := range sub.Outputs {
			if !shown(out.Type.Name) && !read[t.Name+"\x00"+out.Name] {
				v.find(Warning, "unused", join(at, t.Name), t.Pos, "nothing reads its output %s, and the pipeline doesn't return it", out.Name)
			}
		}
	}
}

// shown reports whether a type of artifact is for people, in a UI.
func shown(kind string) bool {
	_, kind, _ = strings.Cut(kind, ".")
	switch kind {
	case "Metrics", "ClassificationMetrics", "SlicedClassificationMetrics", "HTML", "Markdown":
		return true
	}
	return false
}

// arguments finds the inputs of a container that its command line doesn't have.
func (v *vetter) arguments(c *program.Component) {
	if c.Exec == nil || c.Exec.Container == nil || v.seen["arguments "+c.Name] {
		return
	}
	v.seen["arguments "+c.Name] = true
	x := c.Exec.Container
	line := x.Image + strings.Join(x.Command, "\n") + strings.Join(x.Args, "\n")
	if strings.Contains(line, contract.ExecutorInput) {
		return
	}
	for _, in := range c.Inputs {
		if !strings.Contains(line, "'"+in.Name+"'") && !strings.Contains(line, `"`+in.Name+`"`) && !strings.HasPrefix(in.Name, contract.EnvInput) && in.Name != contract.EnvDigest {
			v.find(Warning, "unused", "", c.Pos, "nothing of container component %s reads its input %s", c.Name, in.Name)
		}
	}
}
