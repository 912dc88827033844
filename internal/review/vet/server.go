package vet

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// unheeded are features that the IR holds and KFP's servers do nothing about.
var unheeded = map[string]string{
	"pod-affinity":   "run the tasks where they should, with k8s.NodeAffinity or k8s.NodeSelector",
	"retry.pipeline": "set it on the tasks inside",
	"retry.group":    "set it on the tasks inside",

	"each.placeholder": "the steps get it as a string; take it out of the items, and pass what the run knows as an input of the task",
	"run.unknown":      "the steps get it as a string; write one that they replace, such as pipeline_job_uuid for the ID of the run",
	"field.unknown":    "take it out of the file, which they may refuse for it",
	"shared-memory":    `mount k8s.EmptyDir("shm", "/dev/shm", k8s.InMemory()) instead`,
}

// server returns what a pipeline asks of KFP that released servers ignore or get wrong. For a
// server that was chosen by its version, what it doesn't know is refused already.
func server(p *program.Program, chosen bool) []Finding {
	v := &vetter{p: p, seen: map[string]bool{}}
	on := func(id string) feature.Support {
		if r := feature.RowOf(id); r != nil && !chosen {
			return r.Support[feature.KFP]
		}
		return feature.Support{}
	}
	young := func(s feature.Support) bool { return s.Since > feature.Newest }
	for _, u := range feature.UsesOf(p, func(id string) bool { return young(on(id)) || on(id).Wrong != nil || unheeded[id] != "" }) {
		switch s := on(u.ID); {
		case s.Wrong != nil:
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d take %s and %s; %s", feature.Newest, feature.Bare(write(u.ID)), s.Wrong.Does, s.Wrong.Instead)
		case unheeded[u.ID] != "":
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d do nothing about %s; %s", feature.Newest, u.Named(write(u.ID)), unheeded[u.ID])
		case young(s):
			v.find(Warning, "server", u.Task, u.Pos, "KFP's servers up to 2.%d refuse a run with %s; it needs a newer one", feature.Newest, write(u.ID))
		}
	}
	if main := p.Component(p.Main); main != nil {
		v.statuses(main, "", nil)
	}
	return v.all
}

// statusText is what code in Python or a shell reads of the final status, as KFP's SDK and
// its JSON call it.
var statusText = lazyregexp.New(`\b(?:pipeline_task_name|pipelineTaskName|error_message|error_code)\b`)

// statuses finds steps that read of the final status what KFP leaves out: which task
// failed, and its message. given are the inputs of the DAG that are a final status.
func (v *vetter) statuses(c *program.Component, at string, given map[string]bool) {
	if c.DAG == nil || v.seen["statuses "+c.Name] {
		return
	}
	v.seen["statuses "+c.Name] = true
	for _, t := range c.DAG.Tasks {
		sub := v.p.Component(t.Component)
		if sub == nil {
			continue
		}
		passed := map[string]bool{}
		for name, arg := range t.Args {
			if len(arg.Field) == 0 && (arg.Kind == program.Status || arg.Kind == program.Input && given[arg.Name]) {
				passed[name] = true
			}
		}
		v.statuses(sub, join(at, t.Name), passed)
		if sub.Exec == nil || len(passed) == 0 {
			continue
		}
		reads := ""
		switch x := sub.Exec; {
		case x.Container != nil:
			reads = statusText.FindString(strings.Join(slices.Concat(x.Container.Command, x.Container.Args), " "))
		case x.Python != nil:
			reads = statusText.FindString(x.Python.Source)
		case x.Go != nil:
			reads = v.source().readsStatus(sub)
		}
		if reads != "" {
			v.find(Warning, "server", join(at, t.Name), t.Pos, "it reads %s of the final status, and KFP's servers up to 2.%d give as the failed task the group that the handler guards, and no message: only the state is right; kfpgo runs get ID --on kfp names the task that failed", reads, feature.Newest)
		}
	}
}

// readsStatus returns what a Go step reads of the final status besides its state; "" is
// nothing that is known.
func (s *source) readsStatus(c *program.Component) string {
	is := func(sel *ast.SelectorExpr) string {
		if inner, ok := sel.X.(*ast.SelectorExpr); ok && inner.Sel.Name == "Error" && (sel.Sel.Name == "Message" || sel.Sel.Name == "Code") {
			return "Error." + sel.Sel.Name
		} else if sel.Sel.Name == "PipelineTask" {
			return sel.Sel.Name
		}
		return ""
	}
	return s.selects(c, func(ast.Node, map[string]string) func(*ast.SelectorExpr) string { return is })
}

// equalContainers names components with the container of another one and other inputs or
// outputs. Package kfp adds a variable to one of them where the YAML is for a server.
func equalContainers(w kfp.Written) (found []Finding) {
	for _, pair := range w.EqualContainers() {
		found = append(found, Finding{Level: Warning, Rule: "server", Msg: fmt.Sprintf(
			"the components %s and %s have equal containers, and other inputs or outputs; KFP's servers up to 2.%d may run one with the inputs, types and defaults of the other; set an environment variable in one of them", pair[0], pair[1], feature.Newest)})
	}
	return found
}

func write(id string) string {
	if r := feature.RowOf(id); r != nil {
		return r.Write
	}
	return "the feature " + id
}
