package argosim

import (
	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// steps runs groups of steps, one group after the other.
func (s *Sim) steps(c *call, t *wfv1.Template) *Node {
	f, sc, ran := frame{s, c, t, "steps"}, scopeOf(t), pods{}
	for _, group := range t.Steps {
		before := c.before.and(ran)
		ended := map[string]*Node{}
		phase, message := wfv1.NodeSucceeded, ""
		for i := range group.Steps {
			k := &group.Steps[i]
			n := f.run(&wfv1.DAGTask{
				Name: k.Name, Template: k.Template, TemplateRef: k.TemplateRef, Inline: k.Inline, Arguments: k.Arguments, When: k.When,
				WithItems: k.WithItems, WithParam: k.WithParam, WithSequence: k.WithSequence, Hooks: k.Hooks, OnExit: k.OnExit,
			}, sc, before)
			ended[k.Name], ran = n, ran.and(n.pods)
			if n.failed() && !k.ContinuesOn(n.Phase) {
				phase, message = wfv1.NodeFailed, n.Message
			}
		}
		for name, n := range ended {
			sc.add("steps."+name, n)
		}
		if phase != wfv1.NodeSucceeded {
			return f.end(phase, message, sc, ran)
		}
	}
	return f.end(wfv1.NodeSucceeded, "", sc, ran)
}
