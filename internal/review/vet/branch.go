package vet

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// An origin is where a value comes from, followed through groups. Two values of one
// key are equal.
type origin struct {
	key   string
	known []json.RawMessage // all that it can be; nil: anything
}

// branches finds conditions that hold never, or always. Facts are the conditions
// around. The inputs of a pipeline that others call are anything: that one caller
// gives a constant is what inputs are for.
func (v *vetter) branches(c *program.Component, at string, env map[string]origin, facts []fact) {
	if c.DAG == nil || v.seen["branches "+c.Name] {
		return
	}
	v.seen["branches "+c.Name] = true
	for _, t := range c.DAG.Tasks {
		path := join(at, t.Name)
		sub := v.p.Component(t.Component)
		if sub == nil {
			continue
		}
		inner := facts
		if t.When != nil {
			of := func(name string) origin { return trace(t.Args[name], at, env) }
			var holds tri
			holds, inner = judge(t.When, of, facts)
			switch holds {
			case never:
				v.find(Warning, "branch", path, t.Pos, "its condition never holds, so that it never runs")
				continue
			case always:
				v.find(Warning, "branch", path, t.Pos, "its condition always holds, so that it needs none")
			}
		}
		if sub.DAG == nil {
			continue
		}
		below := map[string]origin{}
		if sub.DAG.Kind != program.Pipeline {
			below = traced(t, at, env)
			if t.Each != nil {
				below[t.Each.Item] = origin{key: path + "/" + t.Each.Item, known: items(t.Each.Items)}
			}
		} else {
			inner = nil
		}
		v.branches(sub, path, below, inner)
	}
}

// A way is how a task is reached from the pipeline.
type way struct {
	path string            // of the task
	at   string            // of the DAG that it is in
	env  map[string]origin // of the inputs of that DAG
	exit bool              // the task runs at the end, whatever else happens

	trail []place // in the DAGs from the pipeline down
}

// steps calls visit with the tasks of a pipeline that aren't DAGs, and how each is reached.
func (v *vetter) steps(main *program.Component, visit func(t *program.Task, c *program.Component, w way)) {
	budget := 20_000 // tasks that are looked at
	var walk func(c *program.Component, in way)
	walk = func(c *program.Component, in way) {
		for i, t := range c.DAG.Tasks {
			sub := v.p.Component(t.Component)
			if budget--; sub == nil || budget < 0 || len(in.trail) > 100 {
				continue
			}
			w := way{path: join(in.at, t.Name), at: in.at, env: in.env, exit: in.exit || t.Exit || t.Always}
			many := t.Each != nil && t.Each.Parallelism != 1 && (t.Each.Items.Kind != program.Const || len(items(t.Each.Items)) > 1)
			w.trail = append(in.trail[:len(in.trail):len(in.trail)], place{c.DAG, i, many})
			if sub.DAG == nil {
				visit(t, sub, w)
				continue
			}
			w.at, w.env = w.path, traced(t, in.at, in.env)
			walk(sub, w)
		}
	}
	if main.DAG != nil {
		walk(main, way{})
	}
}

// traced returns the origins of the inputs of what a task calls.
func traced(t *program.Task, at string, env map[string]origin) map[string]origin {
	all := map[string]origin{}
	for name, a := range t.Args {
		all[name] = trace(a, at, env)
	}
	return all
}

// items returns the items of a list that is a constant.
func items(list program.Value) (all []json.RawMessage) {
	if list.Kind == program.Const && json.Unmarshal(list.Const, &all) == nil {
		return all
	}
	return nil
}

// trace returns the origin of a value of a DAG.
func trace(v program.Value, at string, env map[string]origin) origin {
	if len(v.Field) == 0 && v.Selector == "" {
		switch v.Kind {
		case program.Const:
			return origin{key: string(v.Const), known: []json.RawMessage{v.Const}}
		case program.Input:
			if o, ok := env[v.Name]; ok {
				return o
			}
			return origin{key: at + "." + v.Name}
		case program.Output:
			return origin{key: join(at, v.Task) + "/" + v.Name}
		}
	}
	key, _ := json.Marshal(v)
	return origin{key: at + string(key)}
}

// A tri is the known value of a condition.
type tri int

const (
	unknown tri = iota
	never
	always
)

// A fact is a condition of the author's that holds or doesn't, where names are read
// as their origins.
type fact struct {
	e     *expr.Expr
	of    func(string) origin
	holds bool
}

