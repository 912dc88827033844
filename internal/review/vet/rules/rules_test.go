package rules_test

import (
	"slices"
	"testing"

	"github.com/kfpgo/kfpgo/internal/review/vet"
	"github.com/kfpgo/kfpgo/internal/review/vet/rules"
)

// TestExamples: each rule finds something in its example and nothing is found in the
// fixed one; a rule without an example says in its page why there is none.
func TestExamples(t *testing.T) {
	without := []string{"compile", "ignore", "server", "size"}
	for _, rule := range vet.Rules {
		if rule.Page() == "" {
			t.Errorf("rule %s has no page", rule.Name)
		}
		e, ok := rules.Examples[rule.Name]
		if ok == slices.Contains(without, rule.Name) {
			t.Errorf("rule %s: example %v", rule.Name, ok)
		}
		if !ok {
			continue
		}
		found, err := rules.Vet(&rule, e.Found)
		if err != nil {
			t.Errorf("%s: %v", rule.Name, err)
		}
		if !slices.ContainsFunc(found, func(f vet.Finding) bool { return f.Rule == rule.Name && f.Pos.File != "" }) {
			t.Errorf("%s: not found: %v", rule.Name, found)
		}
		fixed, err := rules.Vet(&rule, e.Fixed)
		fixed = slices.DeleteFunc(fixed, func(f vet.Finding) bool { return f.Level == vet.Note && f.Rule != rule.Name }) // such as a secret that must be in the cluster
		if err != nil || len(fixed) > 0 {
			t.Errorf("%s, fixed: %v, %v", rule.Name, fixed, err)
		}
	}
	for name := range rules.Examples {
		if vet.Lookup(name) == nil {
			t.Errorf("there is no rule %s", name)
		}
	}
}
