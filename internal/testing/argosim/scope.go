package argosim

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// A scope is what a DAG or steps see of their inputs and of what has run.
type scope map[string]any

func scopeOf(t *wfv1.Template) scope {
	sc := scope{}
	for _, p := range t.Inputs.Parameters {
		if p.Value != nil {
			sc["inputs.parameters."+p.Name] = p.Value.String()
		}
	}
	for _, a := range t.Inputs.Artifacts {
		sc["inputs.artifacts."+a.Name] = a
	}
	return sc
}

// add adds what a task came to, as buildLocalScope does, and for one that was
// repeated what processAggregateNodeOutputs does.
func (sc scope) add(prefix string, n *Node) {
	if n == nil {
		return
	}
	sc[prefix+".id"], sc[prefix+".status"] = "id-of-"+prefix, string(n.Phase)
	if n.group {
		sc.addAll(prefix, n.Children)
		return
	}
	if n.Outputs == nil {
		return
	}
	for _, p := range n.Outputs.Parameters {
		sc[prefix+".outputs.parameters."+p.Name] = p.Value.String()
	}
	for _, a := range n.Outputs.Artifacts {
		sc[prefix+".outputs.artifacts."+a.Name] = a
	}
	if n.Outputs.Result != nil {
		sc[prefix+".outputs.result"] = *n.Outputs.Result
	}
}

func (sc scope) addAll(prefix string, children []*Node) {
	lists, results := map[string][]string{}, []json.RawMessage{}
	for _, child := range children {
		if child.Outputs == nil || child.Phase != wfv1.NodeSucceeded {
			continue
		}
		for _, p := range child.Outputs.Parameters {
			lists[p.Name] = append(lists[p.Name], p.Value.String())
		}
		if r := child.Outputs.Result; r != nil {
			one := json.RawMessage(*r)
			if !json.Valid(one) { // Argo wants JSON there
				one, _ = json.Marshal(*r)
			}
			results = append(results, one)
		}
	}
	for name, list := range lists {
		sc[prefix+".outputs.parameters."+name] = aggregated(list)
	}
	j, _ := json.Marshal(results)
	sc[prefix+".outputs.result"] = string(j)
}

// aggregated is Argo's list of outputs: it reads them as JSON if all of them are
// lists or objects.
func aggregated(list []string) string {
	parsed := make([]any, len(list))
	for i, text := range list {
		err := json.Unmarshal([]byte(text), &parsed[i])
		switch parsed[i].(type) {
		case []any, map[string]any:
		default:
			err = errors.New("neither a list nor an object")
		}
		if err != nil {
			j, _ := json.Marshal(list)
			return string(j)
		}
	}
	j, _ := json.Marshal(parsed)
	return string(j)
}

// artifact returns what an artifact is taken from.
func (s *Sim) artifact(a wfv1.Artifact, sc scope) (*wfv1.Artifact, error) {
	var v any
	if a.FromExpression != "" {
		var err error
		if v, err = s.lang.Eval(a.FromExpression, sc); err != nil {
			return nil, fmt.Errorf("artifact %s: %w", a.Name, err)
		}
	} else {
		v = sc[strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(a.From, "{{"), "}}"))]
	}
	of, ok := v.(wfv1.Artifact)
	if !ok {
		return nil, fmt.Errorf("artifact %s: nothing is at %s%s", a.Name, a.From, a.FromExpression)
	}
	of.Name = a.Name
	return &of, nil
}

// outputs returns those of a DAG or of steps.
func (s *Sim) outputs(t *wfv1.Template, sc scope) (*wfv1.Outputs, error) {
	if !t.Outputs.HasOutputs() {
		return nil, nil
	}
	out := &wfv1.Outputs{}
	for _, p := range t.Outputs.Parameters {
		v, err := s.parameter(p.ValueFrom, sc)
		if err != nil && !s.Strict && p.ValueFrom != nil && p.ValueFrom.Default != nil {
			v, err = p.ValueFrom.Default.String(), nil
		}
		if err != nil { // Argo tries again for ever
			return nil, fmt.Errorf("output %s: %w", p.Name, err)
		}
		out.Parameters = append(out.Parameters, wfv1.Parameter{Name: p.Name, Value: wfv1.AnyStringPtr(v)})
	}
	for _, a := range t.Outputs.Artifacts {
		if a.From == "" && a.FromExpression == "" {
			continue
		}
		from, err := s.artifact(a, sc)
		if err != nil && a.Optional {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("output %w", err)
		}
		if strings.Contains(a.From+a.FromExpression, "inputs.artifacts") {
			s.found(t.Name, from)
		}
		out.Artifacts = append(out.Artifacts, *from)
	}
	return out, nil
}

func (s *Sim) parameter(from *wfv1.ValueFrom, sc scope) (any, error) {
	switch {
	case from != nil && from.Expression != "":
		return s.lang.Eval(from.Expression, sc)
	case from == nil || from.Parameter == "":
		return "", nil
	}
	name, ok := strings.CutPrefix(from.Parameter, "{{")
	if !ok {
		return from.Parameter, nil
	}
	v, ok := sc[strings.TrimSpace(strings.TrimSuffix(name, "}}"))]
	if !ok {
		return nil, fmt.Errorf("nothing is at %s", from.Parameter)
	}
	return v, nil
}

// found notes where the artifact is that a template gives its caller.
func (s *Sim) found(template string, a *wfv1.Artifact) {
	if s.Places == nil {
		s.Places = map[string]string{}
	}
	if at := location(a); at != "" {
		s.Places[template] = at
	}
}

// elsewhere reports whether an artifact is in a store of its own.
func elsewhere(a *wfv1.Artifact) bool {
	return a.HasLocation() && (a.S3 == nil || a.S3.Bucket != "")
}

// location returns where an artifact is, as JSON.
func location(a *wfv1.Artifact) string {
	of, err := a.ArtifactLocation.Get()
	if err != nil {
		return ""
	}
	j, _ := json.Marshal(of)
	var fields map[string]any // whose JSON is sorted
	json.Unmarshal(j, &fields)
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(fields)
	return strings.TrimSpace(b.String())
}
