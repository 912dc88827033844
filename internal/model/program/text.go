package program

import (
	"cmp"
	"fmt"
	"strings"
)

// Kind names what a component is: the kind of its DAG, or of what it runs; nothing for none.
func (c *Component) Kind() string {
	switch {
	case c == nil:
		return ""
	case c.DAG != nil:
		return string(c.DAG.Kind)
	case c.Exec != nil:
		return c.Exec.Kind()
	}
	return ""
}

// Titled returns what the author called a component: steps are started by that name.
func (c *Component) Titled() string { return cmp.Or(c.Title, c.Name) }

// Kind names what an executor runs.
func (x *Executor) Kind() string {
	switch {
	case x.Go != nil:
		return "go"
	case x.Container != nil:
		return "container"
	case x.Python != nil:
		return "python"
	case x.Resource != nil:
		return "resource"
	case x.Suspend != nil:
		return "suspend"
	}
	return "importer"
}

// String returns a short, readable form of a value.
func (v Value) String() string {
	var s string
	switch v.Kind {
	case Const:
		s = string(v.Const)
	case Input:
		s = "input " + v.Name
	case Output:
		s = v.Task + "." + v.Name
	case Status:
		s = "status of " + v.Task
	case Run:
		s = v.Name
	case Format:
		for i, t := range v.Text {
			s += t
			if i < len(v.Of) {
				s += "{" + v.Of[i].String() + "}"
			}
		}
		s = fmt.Sprintf("%q", s)
	default:
		s = string(v.Kind)
	}
	return strings.Join(append([]string{s}, v.Field...), " .")
}
