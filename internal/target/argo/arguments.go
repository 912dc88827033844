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
	known := func(name string) bool {
		ok := slices.ContainsFunc(a.Parameters, func(p wfv1.Parameter) bool { return p.Name == name })
		if !ok {
			errs = append(errs, fmt.Errorf("the pipeline has no input %s", name))
		}
		return ok
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !known(name) {
			continue
		}
		set[name] = argumentOf(args[name])
		if err := passable(set[name]); fireTime != nil && err != nil {
			errs = append(errs, fmt.Errorf("input %s: %w", name, err))
		}
	}
	for _, name := range fireTime {
		if known(name) {
			set[name] = scheduledTime
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

// Values returns what parameters of nodes hold, by name: JSON, or the text that a
// container wrote. What wasn't given is left out.
func Values(ps []wfv1.Parameter) map[string]json.RawMessage {
	var all map[string]json.RawMessage
	for _, p := range ps {
		if p.Value == nil || string(*p.Value) == "null" || strings.HasPrefix(p.Name, "kfpgo-") {
			continue
		}
		b := json.RawMessage(*p.Value)
		if json.Valid(b) {
			b = carried(b)
		} else {
			b, _ = json.Marshal(string(*p.Value))
		}
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[p.Name] = b
	}
	return all
}
