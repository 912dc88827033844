package lineage

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Tree returns a trace as a tree of lines for people: first what the artifact comes
// from, then what has read it.
func (t *Trace) Tree() string {
	d := &drawing{shown: map[string]bool{}}
	d.line("", t.Artifact.title())
	d.branches("", append(d.tasks(t.Up, t.Artifact.ID, false), d.tasks(t.Down, t.Artifact.ID, true)...))
	return d.b.String()
}

type drawing struct {
	b     strings.Builder
	shown map[string]bool // artifacts whose branches are there already
}

// A branch is a line and what is below it.
type branch struct {
	text  string
	below func() []branch
}

func (d *drawing) line(prefix, text string) { d.b.WriteString(prefix + printable.Line(text) + "\n") }

func (d *drawing) branches(prefix string, all []branch) {
	for i, b := range all {
		edge, bar := "├─ ", "│  "
		if i == len(all)-1 {
			edge, bar = "└─ ", "   "
		}
		d.line(prefix+edge, b.text)
		d.branches(prefix+bar, b.below())
	}
}

func nothing() []branch { return nil }

var verbs = map[EventKind]string{Made: "made by ", Imported: "imported by ", Reused: "taken from the cache by ", Read: "read by "}

// tasks returns what an artifact comes from, or what it went into, as branches.
func (d *drawing) tasks(g *Graph, id string, into bool) (out []branch) {
	done := map[string]bool{} // a task may read an artifact by two inputs
	for _, ev := range g.Events {
		if ev.Artifact != id || (ev.Kind == Read) != into || into && done[ev.Execution] {
			continue
		}
		done[ev.Execution] = true
		e := g.Execution(ev.Execution)
		out = append(out, branch{verbs[ev.Kind] + e.title(), func() []branch { return d.artifacts(g, e, into) }})
	}
	return out
}

// artifacts returns what an execution has made, or else what it has read, as branches.
func (d *drawing) artifacts(g *Graph, e *Execution, made bool) (out []branch) {
	word := "from "
	if made {
		word = "into "
	}
	for _, ev := range g.Events {
		if ev.Execution != e.ID || (ev.Kind == Read) == made {
			continue
		}
		a := g.Artifact(ev.Artifact)
		key := word + a.ID
		if d.shown[key] {
			out = append(out, branch{word + a.title() + ", as above", nothing})
			continue
		}
		d.shown[key] = true
		out = append(out, branch{word + a.title(), func() []branch { return d.tasks(g, a.ID, made) }})
	}
	return out
}

func (a *Artifact) title() string {
	if a.Type == "" {
		return fmt.Sprintf("%s %s", a.Name, a.ID)
	}
	return fmt.Sprintf("%s (%s) %s", a.Name, a.Type, a.ID)
}

func (e *Execution) title() string {
	if e.State == "" {
		return e.Run + "/" + e.Task
	}
	return e.Run + "/" + e.Task + ", " + e.State
}

// DOT returns a trace as a graph for Graphviz: boxes are tasks, and what is round
// are artifacts.
func (t *Trace) DOT() string {
	var b strings.Builder
	b.WriteString("digraph lineage {\n  rankdir=LR;\n  node [fontname=\"sans-serif\", fontsize=11];\n")
	done := map[string]bool{}
	add := func(line string) {
		if !done[line] {
			done[line] = true
			b.WriteString("  " + line + ";\n")
		}
	}
	q := func(s string) string { return strconv.Quote(printable.Text(s)) }
	add(fmt.Sprintf("%s [shape=ellipse, style=bold, label=%s]", q("a:"+t.Artifact.ID), q(t.Artifact.Name+"\n"+t.Artifact.Type)))
	for _, g := range []*Graph{t.Up, t.Down} {
		for _, a := range g.Artifacts {
			if a.ID != t.Artifact.ID {
				add(fmt.Sprintf("%s [shape=ellipse, label=%s]", q("a:"+a.ID), q(a.Name+"\n"+a.Type)))
			}
		}
		for _, e := range g.Executions {
			add(fmt.Sprintf("%s [shape=box, label=%s]", q("e:"+e.ID), q(e.Task+"\n"+e.Run)))
		}
		for _, ev := range g.Events {
			from, to, style := q("e:"+ev.Execution), q("a:"+ev.Artifact), ""
			if ev.Kind == Read {
				from, to = to, from
			}
			if ev.Kind == Reused {
				style = ", style=dashed"
			}
			add(fmt.Sprintf("%s -> %s [label=%s%s]", from, to, q(string(ev.Kind)), style))
		}
	}
	b.WriteString("}\n")
	return b.String()
}
