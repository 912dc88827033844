package picture

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// words says what a group means to a reader.
func words(n *node) string {
	if n.component == nil || n.component.DAG == nil {
		return condition(n) // a box of its own may have a condition too, in a KFP file
	}
	switch n.component.DAG.Kind {
	case program.Condition:
		if s := condition(n); s != "" {
			return s
		}
	case program.Loop:
		if e := n.task.Each; e != nil {
			s := "for each of " + shorten(name(n.parent, e.Items))
			if c := condition(n); c != "" {
				s = c + ": " + s
			}
			return s
		}
	case program.Branches:
		return "one of these"
	case program.Guarded:
		return "guarded by an exit handler"
	case program.Pipeline:
		return "pipeline " + n.component.Name
	}
	return ""
}

// detail says more about a group.
func detail(n *node) string {
	if e := n.task.Each; e != nil && e.Parallelism > 0 {
		return fmt.Sprintf("%d at a time", e.Parallelism)
	}
	return ""
}

// condition says when n runs. The conditions of the arms of an If hold that no
// earlier one did, which a reader knows as else.
func condition(n *node) string {
	e := n.task.When
	if e == nil {
		return ""
	}
	say := func(e *expr.Expr) string {
		return e.Words(func(arg string) string {
			if v, ok := n.task.Args[arg]; ok {
				return name(n.parent, v)
			}
			return trim(arg)
		}, shorten)
	}
	if p := n.parent; p.component.DAG.Kind != program.Branches || p.children[0] == n {
		return "if " + say(e)
	}
	switch own := e.Arm(); own {
	case nil:
		return "else"
	case e:
	default:
		return "else if " + say(own)
	}
	return "if " + say(e)
}

// name follows a value in the DAG of group n to where it comes from: an input of
// the pipeline, or an output of a box.
func name(n *node, v program.Value) string {
	field := strings.Join(append([]string{""}, v.Field...), ".")
	switch v.Kind {
	case program.Input:
		if n.parent == nil {
			return v.Name + field
		}
		if e := n.task.Each; e != nil && e.Item == v.Name {
			return "item of " + name(n.parent, e.Items) + field
		}
		if arg, ok := n.task.Args[v.Name]; ok {
			return name(n.parent, arg) + field
		}
		return trim(v.Name) + field
	case program.Output:
		i := slices.IndexFunc(n.children, func(c *node) bool { return c.task.Name == v.Task })
		if i < 0 {
			return trim(v.Task) + "." + trim(v.Name) + field
		}
		return output(n.children[i], v.Name) + field
	case program.Const:
		text, _ := v.Constant()
		return shorten(text) + field
	case program.Format:
		var b strings.Builder
		for i, text := range v.Text {
			b.WriteString(text)
			if i < len(v.Of) {
				b.WriteString("{" + name(n, v.Of[i]) + "}")
			}
		}
		return shorten(strconv.Quote(b.String())) + field
	}
	return v.String()
}

// output names an output by the box that makes it.
func output(n *node, port string) string {
	if n.group() {
		if from := n.component.DAG.Outputs[port].From; len(from) > 0 {
			for _, c := range n.children {
				if c.task.Name == from[0].Task {
					return output(c, from[0].Output)
				}
			}
		}
	}
	return n.title() + "." + trim(port)
}

// trim takes away the prefix that names of values between groups have.
func trim(name string) string {
	if i := strings.LastIndex(name, contract.Channel); i >= 0 {
		return name[i+len(contract.Channel):]
	}
	return name
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return s
}
