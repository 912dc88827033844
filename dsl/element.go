package dsl

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// An Element is an argument of a container that a run expands. See [IfPresent]
// and [Concat].
type Element struct {
	input      string // of an IfPresent
	then, none []any
	concat     []any
	problem    string
}

// IfPresent returns an argument that expands to the given ones when an optional
// input was given, and to those of Else, or none, when it was not. KFP calls it
// an IfPresentPlaceholder. Use [Given] for a condition in a pipeline.
//
//	dsl.Args("train", dsl.IfPresent(in.Base, "--from", in.Base.Path()).Else("--from-scratch"))
func IfPresent(in Input, then ...any) Element {
	v := in.ref()
	if v == nil || v.Kind != record.Placeholder || v.Output {
		return Element{problem: "IfPresent takes an input of the container"}
	}
	return Element{input: v.Name, then: then}
}

// Else returns the IfPresent with what it expands to when the input was not given.
func (e Element) Else(args ...any) Element {
	if e.problem == "" && (e.input == "" || e.none != nil || len(args) == 0) {
		e.problem = "Else follows an IfPresent, once, and has arguments"
	}
	e.none = args
	return e
}

// Concat returns an argument that is its parts, one after the other, for those of
// which one is an [IfPresent]; others Go's + joins as well. KFP calls it a
// ConcatPlaceholder.
//
//	dsl.Args(dsl.Concat("--out=", out.Model.Path(), dsl.IfPresent(in.Suffix, in.Suffix)))
func Concat(parts ...any) Element {
	if len(parts) == 0 {
		return Element{problem: "Concat of nothing"}
	}
	return Element{concat: parts}
}

// String returns the form that a run expands.
func (e Element) String() string {
	if problem := e.check(false); problem != "" {
		return record.Bad(problem)
	}
	return jsonOf(e.tree(false))
}

// check returns the error in e. Single: it stands for one string.
func (e Element) check(single bool) string {
	if e.problem != "" {
		return e.problem
	}
	if e.input == "" && e.concat == nil {
		return "an Element that is empty; make it with dsl.IfPresent or dsl.Concat"
	}
	if single && e.input != "" && (len(e.then) != 1 || len(e.none) > 1) {
		return "an IfPresent inside a Concat has one argument, and its Else too"
	}
	single = single || e.concat != nil
	for _, args := range [][]any{e.then, e.none, e.concat} {
		for _, a := range args {
			if e, ok := a.(Element); ok {
				if problem := e.check(single); problem != "" {
					return problem
				}
			}
		}
	}
	return ""
}

// tree returns e as KFP writes it, for JSON.
func (e Element) tree(single bool) any {
	list := func(args []any, single bool) any {
		out := make([]any, len(args))
		for i, a := range args {
			if e, ok := a.(Element); ok {
				out[i] = e.tree(single)
			} else {
				out[i] = Args(a)[0]
			}
		}
		if single && e.concat == nil {
			return out[0]
		}
		return out
	}
	if e.concat != nil {
		return map[string]any{"Concat": list(e.concat, true)}
	}
	x := map[string]any{"InputName": e.input, "Then": list(e.then, single)}
	if e.none != nil {
		x["Else"] = list(e.none, single)
	}
	return map[string]any{"IfPresent": x}
}

func jsonOf(v any) string {
	b, err := jsontext.Marshal(v)
	if err != nil {
		return record.Bad(fmt.Sprint(err))
	}
	return string(b)
}
