package argo

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// SetArguments sets arguments of a Workflow that Write made: constants by name, and
// inputs that get the time at which a schedule fires. Those that are required and
// have no value are an error.
func SetArguments(a *wfv1.Arguments, args map[string]json.RawMessage, fireTime []string) error {
	var errs []error
	set := map[string]string{}
	byName := map[string]*wfv1.Parameter{}
	for i := range a.Parameters {
		byName[a.Parameters[i].Name] = &a.Parameters[i]
	}
	bare := func(p *wfv1.Parameter) bool { return p.Value == nil || string(*p.Value) != "null" }
	for _, name := range slices.Sorted(maps.Keys(args)) {
		p := byName[name]
		if p == nil {
			errs = append(errs, fmt.Errorf("the pipeline has no input %s", name))
			continue
		}
		var s string
		if json.Unmarshal(args[name], &s) == nil && string(args[name]) != "null" && bare(p) {
			if fireTime != nil && containsTag(s) {
				errs = append(errs, fmt.Errorf("input %s: the text %q has {{ in it, which Argo replaces in what a schedule passes; make it the default of the input", name, s))
			}
			set[name] = s
			continue
		}
		set[name] = constCarrier(args[name])
	}
	for _, name := range fireTime {
		switch p := byName[name]; {
		case p == nil:
			errs = append(errs, fmt.Errorf("the pipeline has no input %s", name))
		case bare(p):
			set[name] = scheduledTime
		default:
			set[name] = `"` + scheduledTime + `"`
		}
	}
	for i := range a.Parameters {
		p := &a.Parameters[i]
		if text, ok := set[p.Name]; ok {
			p.Value = anyString(text)
		} else if p.Value == nil {
			errs = append(errs, fmt.Errorf("input %s is required; give it a value", p.Name))
		}
	}
	return errors.Join(errs...)
}

// Values returns what parameters of a Workflow hold, by name: outputs are JSON, and
// arguments are JSON or the bare text of a string. What wasn't given is left out.
func Values(ps []wfv1.Parameter) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	for _, p := range ps {
		if p.Value == nil || string(*p.Value) == "null" || strings.HasPrefix(p.Name, "kfpgo-") {
			continue
		}
		b := json.RawMessage(*p.Value)
		if !json.Valid(b) {
			b, _ = json.Marshal(string(*p.Value))
		}
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[p.Name] = b
	}
	return all
}
