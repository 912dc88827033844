package progress

import (
	"fmt"
	"io"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// plain writes a line for each change of a step.
type plain struct {
	w    io.Writer
	seen map[string]run.Task
}

func newPlain(w io.Writer) *plain { return &plain{w: w, seen: map[string]run.Task{}} }

func (p *plain) observe(t run.Task) {
	text := p.line(t)
	p.seen[t.Path] = run.Task{State: t.State, Attempts: t.Attempts, Reason: t.Reason}
	if text != "" {
		p.note(text)
	}
}

func (p *plain) note(text string) { p.write(printable.Line(text)) }

func (p *plain) write(line string) { io.WriteString(p.w, line+"\n") }

// leaf reports whether a task is a step, and not a group of tasks.
func leaf(t run.Task) bool {
	n := node{task: t}
	return !n.group()
}

// line says what is new about a task; nothing: it needs no line.
func (p *plain) line(t run.Task) string {
	was := p.seen[t.Path]
	took := ""
	if !t.Started.IsZero() && !t.Ended.IsZero() {
		took = " in " + Duration(t.Ended.Sub(t.Started), true)
	}
	switch {
	case t.State == run.Running && was.State == t.State && leaf(t) && t.Reason != "" && t.Reason != was.Reason:
		return t.Path + because(t.Reason) // it fails and is tried again, or waits for packages
	case t.State == was.State && (t.State != run.Running || t.Attempts <= max(was.Attempts, 1)):
	case t.State == run.Running && leaf(t) && t.Attempts > 1:
		return fmt.Sprintf("%s: attempt %d%s", t.Path, t.Attempts, because(t.Error))
	case t.State == run.Running && leaf(t):
		return t.Path + ": started"
	case t.State == run.Skipped:
		return t.Path + ": skipped" + because(t.Reason)
	case t.State == run.Failed && leaf(t):
		return fmt.Sprintf("%s: failed%s%s", t.Path, took, because(t.Error))
	case t.State.Done() && leaf(t):
		return t.Path + ": " + kfptype.Word(t.State) + took
	}
	return ""
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	return ": " + firstLine(reason)
}
