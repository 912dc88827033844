package argosim

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// Process does what common.ProcessArgs does: it replaces what is global first, and
// then the inputs, which may have been made of that.
func (p Plain) Process(t *wfv1.Template, args *wfv1.Arguments, global, local map[string]string) (*wfv1.Template, error) {
	t = t.DeepCopy()
	for i := range t.Inputs.Parameters {
		in := &t.Inputs.Parameters[i]
		if in.Value == nil {
			in.Value = in.Default
		}
		if arg := args.GetParameterByName(in.Name); arg != nil {
			in.Value = arg.Value
		}
		if in.Value == nil {
			return nil, fmt.Errorf("inputs.parameters.%s was not supplied", in.Name)
		}
	}
	for i, in := range t.Inputs.Artifacts {
		arg := args.GetArtifactByName(in.Name)
		if !in.Optional && !in.HasLocationOrKey() && (arg == nil || !arg.HasLocationOrKey()) {
			return nil, fmt.Errorf("inputs.artifacts.%s was not supplied", in.Name)
		}
		if arg != nil {
			t.Inputs.Artifacts[i] = *arg
			t.Inputs.Artifacts[i].Path, t.Inputs.Artifacts[i].Mode = in.Path, in.Mode
		}
	}
	vars := maps.Clone(global)
	maps.Copy(vars, local)
	once := func() error {
		j, err := json.Marshal(t)
		if err != nil {
			return err
		}
		text, err := p.Replace(string(j), vars)
		if err != nil {
			return err
		}
		t = &wfv1.Template{}
		return json.Unmarshal([]byte(text), t)
	}
	if err := once(); err != nil {
		return nil, err
	}
	maps.Copy(vars, strs(scopeOf(t), nil))
	for _, a := range t.Inputs.Artifacts {
		vars["inputs.artifacts."+a.Name+".path"] = a.Path
	}
	for _, a := range t.Outputs.Artifacts {
		vars["outputs.artifacts."+a.Name+".path"] = a.Path
	}
	for _, p := range t.Outputs.Parameters {
		if p.ValueFrom != nil && p.ValueFrom.Path != "" {
			vars["outputs.parameters."+p.Name+".path"] = p.ValueFrom.Path
		}
	}
	return t, once()
}

var dependsOn = regexp.MustCompile(`([a-zA-Z0-9][-a-zA-Z0-9]*)(\.[A-Z][a-zA-Z]+)?`)

// Depends does what common.GetTaskDependencies does: a task by its name alone must
// have ended well, or may have failed if it says so itself.
func (Plain) Depends(t *wfv1.DAGTask, task func(name string) *wfv1.DAGTask) (tasks []string, logic string) {
	if logic = t.Depends; logic == "" {
		logic = strings.Join(t.Dependencies, " && ")
	}
	logic = dependsOn.ReplaceAllStringFunc(logic, func(m string) string {
		name, _, of := strings.Cut(m, ".")
		if tasks = append(tasks, name); of {
			return m
		}
		or := []string{name + ".Succeeded", name + ".Skipped", name + ".Daemoned"}
		if on := task(name); on != nil && on.ContinueOn != nil {
			if on.ContinueOn.Error {
				or = append(or, name+".Errored")
			}
			if on.ContinueOn.Failed {
				or = append(or, name+".Failed")
			}
		}
		return "(" + strings.Join(or, " || ") + ")"
	})
	slices.Sort(tasks)
	return slices.Compact(tasks), logic
}