// judge says whether a condition can hold where facts do, and returns the facts with
// it among them.
func judge(e *expr.Expr, of func(string) origin, facts []fact) (tri, []fact) {
	switch {
	case e.Op == "&&":
		result := always
		for _, a := range e.Args {
			var one tri
			one, facts = judge(a, of, facts)
			if one == never {
				return never, facts
			}
			if one == unknown {
				result = unknown
			}
		}
		return result, facts
	case e.Op == "||":
		result := never
		for _, a := range e.Args {
			switch one, _ := judge(a, of, facts); one {
			case always:
				return always, facts
			case unknown:
				result = unknown
			}
		}
		return result, append(slices.Clip(facts), fact{e, of, true})
	case e.Op == "!":
		inner := e.Args[0]
		switch inner.Op {
		case "!":
			return judge(inner.Args[0], of, facts)
		case "||":
			and := &expr.Expr{Op: "&&"}
			for _, a := range inner.Args {
				and.Args = append(and.Args, expr.Not(a))
			}
			return judge(and, of, facts)
		}
		one, _ := judge(inner, of, facts)
		return [...]tri{unknown, always, never}[one], append(slices.Clip(facts), fact{inner, of, false})
	}
	self := fact{e, of, true}
	for _, f := range facts {
		if f.text() == self.text() {
			if f.holds {
				return always, facts
			}
			return never, facts
		}
	}
	return compare(self, facts), append(slices.Clip(facts), self)
}

// text is the condition with origins for names.
func (f fact) text() string {
	var b strings.Builder
	var write func(e *expr.Expr)
	write = func(e *expr.Expr) {
		fmt.Fprintf(&b, "(%s %s", e.Op, e.Const)
		if e.Name != "" {
			b.WriteString(f.of(e.Name).key)
		}
		for _, a := range e.Args {
			write(a)
		}
		b.WriteByte(')')
	}
	write(f.e)
	return b.String()
}

// subject returns what a comparison compares with constants, and the constants.
func (f fact) subject() (o origin, constants []json.RawMessage, ok bool) {
	for _, a := range f.e.Args {
		switch {
		case a.Op == "const":
			constants = append(constants, a.Const)
		case a.Op == "name" && (o.key == "" || o.key == f.of(a.Name).key):
			o = f.of(a.Name)
		default:
			return o, nil, false
		}
	}
	return o, constants, len(f.e.Args) > 1 && o.key != ""
}

// compare tries a comparison with constants on values of all kinds that the facts
// allow: those that the constants name, and those between and around them.
func compare(c fact, facts []fact) tri {
	o, constants, ok := c.subject()
	if !ok {
		return unknown
	}
	about := []fact{}
	for _, f := range facts {
		if of, more, ok := f.subject(); ok && of.key == o.key {
			constants = append(constants, more...)
			about = append(about, f)
		}
	}
	tries := o.known
	if tries == nil {
		tries = around(constants)
	}
	yes, no := false, false
	for _, try := range tries {
		if !slices.ContainsFunc(about, func(f fact) bool { return f.eval(try) != f.holds }) {
			if c.eval(try) {
				yes = true
			} else {
				no = true
			}
		}
	}
	switch {
	case yes && !no && (o.known != nil || !optional(c.e)):
		return always
	case no && !yes:
		return never
	}
	return unknown
}

func optional(e *expr.Expr) bool {
	return e.Optional || slices.ContainsFunc(e.Args, optional)
}

func (f fact) eval(value json.RawMessage) bool {
	holds, err := f.e.Eval(func(string) (json.RawMessage, bool) { return value, true })
	return err == nil && holds
}

// around returns the constants and values between and beyond them.
func around(constants []json.RawMessage) (all []json.RawMessage) {
	all = slices.Clone(constants)
	var numbers []float64
	for _, c := range constants {
		var x any
		json.Unmarshal(c, &x)
		switch x := x.(type) {
		case float64:
			numbers = append(numbers, x)
		case bool:
			all = append(all, json.RawMessage("true"), json.RawMessage("false"))
		case string:
			b, _ := json.Marshal(x + "\x00")
			all = append(all, b, json.RawMessage(`""`), json.RawMessage(`"\uffff\uffff"`))
		}
	}
	slices.Sort(numbers)
	try := func(n float64) {
		if !math.IsInf(n, 0) {
			all = append(all, json.RawMessage(fmt.Sprint(n)))
		}
	}
	for i, n := range numbers {
		if i == 0 {
			try(n - beyond(n))
		}
		if i+1 < len(numbers) {
			try(n/2 + numbers[i+1]/2)
		} else {
			try(n + beyond(n))
		}
	}
	return all
}

// beyond returns a distance that leads from a number to another one, also where
// doubles are further apart than 1.
func beyond(n float64) float64 { return max(1, math.Abs(n)/2) }
