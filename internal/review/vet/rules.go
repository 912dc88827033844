package vet

import (
	"embed"
	"fmt"
	"slices"
	"strings"
)

// A Rule is one thing that is looked for.
type Rule struct {
	Name string
	Says string // what it finds, in a line

	// Conditional: whether it finds something depends on more than the source, such
	// as the target.
	Conditional bool
}

// Rules lists the rules by name.
var Rules = []Rule{
	{Name: "branch", Says: "a condition that never holds, or always"},
	{Name: "cache", Says: "a step that reads the clock or the network, and whose result is taken from the cache", Conditional: true},
	{Name: "collide", Says: "a claim or an object of a fixed name that each run creates"},
	{Name: "compile", Says: "what the target can't express", Conditional: true},
	{Name: "gpu", Says: "a step on GPU nodes that asks for no GPU, or for one of no kind"},
	{Name: "ignore", Says: "a comment that silences a rule without a reason, or without need"},
	{Name: "image", Says: "an image whose content changes under its name"},
	{Name: "leak", Says: "a claim that stays when the run has ended"},
	{Name: "missing", Says: "a claim or secret that a pod needs and that nothing says is there"},
	{Name: "pvc", Says: "a claim for one node that several tasks mount at once"},
	{Name: "quota", Says: "more than a quota or queue has, alone or by what runs at once", Conditional: true},
	{Name: "resources", Says: "a quantity that Kubernetes refuses, and a request above its limit"},
	{Name: "retry", Says: "a step that does something in the world, and is tried again"},
	{Name: "schedule", Says: "fire times that surprise: changes of the clocks, days of the week and of the month, uneven steps", Conditional: true},
	{Name: "secret", Says: "a secret in plain sight: in a variable, an argument, a command line or a default"},
	{Name: "server", Says: "what released servers ignore", Conditional: true},
	{Name: "size", Says: "what is near or above the sizes that a server stores", Conditional: true},
	{Name: "toleration", Says: "a step that asks for a GPU and tolerates no taint of GPU nodes"},
	{Name: "unused", Says: "an input that nothing reads, and an output that nothing reads beside others that are"},
}

// Lookup returns the rule of a name, or nil.
func Lookup(name string) *Rule {
	for i := range Rules {
		if Rules[i].Name == name {
			return &Rules[i]
		}
	}
	return nil
}

// Names returns the names of the rules.
func Names() (names []string) {
	for _, r := range Rules {
		names = append(names, r.Name)
	}
	return names
}

// The text of each rule, and beside it Go that it finds something in and Go that it
// doesn't: package rules, which tests compile and vet.
//
//go:embed rules/*.md rules/*.go
var pages embed.FS

// Page returns the page of a rule, as Markdown: why it is there, an example of what
// it finds, the same fixed, and how to silence it.
func (r *Rule) Page() string {
	text, err := pages.ReadFile("rules/" + r.Name + ".md")
	if err != nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n%s", r.Name, r.Says, text)
	if code, err := pages.ReadFile("rules/" + r.Name + ".go"); err == nil {
		_, rest, _ := strings.Cut(string(code), "// Found:\n")
		found, fixed, _ := strings.Cut(rest, "// Fixed:\n")
		fmt.Fprintf(&b, "\n## Found\n\n```go\n%s\n```\n\n## Fixed\n\n```go\n%s\n```\n", strings.TrimSpace(found), strings.TrimSpace(fixed))
	}
	if !slices.Contains([]string{"compile", "ignore"}, r.Name) {
		fmt.Fprintf(&b, "\n## Silence it\n\nIn the line of the task or above it, with the reason, which whoever reads the code wants to know:\n\n```go\n%s %s REASON\n```\n", marker, r.Name)
	}
	return b.String()
}
