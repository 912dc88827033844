package lower_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// fprint writes a readable form of a program.
func fprint(w io.Writer, p *program.Program) {
	fmt.Fprintf(w, "program %s main %s\n", p.Name, p.Main)
	for _, c := range p.Components {
		fmt.Fprintf(w, "%s(%s) (%s)", c.Name, portList(c.Inputs), portList(c.Outputs))
		if c.Exec != nil {
			fmt.Fprintf(w, " = %s\n", c.Exec.Kind())
			continue
		}
		fmt.Fprintf(w, " = %s\n", c.DAG.Kind)
		for _, t := range c.DAG.Tasks {
			printTask(w, t)
		}
		for _, name := range slices.Sorted(maps.Keys(c.DAG.Outputs)) {
			var from []string
			for _, f := range c.DAG.Outputs[name].From {
				from = append(from, f.Task+"."+f.Output)
			}
			fmt.Fprintf(w, "  return %s = %s\n", name, strings.Join(from, " or "))
		}
	}
	for _, s := range p.Schedules {
		fmt.Fprintf(w, "schedule %s cron %q every %v zone %q\n", s.Name, s.Cron, s.Every, s.Zone)
		printArgs(w, s.Args)
	}
}

func printTask(w io.Writer, t *program.Task) {
	fmt.Fprintf(w, "  %s = %s", t.Name, t.Component)
	if len(t.After) > 0 {
		fmt.Fprintf(w, " after %s", strings.Join(t.After, ", "))
	}
	if t.Always {
		fmt.Fprint(w, " always")
	}
	if t.Exit {
		fmt.Fprint(w, " exit")
	}
	fmt.Fprintln(w)
	if t.When != nil {
		fmt.Fprintf(w, "    when %s\n", t.When.CEL())
	}
	if e := t.Each; e != nil {
		fmt.Fprintf(w, "    each %s in %s limit %d\n", e.Item, e.Items, e.Parallelism)
	}
	printArgs(w, t.Args)
	if b, _ := json.Marshal(t.Settings); string(b) != "{}" {
		fmt.Fprintf(w, "    settings %s\n", b)
	}
}

func printArgs(w io.Writer, args map[string]program.Value) {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		fmt.Fprintf(w, "    %s = %s\n", name, args[name])
	}
}

func portList(ps []program.Port) string {
	parts := make([]string, len(ps))
	for i, p := range ps {
		parts[i] = p.Name + " " + typeName(p.Type)
		if p.Default != nil {
			parts[i] += "=" + string(p.Default)
		}
		if p.Optional {
			parts[i] += "?"
		}
	}
	return strings.Join(parts, ", ")
}

func typeName(t graph.Type) string {
	if t.List {
		return t.Name + "[]"
	}
	return t.Name
}
