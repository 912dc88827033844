package argo

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/kfpgo/kfpgo/internal/program"
)

// reserved words can't be the names of tasks: they mean something in the
// expressions that say what a task depends on.
var reserved = map[string]bool{
	"and": true, "contains": true, "else": true, "endswith": true, "false": true, "if": true, "in": true, "let": true,
	"matches": true, "nil": true, "not": true, "or": true, "startswith": true, "true": true,
}

// taskName returns what a task is called in the Workflow.
func taskName(name string) string {
	if reserved[name] {
		return "t-" + name
	}
	return letterFirst(name)
}

// letterFirst returns a name that begins with a letter.
func letterFirst(name string) string {
	if name != "" && (name[0] < 'a' || name[0] > 'z') {
		return "t-" + name
	}
	return name
}

var goodName = regexp.MustCompile(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// badName says why a name can't be that of a task or template.
func badName(name string) string {
	switch {
	case !goodName.MatchString(name):
		return fmt.Sprintf("%q must be lower case letters, digits and -, with a letter first", name)
	case len(name) > 63:
		return fmt.Sprintf("%q has %d letters, and Argo takes 63", name, len(name))
	}
	return ""
}

// reads reports whether the condition of a task reads an argument.
func reads(t *program.Task, name string) bool {
	return t.When != nil && slices.Contains(t.When.Names(), name)
}
