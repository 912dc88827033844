// Package expr is conditions: trees that are printed as CEL for KFP and as
// expr-lang for Argo, and evaluated on this machine, with one meaning.
//
// A comparison with an input that was not given is false, whatever the operator.
package expr

import (
	"encoding/json"
	"slices"
)

// An Expr is a node of a condition. Its operator is one of
//
//	== != < <= > >=   two operands
//	in                the first operand is one of the others
//	&& ||             one or more conditions
//	!                 one condition
//	given             the name in it has a value
//	name, const       an operand; a const of type BOOLEAN is a condition too
type Expr struct {
	Op    string          `json:"op"`
	Args  []*Expr         `json:"args,omitempty"`
	Name  string          `json:"name,omitempty"`  // of a name: the input that holds the value
	Type  string          `json:"type,omitempty"`  // of an operand
	Const json.RawMessage `json:"const,omitempty"` // of a const

	// Optional: the name may have no value.
	Optional bool `json:"optional,omitempty"`
	// Artifact: the name, in a given, is an artifact.
	Artifact bool `json:"artifact,omitempty"`
}

// And returns the condition that all of es hold; for one, that one itself.
func And(es ...*Expr) *Expr {
	if len(es) == 1 {
		return es[0]
	}
	return &Expr{Op: "&&", Args: es}
}

// Not returns the condition that e does not hold.
func Not(e *Expr) *Expr { return &Expr{Op: "!", Args: []*Expr{e}} }

// Needs reports whether e holds only if a name has a value.
func (e *Expr) Needs(name string) bool {
	needs := func(a *Expr) bool { return a.Needs(name) }
	switch e.Op {
	case "&&":
		return slices.ContainsFunc(e.Args, needs)
	case "||":
		return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !needs(a) })
	case "given":
		return e.Args[0].Name == name
	case "!", "name", "const":
		return false
	}
	return slices.ContainsFunc(e.optional(), func(n *Expr) bool { return n.Name == name })
}

// Names returns the names that e reads, each once, in order.
func (e *Expr) Names() []string {
	var names []string
	e.walk(func(e *Expr) {
		if e.Name != "" && !slices.Contains(names, e.Name) {
			names = append(names, e.Name)
		}
	})
	return names
}

// Rename returns a copy of e in which each name is what f makes of it.
func (e *Expr) Rename(f func(string) string) *Expr {
	if e == nil {
		return nil
	}
	c := *e
	if c.Name != "" {
		c.Name = f(c.Name)
	}
	c.Args = make([]*Expr, len(e.Args))
	for i, a := range e.Args {
		c.Args[i] = a.Rename(f)
	}
	return &c
}

// WithOptional returns a copy of e in which the names in optional may have
// no value, beside those that do already.
func (e *Expr) WithOptional(optional func(name string) bool) *Expr {
	c := *e
	c.Optional = e.Optional || e.Op == "name" && optional(e.Name)
	c.Args = make([]*Expr, len(e.Args))
	for i, a := range e.Args {
		c.Args[i] = a.WithOptional(optional)
	}
	return &c
}

func (e *Expr) walk(f func(*Expr)) {
	if e == nil {
		return
	}
	f(e)
	for _, a := range e.Args {
		a.walk(f)
	}
}

// optional lists the names of a comparison that may have no value.
func (e *Expr) optional() []*Expr {
	var names []*Expr
	for _, a := range e.Args {
		if a.Optional && !slices.ContainsFunc(names, func(n *Expr) bool { return n.Name == a.Name }) {
			names = append(names, a)
		}
	}
	return names
}

func (e *Expr) logical() bool { return e.Op == "&&" || e.Op == "||" }

// Conjuncts returns the conditions that must all hold.
func Conjuncts(e *Expr) []*Expr {
	if e == nil || e.Op != "&&" {
		return []*Expr{e}
	}
	var all []*Expr
	for _, a := range e.Args {
		all = append(all, Conjuncts(a)...)
	}
	return all
}
