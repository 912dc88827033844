package argosim

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// A Language is what Argo's libraries do with text. Variables are by their path,
// such as tasks.a.status.
type Language interface {
	// Replace replaces the tags in the JSON of something. What isn't known stays as it
	// is, for who comes later; Argo goes no further without what begins with one of must.
	Replace(json string, vars map[string]string, must ...string) (string, error)
	// Eval evaluates an expression.
	Eval(code string, vars map[string]any) (any, error)
	// Process gives a template its arguments, and replaces the tags in it.
	Process(t *wfv1.Template, args *wfv1.Arguments, global, local map[string]string) (*wfv1.Template, error)
	// Depends returns the tasks that a task depends on, and how.
	Depends(t *wfv1.DAGTask, task func(name string) *wfv1.DAGTask) (tasks []string, logic string)
}

// strs returns what of a scope is text, and all that is global.
func strs(scope map[string]any, global map[string]string) map[string]string {
	vars := map[string]string{}
	maps.Copy(vars, global)
	for k, v := range scope {
		if text, ok := v.(string); ok {
			vars[k] = text
		}
	}
	return vars
}

func all(scope map[string]any, global map[string]string) map[string]any {
	vars := map[string]any{}
	for k, v := range global {
		vars[k] = v
	}
	maps.Copy(vars, scope)
	return vars
}

// replaced replaces the tags in a value, as the controller does for a task: what is
// said of other tasks must be there. Tags that later finds are for later.
func (s *Sim) replaced(v any, vars map[string]string, into any, later *regexp.Regexp) error {
	j, err := json.Marshal(v)
	if err != nil {
		return err
	}
	text, err := s.lang.Replace(string(j), vars, "tasks", "steps")
	if err != nil {
		return err
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		return err
	}
	return errors.Join(s.left(into, vars, later)...)
}

// left says why tags were left as they are: Argo doesn't.
func (s *Sim) left(v any, vars map[string]string, later *regexp.Regexp) (errs []error) {
	j, err := json.Marshal(v)
	if err != nil {
		return []error{err}
	}
	for rest, found := string(j), true; found; {
		var tag string
		if _, rest, found = strings.Cut(rest, "{{"); !found {
			break
		}
		tag, _, _ = strings.Cut(rest, "}}")
		if json.Unmarshal([]byte(`"`+tag+`"`), &tag) != nil || later != nil && later.MatchString(tag) {
			if later == nil {
				errs = append(errs, fmt.Errorf("{{%s can't be replaced", tag))
			}
			continue
		}
		code, ok := strings.CutPrefix(tag, "=")
		if !ok {
			errs = append(errs, fmt.Errorf("{{%s}} can't be replaced", tag))
			continue
		}
		v, err := s.lang.Eval(code, all(nil, vars))
		if err == nil && v != nil {
			err = errors.New("it was left as it is")
		}
		errs = append(errs, fmt.Errorf("%s: %v %w", code, v, orNil(err)))
	}
	return errs
}

func orNil(err error) error {
	if err == nil {
		return errors.New("is no value")
	}
	return err
}
