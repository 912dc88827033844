package vet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontree"
)

// Limits of objects that are stored or passed on as a whole, in bytes.
const (
	argument   = 128 << 10 // Linux: one argument of a program
	annotation = 256 << 10 // Kubernetes: all annotations of an object
	workflow   = 1 << 20   // Argo: a Workflow, after which it is likely not to be stored with its status
	object     = 3 << 19   // etcd: one object, 1.5 MiB
	upload     = 32 << 20  // KFP: a file
	runInput   = 10_000    // KFP: the value of one input of a run, in characters
)

// Near is the part of a limit from which on there is a warning.
const near = 0.8

// A part of the output, and what the author calls it.
type part struct {
	name string
	size int
}

// kfpSize returns what is near or above the sizes that a KFP server takes, with the
// largest contributors. Spec is the JSON of the pipeline, and written is how many bytes the YAML has: where that is
// little, nothing more is looked at.
func kfpSize(p *program.Program, spec *jsontree.Node, written int) []Finding {
	all := inputs(p)
	if float64(written) < near*argument {
		return all
	}
	say := func(l Level, format string, args ...any) {
		all = append(all, Finding{Level: l, Rule: "size", Msg: fmt.Sprintf(format, args...)})
	}
	var parts []part
	total := 0
	of := func(name string, v *jsontree.Node) int {
		if v == nil {
			return 0
		}
		parts = append(parts, part{name, len(v.Raw)})
		total += len(v.Raw)
		return len(v.Raw)
	}
	// The server starts a driver for each component, with the component and what
	// it runs as one argument each.
	one := func(what string, size int) {
		switch {
		case size > argument:
			say(Error, "%s takes %s, and the server hands it to a program as one argument, which may have %s: the run fails", what, bytes(size), bytes(argument))
		case float64(size) > near*argument:
			say(Warning, "%s takes %s, near the limit of %s that the server can hand to a program as one argument", what, bytes(size), bytes(argument))
		}
	}
	one("the pipeline itself, which is its tasks and their connections,", of("the tasks of the pipeline", spec.Member("root")))
	executors := spec.Member("deploymentSpec").Member("executors")
	for _, c := range members(spec.Member("components")) {
		name := strings.TrimPrefix(c.Key, "comp-")
		size := of(name, &c)
		if c.Member("dag") != nil {
			one("group or nested pipeline "+name, size)
			continue
		}
		label := c.Member("executorLabel")
		if label == nil {
			continue
		}
		if x := executors.Member(label.Text); x != nil {
			one("what component "+name+" runs", len(x.Raw))
			parts[len(parts)-1].size += len(x.Raw)
			total += len(x.Raw)
		}
	}
	largest := "; the largest: " + contributors(parts, total)
	switch {
	case written > upload:
		say(Error, "the file takes %s; a KFP server takes %s%s", bytes(written), bytes(upload), largest)
	case total > object:
		say(Error, "the pipeline takes %s; a cluster stores objects of %s%s", bytes(total), bytes(object), largest)
	case float64(total) > near*object:
		say(Warning, "the pipeline takes %s, near the limit of %s for an object of the cluster%s", bytes(total), bytes(object), largest)
	case total > annotation:
		say(Warning, "the pipeline takes %s; older KFP servers, such as 2.2, keep it in annotations, which may have %s%s", bytes(total), bytes(annotation), largest)
	case float64(total) > near*annotation:
		say(Warning, "the pipeline takes %s, near the limit of %s of older KFP servers, such as 2.2%s", bytes(total), bytes(annotation), largest)
	}
	return all
}

// inputs finds values for runs that the server would refuse.
func inputs(p *program.Program) (all []Finding) {
	main := p.Component(p.Main)
	if main == nil {
		return nil
	}
	for _, in := range main.Inputs {
		if n := len([]rune(string(in.Default))); n > runInput {
			all = append(all, Finding{Level: Warning, Rule: "size", Pos: main.Pos,
				Msg: fmt.Sprintf("the default of input %s has %d characters; a KFP server takes %d for an input of a run, so that it can't be changed when the run is started", in.Name, n, runInput)})
		}
	}
	return all
}

// argoSize returns what is near or above the sizes that a cluster stores, for the
// YAML of an Argo Workflow. Templates are its templates, by name.
func argoSize(written int, templates map[string]int) []Finding {
	total := 0
	var parts []part
	for _, name := range sortedKeys(templates) {
		parts = append(parts, part{name, templates[name]})
		total += templates[name]
	}
	if total == 0 {
		total = written
	}
	largest := "; the largest: " + contributors(parts, total)
	switch {
	case total > object:
		return []Finding{{Level: Error, Rule: "size", Msg: fmt.Sprintf("the Workflow takes %s; a cluster stores objects of %s%s", bytes(total), bytes(object), largest)}}
	case float64(total) > near*workflow:
		return []Finding{{Level: Warning, Rule: "size", Msg: fmt.Sprintf("the Workflow takes %s; with its status it has to stay below about %s%s", bytes(total), bytes(workflow), largest)}}
	}
	return nil
}

// contributors lists the largest parts.
func contributors(parts []part, total int) string {
	slices.SortStableFunc(parts, func(a, b part) int { return cmp.Compare(b.size, a.size) })
	var words []string
	for _, p := range parts[:min(len(parts), 3)] {
		words = append(words, fmt.Sprintf("%s %s (%d %%)", p.name, bytes(p.size), 100*p.size/max(total, 1)))
	}
	return strings.Join(words, ", ")
}

// bytes is a size for people, in the units that limits are given in.
func bytes(n int) string {
	if n < 1<<20 {
		return fmt.Sprintf("%.0f KiB", float64(n)/1024)
	}
	return fmt.Sprintf("%.2f MiB", float64(n)/(1<<20))
}

// members returns the members of an object, sorted.
func members(n *jsontree.Node) []jsontree.Node {
	if n == nil {
		return nil
	}
	sorted := slices.Clone(n.Nodes)
	slices.SortStableFunc(sorted, func(a, b jsontree.Node) int { return cmp.Compare(a.Key, b.Key) })
	return sorted
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
