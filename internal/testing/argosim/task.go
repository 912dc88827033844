package argosim

import (
	"fmt"
	"regexp"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// A frame is a DAG or a list of steps that runs.
type frame struct {
	*Sim
	c  *call
	t  *wfv1.Template
	as string // "tasks" or "steps": what its tasks are to expressions
}

// What is for later, when a task is replaced: its artifacts, which are no texts;
// the items of a loop; and what a template that stands in it sees.
var (
	laterArtifact = regexp.MustCompile(`^[^=].*\.artifacts\.`)
	laterItem     = regexp.MustCompile(`^[^=].*\.artifacts\.|\bitem\b`)
	laterInline   = regexp.MustCompile(``)
)

func later(t *wfv1.DAGTask) *regexp.Regexp {
	switch {
	case t.Inline != nil:
		return laterInline
	case t.ShouldExpand():
		return laterItem
	}
	return laterArtifact
}

// run runs a task, once or for each item.
func (f *frame) run(t *wfv1.DAGTask, sc scope, before pods) *Node {
	node := f.c.node + "." + t.Name
	if n := check(f.Sim, unknownOfTask, node, t); n != nil {
		return n
	}
	vars := strs(sc, f.global)
	if t.When != "" {
		var when string
		err := f.replaced(t.When, vars, &when, later(t))
		if err == nil && !strings.Contains(when, "{{") {
			var ok bool
			if ok, err = f.when(when); err == nil && !ok {
				return &Node{Phase: wfv1.NodeSkipped}
			}
		}
		if err != nil {
			return f.wrong(node, err)
		}
	}
	full := &wfv1.DAGTask{}
	if err := f.replaced(t, vars, full, later(t)); err != nil {
		return f.wrong(node, err)
	}
	given := wfv1.Artifacts{}
	for _, a := range full.Arguments.Artifacts {
		if a.From != "" || a.FromExpression != "" {
			from, err := f.artifact(a, sc)
			if err != nil && a.Optional {
				continue
			} else if err != nil {
				return f.wrong(node, err)
			}
			a = *from
		}
		given = append(given, a)
	}
	full.Arguments.Artifacts = given
	if full.ShouldExpand() {
		return f.loop(full, vars, before)
	}
	return f.invoke(f.c, full, f.as, node, before)
}

// end ends a DAG or steps.
func (f *frame) end(phase wfv1.NodePhase, message string, sc scope, ran pods) *Node {
	n := &Node{Phase: phase, Message: message}
	if n.failed() {
		f.fail(f.c.task, "", f.t.Name, phase, "")
	} else if out, err := f.outputs(f.t, sc); err != nil {
		n = f.wrong(f.c.node, fmt.Errorf("template %s: %w", f.t.Name, err))
	} else {
		n.Outputs = out
	}
	n.pods = ran
	return n
}
