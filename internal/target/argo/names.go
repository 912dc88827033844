package argo

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// TaskName returns what a task is called in the Workflow.
func TaskName(name string) string {
	if expr.Reserved(name) {
		return "t-" + name
	}
	return safeName(letterFirst(name), name)
}

// safeName returns a name that Argo takes: one that is too long, or has something
// else in it than lower-case letters, digits and dashes, is cut and gets a hash of
// what it was, so that no two names become one.
func safeName(name, whole string) string {
	if badName(name) == "" {
		return name
	}
	sum := sha256.Sum256([]byte(whole))
	name = letterFirst(dashed(name))
	name = strings.Trim(name[:min(len(name), maxTaskName-9)], "-")
	return letterFirst(name) + "-" + hex.EncodeToString(sum[:4])
}

// maxTaskName is how long the name of a task or template may be.
const maxTaskName = 63

// dashed returns a name in which all else than lower-case letters and digits are
// dashes.
func dashed(name string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'A' && r <= 'Z':
			return r - 'A' + 'a'
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, name), "-")
}

// letterFirst returns a name that begins with a letter.
func letterFirst(name string) string {
	if name != "" && (name[0] < 'a' || name[0] > 'z') {
		return "t-" + name
	}
	return name
}

var goodName = lazyregexp.New(`^[a-z]([-a-z0-9]*[a-z0-9])?$`)

// badName says why a name can't be that of a task or template.
func badName(name string) string {
	switch {
	case !goodName.MatchString(name):
		return fmt.Sprintf("%q must be lower case letters, digits and -, with a letter first", name)
	case len(name) > maxTaskName:
		return fmt.Sprintf("%q has %d letters, and Argo takes %d", name, len(name), maxTaskName)
	}
	return ""
}

// reads reports whether the condition of a task reads an argument.
func reads(t *program.Task, name string) bool {
	return t.When != nil && slices.Contains(t.When.Names(), name)
}
