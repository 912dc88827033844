package pyfunc

import (
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/pysrc"
)

var directive = lazyregexp.New(`^[ \t]*kfpgo:([a-z]*)(?:[ \t]+(.*))?$`)

// find finds the functions that are steps: those with @dsl.component or # kfpgo:step,
// or else all that have types.
func (f *File) find() {
	marks := f.directives()
	last := map[string]*pysrc.Function{}
	for _, fn := range f.module.Functions {
		if mark, marked := marks[fn]; marked || f.component(fn) != nil {
			f.add(fn, mark, last)
		}
	}
	if len(last) > 0 || len(f.errs) > 0 {
		return
	}
	for _, fn := range f.module.Functions {
		typed := func(p pysrc.Param) bool { return p.Type != nil }
		if len(fn.Decorators) == 0 && !strings.HasPrefix(fn.Name, "_") && (fn.Returns != nil || slices.ContainsFunc(fn.Params, typed)) {
			f.add(fn, "", last)
		}
	}
}

func (f *File) add(fn *pysrc.Function, called string, last map[string]*pysrc.Function) {
	if old := last[fn.Name]; old != nil {
		f.errorf(fn.Line, "there is a function %s already, on line %d; rename one of them", fn.Name, old.Line)
		return
	}
	last[fn.Name] = fn
	s := &step{fn: fn, name: called, variable: gosrc.Exported(fn.Name, "Step")}
	if called == "" {
		s.name = strings.Trim(strings.ReplaceAll(graph.PortName(fn.Name), "_", "-"), "-")
	}
	if s.name == "" {
		f.errorf(fn.Line, "function %s: its name has no letters for the name of the step; write one with # kfpgo:step NAME", fn.Name)
	}
	f.steps = append(f.steps, s)
}

// directives returns the names that # kfpgo:step gives to functions.
func (f *File) directives() map[*pysrc.Function]string {
	marks, used := map[*pysrc.Function]string{}, map[int]bool{}
	for _, fn := range f.module.Functions {
		for line := fn.Line - 1; ; line-- {
			text, ok := f.module.Comments[line]
			if !ok && line < fn.First {
				break
			}
			m := directive.FindStringSubmatch(text)
			if m == nil || m[1] != "step" {
				continue
			}
			if _, twice := marks[fn]; twice {
				f.errorf(line, "function %s has # kfpgo:step twice", fn.Name)
			}
			marks[fn], used[line] = strings.TrimSpace(m[2]), true
		}
	}
	for line, text := range f.module.Comments {
		m := directive.FindStringSubmatch(text)
		switch {
		case m == nil || used[line]:
		case m[1] == "step":
			f.errorf(line, "# kfpgo:step belongs right above a function, and no function follows this one")
		default:
			f.errorf(line, "there is no directive # kfpgo:%s; there is # kfpgo:step [NAME]", m[1])
		}
	}
	return marks
}

// component returns the decorator @dsl.component of a function, or nil.
func (f *File) component(fn *pysrc.Function) *pysrc.Expr {
	for _, d := range fn.Decorators {
		called := d
		if d.Kind == pysrc.Call {
			called = d.Of
		}
		if called.Kind == pysrc.Name && f.lastName(called) == "component" {
			return d
		}
	}
	return nil
}

// lastName returns the name behind the dots, which an import may have renamed.
func (f *File) lastName(e *pysrc.Expr) string {
	if alias := f.module.Aliases[e.Text]; alias != "" {
		return alias
	}
	return e.Text[strings.LastIndexByte(e.Text, '.')+1:]
}
