package argosim

import (
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// suspend takes what a person supplies, and resumes at once: an output that isn't supplied
// has its default, or that of the input with its name.
func (s *Sim) suspend(c *call, t *wfv1.Template) *Node {
	n := &Node{Phase: wfv1.NodeSucceeded}
	for _, p := range t.Outputs.Parameters {
		if p.ValueFrom == nil || p.ValueFrom.Supplied == nil {
			return s.wrong(c.node, fmt.Errorf("output %s of a suspend isn't supplied", p.Name))
		}
		v := p.ValueFrom.Default
		if in := t.Inputs.GetParameterByName(p.Name); v == nil && in != nil {
			v = in.Default
		}
		if s.Supply != nil {
			if text, ok := s.Supply(c.task, p.Name); ok {
				v = wfv1.AnyStringPtr(text)
			}
		}
		if v == nil {
			return s.wrong(c.node, fmt.Errorf("raw output parameter '%s' has not been set and does not have a default value", p.Name))
		}
		if n.Outputs == nil {
			n.Outputs = &wfv1.Outputs{}
		}
		n.Outputs.Parameters = append(n.Outputs.Parameters, wfv1.Parameter{Name: p.Name, Value: v})
	}
	return n
}
