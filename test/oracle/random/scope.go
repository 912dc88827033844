package random

import (
	"encoding/json"
	"fmt"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/util/expr/env"
	"github.com/argoproj/argo-workflows/v3/util/template"
	"github.com/argoproj/argo-workflows/v3/workflow/common"
	"github.com/expr-lang/expr"
)

// A scope is what expressions of a DAG see of its tasks.
type scope map[string]any

// newScope returns one with the inputs of the DAG.
func newScope(t *wfv1.Template) scope {
	s := scope{}
	for _, p := range t.Inputs.Parameters {
		s["inputs.parameters."+p.Name] = p.Value.String()
	}
	return s
}

// add adds what a task came to, as buildLocalScope does, and for one that was
// repeated what processAggregateNodeOutputs does.
func (s scope) add(prefix string, n *Node) {
	if n == nil {
		return
	}
	s[prefix+".id"], s[prefix+".status"] = "id-of-"+prefix, string(n.Phase)
	if n.group {
		lists := map[string][]string{}
		for _, child := range n.Children {
			if child.Outputs == nil || child.Phase != wfv1.NodeSucceeded {
				continue
			}
			for _, p := range child.Outputs.Parameters {
				lists[p.Name] = append(lists[p.Name], p.Value.String())
			}
		}
		for name, list := range lists {
			s[prefix+".outputs.parameters."+name] = aggregated(list)
		}
		return
	}
	if n.Outputs == nil {
		return
	}
	for _, p := range n.Outputs.Parameters {
		s[prefix+".outputs.parameters."+p.Name] = p.Value.String()
	}
	for _, a := range n.Outputs.Artifacts {
		s[prefix+".outputs.artifacts."+a.Name] = a
	}
}

// aggregated is Argo's list of results: it reads them as JSON where all of them are.
func aggregated(list []string) string {
	parsed := make([]any, len(list))
	for i, text := range list {
		if json.Unmarshal([]byte(text), &parsed[i]) != nil {
			j, _ := json.Marshal(list)
			return string(j)
		}
	}
	j, _ := json.Marshal(parsed)
	return string(j)
}

func (s scope) parameters() common.Parameters {
	params := common.Parameters{}
	for k, v := range s {
		if text, ok := v.(string); ok {
			params[k] = text
		}
	}
	return params
}

// outputs evaluates the outputs of a DAG. An error leaves a Workflow running for ever.
func outputs(t *wfv1.Template, s scope) (*wfv1.Outputs, error) {
	if !t.Outputs.HasOutputs() {
		return nil, nil
	}
	out := &wfv1.Outputs{}
	for _, p := range t.Outputs.Parameters {
		e := env.GetFuncMap(s)
		program, err := expr.Compile(p.ValueFrom.Expression, expr.Env(e))
		var v any
		if err == nil {
			v, err = expr.Run(program, e)
		}
		if err != nil {
			return nil, fmt.Errorf("output %s of %s takes its default: %w", p.Name, t.Name, err)
		}
		out.Parameters = append(out.Parameters, wfv1.Parameter{Name: p.Name, Value: wfv1.AnyStringPtr(v)})
	}
	return out, nil
}

// replaced replaces the tags in the JSON of a value, as the controller does for a
// task: what is said of other tasks must be there.
func (c *Controller) replaced(v any, params common.Parameters, into any) error {
	j, err := json.Marshal(v)
	if err != nil {
		return err
	}
	text, err := template.ReplaceStrict(string(j), params, []string{"tasks", "steps"})
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return err
	}
	return c.left(text, params)
}

// left returns why an expression was left as it is: Argo doesn't say.
func (c *Controller) left(text string, params common.Parameters) error {
	_, after, ok := strings.Cut(text, "{{=")
	e, _, _ := strings.Cut(after, "}}")
	if !ok || strings.Contains(e, "item") && !strings.Contains(e, "-item") && !strings.Contains(e, "items") {
		return nil // for later
	}
	if err := json.Unmarshal([]byte(`"`+e+`"`), &e); err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	with := env.GetFuncMap(template.EnvMap(params))
	program, err := expr.Compile(e, expr.Env(with))
	if err != nil {
		return fmt.Errorf("%s: %w", e, err)
	}
	v, err := expr.Run(program, with)
	return fmt.Errorf("%s was left as it is: %v, %w", e, v, err)
}
