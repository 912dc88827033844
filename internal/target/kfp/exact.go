package kfp

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A string with references in it is to KFP a constant with placeholders, and KFP's
// launcher replaces placeholders in the command line of a step, in no order: those
// of a string that it puts in last are left, on every server up to now where a
// container names an input, and before 2.14 where a step takes all inputs as one
// JSON. In that JSON quotes and line ends of the values are not escaped either.
//
// So IR that is exact has such strings in the command line of the container itself,
// where one pass in any order is right, and hides the placeholders of steps that
// run in a runtime of ours from the launcher: those do it themselves.

// exact reports whether IR is written so. IR that was read from a file stays unchanged.
func (w *writer) exact() bool { return w.o.Exact && w.p.IR == nil }

// composes reports whether a step puts the values into its strings itself.
func (w *writer) composes(c *program.Component) bool {
	return w.exact() && c != nil && c.Composes()
}

// hide returns a placeholder in a form that the launcher doesn't look for, which is
// the same to all else; in a string or in the JSON of a list or struct.
func hide(text string, inJSON bool) string {
	name := placeholder.Parse(text)[0].Name
	if strings.ContainsAny(name, `"\`) {
		return text
	}
	if inJSON {
		return `{{$.inputs.parameters[\"` + name + `\"]}}`
	}
	return `{{$.inputs.parameters["` + name + `"]}}`
}

// called refuses a string that a pipeline is called with: the placeholders in it go to
// the tasks inside, which don't have the values.
func (w *writer) called(at place, c *program.Component, what string, p *kfpspec.InputParameter) {
	if w.exact() && c != nil && c.DAG != nil && p.RuntimeValue != nil && bytes.Contains(p.RuntimeValue.Constant, []byte(inputPlaceholder)) {
		at.errorf("%s: KFP puts no values into a string that a pipeline is called with; make the string in a step before, or inside of %s from its parts", what, c.Titled())
	}
}

// halvedTwice is what becomes a $: Kubernetes makes one $ of two, in the arguments of KFP's
// driver and then in the pod.
const halvedTwice = "$$$$"

// dollars returns a part of a command line that reaches the container as it is here. A
// single $ does, but for the $(NAME) of a variable, which has capital letters.
func (w *writer) dollars(args []string) []string {
	if !w.exact() {
		return args
	}
	args = slices.Clone(args)
	for i, s := range args {
		args[i] = expanded.ReplaceAllStringFunc(s, func(run string) string { return strings.ReplaceAll(run, "$", halvedTwice) })
	}
	return args
}

var expanded = lazyregexp.New(`\$\$+|\$\([A-Z_]`)

const inputPlaceholder = "{{$.inputs.parameters["

// direct puts the strings of a task into the command line of its container, evaluates
// there the values known when compiling, and declares the inputs that this takes.
func (w *writer) direct(at place, c *program.Component, spec *kfpspec.ComponentSpec, k *kfpspec.Container, inputs *kfpspec.TaskInputs) {
	texts := w.formats(at, inputs)
	old := w.older(allInputs)
	for _, e := range slices.Concat(k.Command, k.Args) {
		if old && len(texts) > 0 && strings.Contains(e, contract.ExecutorInput) {
			at.errorf("a string with references in it: KFP before 2.%d leaves some of them out by chance where a step takes all inputs as one JSON, as the form of KFP's SDK does; make the string in a step before", allInputs)
			return
		}
	}
	if c.Exec.Container == nil {
		return
	}
	used := map[string]bool{}
	k.Command, k.Args = w.elements(at, c, k.Command, texts, used), w.elements(at, c, k.Args, texts, used)
	for name := range used {
		for _, part := range placeholder.Parse(texts[name]) {
			if part.Kind == placeholder.InputParam && c.Input(part.Name) == nil {
				if spec.InputDefinitions == nil {
					spec.InputDefinitions = &kfpspec.InputDefinitions{}
				}
				kfpspec.Put(&spec.InputDefinitions.Parameters, part.Name, &kfpspec.ParameterSpec{ParameterType: w.typeOf(at, part.Name, inputs), IsOptional: true})
			}
		}
	}
}

// allInputs is the KFP that puts all inputs into a command line first, as the N of 2.N.
const allInputs = 14

// formats returns the arguments of a task that have references in them, as strings with
// placeholders.
func (w *writer) formats(at place, inputs *kfpspec.TaskInputs) map[string]string {
	texts := map[string]string{}
	for name, v := range at.task.Args {
		p := inputs.Parameters[name]
		if v.Kind != program.Format || p == nil || p.RuntimeValue == nil {
			continue
		}
		text := string(p.RuntimeValue.Constant)
		if !v.JSON() {
			_ = json.Unmarshal(p.RuntimeValue.Constant, &text) // it was made of a string
		}
		parts := placeholder.Parse(text)
		if !slices.ContainsFunc(parts, func(p placeholder.Part) bool { return p.Kind == placeholder.InputParam }) {
			continue
		}
		texts[name] = placeholder.Join(parts)
	}
	return texts
}

// elements returns a part of a command line with strings in place of the inputs that
// have them. Conditions of which only a run knows the outcome stay.
func (w *writer) elements(at place, c *program.Component, list []string, texts map[string]string, used map[string]bool) []string {
	var out []string
	for _, s := range list {
		unknown := false
		element := placeholder.ParseElement(s)
		value := func(p placeholder.Part) (string, error) {
			if text, ok := texts[p.Name]; ok && p.Kind == placeholder.InputParam {
				used[p.Name] = true
				return text, nil
			}
			return p.String(), nil
		}
		args, _ := element.Expand(value, func(input string) bool { // value never fails
			given, known := w.given(at, c, input)
			unknown = unknown || !known
			return given
		})
		if !unknown {
			out = append(out, args...)
			continue
		}
		element.All(func(p placeholder.Part) {
			if text, err := value(p); err == nil && text != p.String() {
				s = strings.ReplaceAll(s, p.String(), inJSON(text))
			}
		})
		out = append(out, s)
	}
	return out
}

func inJSON(s string) string {
	b := jsontext.String(s)
	return string(b[1 : len(b)-1])
}

// given reports whether a task gives an input a value, and whether that is known.
func (w *writer) given(at place, c *program.Component, input string) (given, known bool) {
	in := c.Input(input)
	if in == nil {
		return false, false
	}
	v, ok := at.task.Args[input]
	switch {
	case in.Default != nil:
		return true, true
	case !ok:
		return false, true
	}
	return true, w.in != nil && !w.p.Nullable(w.in, v)
}

// typeOf returns the type of an input that was added to a task for a reference.
func (w *writer) typeOf(at place, name string, inputs *kfpspec.TaskInputs) string {
	for _, v := range at.task.Values() {
		if v.Kind != program.Input && v.Kind != program.Output {
			continue
		}
		if p := w.reference(at, "", v); reflect.DeepEqual(p, inputs.Parameters[name]) {
			return v.Type.Name
		}
	}
	return kfptype.String
}

// lastOfBranches is the set of steps in the branches of a OneOf after which no other
// comes. They must run each time: a server takes the output of the branch whose state is
// COMPLETE, and only a step that runs sets the state of the branch that it is in, so that
// a run whose last step there comes from the cache fails (kubeflow/pipelines 2.17,
// metadata.Client.UpdateDAGExecutionsState).
func lastOfBranches(p *program.Program) map[*program.Task]bool {
	all := map[*program.Task]bool{}
	var last func(c *program.Component)
	last = func(c *program.Component) {
		for _, t := range c.DAG.Tasks {
			if slices.ContainsFunc(c.DAG.Tasks, func(o *program.Task) bool { return slices.Contains(o.After, t.Name) }) {
				continue
			}
			if sub := p.Component(t.Component); sub != nil && sub.DAG != nil {
				last(sub)
			} else {
				all[t] = true
			}
		}
	}
	for _, c := range p.Components {
		if c.DAG == nil || c.DAG.Kind != program.Branches {
			continue
		}
		for _, out := range c.Outputs {
			if len(c.DAG.Outputs[out.Name].From) > 1 {
				last(c)
				break
			}
		}
	}
	return all
}
