package progress

import (
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A node is a task, or a group of tasks: one that has some below it.
type node struct {
	task     run.Task
	name     string
	children []*node
}

// A tree is the tasks of a run, in the order in which they became known.
type tree struct {
	root   node
	byPath map[string]*node
}

// set takes note of a task. A group may be reported after the tasks in it.
func (t *tree) set(task run.Task) { t.at(task.Path).task = task }

func (t *tree) at(path string) *node {
	if n := t.byPath[path]; n != nil {
		return n
	}
	if t.byPath == nil {
		t.byPath = map[string]*node{}
	}
	parent, name := &t.root, path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		parent, name = t.at(path[:i]), path[i+1:]
	}
	n := &node{name: name, task: run.Task{Path: path}}
	parent.children = append(parent.children, n)
	t.byPath[path] = n
	return n
}

// group reports whether a node stands for others.
func (n *node) group() bool {
	if len(n.children) > 0 {
		return true
	}
	switch n.task.Kind {
	case "go", "python", "container", "resource", "importer", "suspend", "":
		return false
	}
	return true
}

// iteration reports whether a node is one of a loop: its name is a number.
func (n *node) iteration() bool {
	return n.name != "" && strings.Trim(n.name, "0123456789") == ""
}

// loop reports whether a node has iterations.
func (n *node) loop() bool { return len(n.children) > 0 && n.children[0].iteration() }

// counts are how many steps there are in each state.
type counts struct{ all, done, running, failed, waiting, skipped, cached int }

func (c *counts) add(s run.State) {
	c.all++
	switch s {
	case run.Running:
		c.running++
	case run.Failed, run.Cancelled:
		c.failed++
		c.done++
	case run.Skipped:
		c.skipped++
		c.done++
	case run.Cached:
		c.cached++
		c.done++
	case run.Pending, "":
		c.waiting++
	default:
		if s.Done() {
			c.done++
		} else {
			c.waiting++
		}
	}
}

// count counts the steps in n; for a step that is itself.
func (n *node) count(c *counts) {
	if !n.group() {
		c.add(n.task.State)
		return
	}
	for _, child := range n.children {
		child.count(c)
	}
}

// state is that of a task, or of what is in a group that nobody has spoken of.
func (n *node) state() run.State {
	if n.task.State != "" || !n.group() {
		return n.task.State
	}
	var c counts
	n.count(&c)
	switch {
	case c.running > 0 || c.done > 0 && c.done < c.all:
		return run.Running
	case c.failed > 0:
		return run.Failed
	case c.all > 0 && c.skipped == c.all:
		return run.Skipped
	case c.all > 0 && c.done == c.all:
		return run.Succeeded
	}
	return run.Pending
}

// took is how long a task has run, and whether it has.
func (n *node) took(now time.Time) (time.Duration, bool) {
	t := n.task
	switch {
	case t.Started.IsZero(), t.State == run.Skipped, t.State == run.Pending:
		return 0, false
	case !t.State.Done():
		return max(now.Sub(t.Started), 0), true
	case t.Ended.IsZero():
		return 0, false
	}
	return max(t.Ended.Sub(t.Started), 0), true
}
