package k8s

import (
	"fmt"
	"strings"
	"testing"
)

// swap replaces a text of a Workflow everywhere, as a fault of the compiler would.
func swap(old, now string) func(string) string {
	return func(yaml string) string { return strings.ReplaceAll(yaml, old, now) }
}

// broken are faults of what is compiled, each of which a pipeline of the suite
// must see.
var broken = []struct {
	fault string
	of    string // the pipeline, with params
	by    func(string) string
}{
	{"comparisons turned round", `Branch n="-5"`, swap("< 0", "> 0")},
	{"braces not escaped", `Values`, swap(`{\\u007b`, "{{")},
	{"dollars not doubled", `Tools`, swap("''$$''", "''$''")},
	{"not given is empty", `Defaults`, swap("value: '(kfpgo: not given)'", "value: ''")},
	{"results of a loop as Argo has them", `Nothing`, swap("''#'' + ", "")},
	{"an empty loop has no list", `Loops`, swap("[]'", "null'")},
	{"files under one key", `Files`, swap("/{{pod.name}}", "")},
	{"the state of a group is guessed", `Kept`, swap("''FAILED''", "''SUCCEEDED''")},
}

// TestBroken compiles pipelines wrongly, on purpose: the suite must turn red.
func TestBroken(t *testing.T) {
	t.Parallel() // it leaves the cluster as it is
	ready(t)
	t.Run("all", func(t *testing.T) {
		for _, b := range broken {
			t.Run(b.fault, func(t *testing.T) {
				t.Parallel()
				slots <- struct{}{}
				defer func() { <-slots }()
				var p pipeline
				for _, p = range pipelines {
					if p.String() == b.of {
						break
					}
				}
				if p.String() != b.of {
					t.Fatalf("there is no pipeline %s", b.of)
				}
				p.broken = func(yaml string) string {
					other := b.by(yaml)
					if other == yaml {
						return yaml
					}
					return strings.Replace(other, "\nspec:\n", "\nspec:\n  activeDeadlineSeconds: 240\n", 1) // some faults make it hang
				}
				name, err := p.start(t)
				if err != nil {
					fmt.Printf("%-36s %-20.20s refused: %.80v\n", b.fault, p, err)
					return
				}
				got := await(t, name, nil).outcome(t)
				why := p.differs(t, got)
				if why == "" {
					t.Errorf("%s: the suite sees nothing wrong with %s", b.fault, p)
					return
				}
				fmt.Printf("%-36s %-20.20s is seen: %.70s\n", b.fault, p, strings.ReplaceAll(why, "\n", "; "))
			})
		}
	})
}
