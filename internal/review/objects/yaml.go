package objects

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/printable"
	"github.com/kfpgo/kfpgo/internal/text/yaml"
)

var does = map[string]string{"create": "creates", "apply": "applies", "patch": "patches"}

// YAML returns the objects as one stream, with a comment above each that names the task.
// An object that is deleted, or has to exist, is only a comment, so that the stream holds the objects that are
// applied.
func YAML(p *program.Program, tasks []Task) ([]byte, error) {
	var b bytes.Buffer
	var notes []string
	note := func(format string, args ...any) {
		notes = append(notes, "# "+printable.Line(fmt.Sprintf(format, args...)))
	}
	any := false
	for _, t := range tasks {
		who := "task " + t.Item
		if c := p.Component(t.Task.Component); c != nil {
			who += " (" + c.Titled() + ")"
		}
		if t.If {
			who = "if its condition holds, " + who
		}
		if t.Error != "" {
			note("%s: its objects are known when it runs: %s", who, t.Error)
		}
		for _, input := range t.Whole {
			note("%s: objects that depend on <%s> are missing here", who, input)
		}
		for _, o := range t.Operations {
			_, kind, name, _ := o.Name()
			what, who := does[o.Action], who
			if len(o.Depends) > 0 {
				who = "depending on <" + strings.Join(o.Depends, ", ") + ">, " + who
			}
			switch {
			case o.Action == "get":
				note("%s looks for %s %s, which has to be there", who, kind, name)
				continue
			case o.Action == "delete":
				note("%s deletes %s %s", who, kind, name)
				continue
			case what == "":
				what = "does " + o.Action + " with"
			}
			note("%s %s", who, what)
			text, err := yaml.Marshal(o.Object)
			if err != nil {
				return nil, fmt.Errorf("task %s: %w", t.Item, err)
			}
			if any {
				b.WriteString("---\n")
			}
			any = true
			b.WriteString(strings.Join(notes, "\n") + "\n")
			b.Write(text)
			notes = nil
		}
	}
	if len(notes) > 0 || !any {
		if !any && len(notes) == 0 {
			note("no task works on objects of the cluster")
		}
		b.WriteString(strings.Join(notes, "\n") + "\n")
	}
	return b.Bytes(), nil
}
