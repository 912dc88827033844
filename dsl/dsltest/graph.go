package dsltest

import (
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// A Task is one task of a pipeline as it is defined, a group included.
type Task struct {
	Path      string            // names of its groups and its own: exit-handler-1/condition-2/train
	Component string            // what it runs
	Kind      string            // go, python, container, resource, importer, pipeline; of groups condition, branches, loop, guarded
	When      string            // of a group: such as "if evaluate.accuracy >= 0.9" or "for each of sweep"
	After     []string          // names of the tasks beside it that it waits for, without those that they wait for
	Args      map[string]string // where each input comes from, such as "download.data", "epochs" or "0.5"
}

// Tasks returns the tasks of a pipeline, groups before what they hold, and ends the
// test if the definition has mistakes. Nothing is run.
func Tasks(t testing.TB, d dsl.Definition) []Task {
	t.Helper()
	boxes, err := picture.Boxes(lowered(t, d))
	if err != nil {
		t.Fatal(err)
	}
	all := make([]Task, len(boxes))
	for i, b := range boxes {
		all[i] = Task{Path: b.Path, Component: b.Component, Kind: b.Kind, When: b.Words, After: b.After, Args: b.Args}
	}
	return all
}

// FindTask returns the only task of a pipeline with a path, or the end of one.
func FindTask(t testing.TB, d dsl.Definition, name string) Task {
	t.Helper()
	tasks := Tasks(t, d)
	all := make([]string, len(tasks))
	for i, x := range tasks {
		all[i] = x.Path
	}
	found := matching(all, name)
	switch len(found) {
	case 0:
		t.Fatalf("there is no task %s; there are %s", name, strings.Join(all, ", "))
	case 1:
	default:
		t.Fatalf("there are %d tasks %s: %s; give more of the path", len(found), name, strings.Join(found, ", "))
	}
	return tasks[slices.Index(all, found[0])]
}

// matching returns the paths that are a name, or end in it.
func matching(paths []string, name string) (found []string) {
	for _, p := range paths {
		if p == name || strings.HasSuffix(p, "/"+name) {
			found = append(found, p)
		}
	}
	return found
}

// Outline returns the tasks of a pipeline as text, a line each, what a group holds
// below it: what kfpgo graph --format txt prints.
func Outline(t testing.TB, d dsl.Definition) string {
	t.Helper()
	b, err := picture.Outline(lowered(t, d), picture.Right)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func lowered(t testing.TB, d dsl.Definition) *program.Program {
	t.Helper()
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	g := recorded.Graph(d)
	root := g.Component(1)
	if len(g.Schedules) > 0 {
		root = g.Component(g.Schedules[0].Pipeline)
	}
	p, err := lower.Lower(g, root)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
