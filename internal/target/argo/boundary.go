package argo

import (
	"encoding/json"
	"fmt"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// The arguments of a Workflow are strings that people type: argo submit -p, a form of
// Argo's UI, a CronWorkflow. One rule holds for all inputs, with or without a
// default, as on kfpgo's own command line: a string, and the URI of an artifact,
// are the text itself, and anything else is JSON. Inside of the Workflow there are
// carriers only, which fromArgument makes of them.

// notGiven is the argument of an optional input that isn't given. Nobody would give this
// string as a value: "null" is a string like any other.
const notGiven = "(kfpgo: not given)"

// argumentText returns the expression for the text of an argument.
func argumentText(in *program.Port) string { return "workflow.parameters[" + literal(in.Name) + "]" }

// isNotGiven returns the expression for whether an argument wasn't given.
func isNotGiven(in *program.Port) string { return argumentText(in) + " == " + literal(notGiven) }

// jsonArgument is how an argument that is JSON is read. Arguments knows it by that.
func jsonArgument(name string) string { return "trim(workflow.parameters[" + literal(name) + "])" }

// jsonTypes are what expressions call the types of JSON, and the words for them.
var jsonTypes = map[string][2]string{
	kfptype.Double: {"float", "a number"}, kfptype.Boolean: {"bool", "true or false"},
	kfptype.List: {"array", "a list in JSON"}, kfptype.Struct: {"map", "an object in JSON"},
}

// fromArgument returns the expression for the carrier of an argument. What isn't of
// the input's type fails the task that reads it, by the input's name: int of a string
// that isn't an integer is an error with the string in it.
func fromArgument(in *program.Port) string {
	e, text := encoded(argumentText(in)), jsonArgument(in.Name)
	switch is, ok := jsonTypes[in.Type.Name]; {
	case in.Type.Artifact:
	case in.Type.Name == kfptype.Integer:
		e = "string(int(" + text + "))"
	case ok:
		right := text
		if is[0] == "array" || is[0] == "map" {
			right = armour(text)
		}
		e = "(type(fromJSON(" + text + ")) == '" + is[0] + "' ? " + right + " : string(int('input " + in.Name + ": give " + is[1] + "')))"
	}
	if optional(in) {
		e = "(" + isNotGiven(in) + " ? 'null' : " + e + ")"
	}
	return e
}

// textArgument returns the input of the pipeline that a value is the whole of, if
// its argument is plain text.
func (s *scope) textArgument(v program.Value) *program.Port {
	if !s.root || v.Kind != program.Input || len(v.Field) > 0 {
		return nil
	}
	if in := s.comp.Input(v.Name); in != nil && in.Type.Name == kfptype.String && !in.Type.Artifact {
		return in
	}
	return nil
}

// argumentOf returns the argument for a value.
func argumentOf(value json.RawMessage) string {
	c := program.Value{Kind: program.Const, Const: value}
	if text, ok := c.Constant(); ok && strings.HasPrefix(strings.TrimSpace(string(value)), `"`) {
		return text
	}
	return constCarrier(value)
}

// passable is an error if a CronWorkflow can't pass a string.
func passable(text string) error {
	if containsTag(text) {
		return fmt.Errorf("the string %q has {{ in it, which Argo replaces in arguments of a schedule; make it the default of the input", text)
	}
	return nil
}

// Arguments returns what the arguments of a Workflow hold, by the rule above. What
// wasn't given is left out. Of an input that no task reads, and in Workflows of
// others, a string that is JSON is taken for that.
func Arguments(w *wfv1.Workflow) map[string]json.RawMessage {
	spec := &w.Spec
	if len(spec.Templates) == 0 && w.Status.StoredWorkflowSpec != nil {
		spec = w.Status.StoredWorkflowSpec
	}
	var read strings.Builder // the templates that read arguments
	for i := range spec.Templates {
		if t := &spec.Templates[i]; t.Name == spec.Entrypoint || t.Name == spec.Hooks[wfv1.ExitLifecycleEvent].Template {
			b, _ := json.Marshal(t) // it came as JSON
			read.Write(b)
		}
	}
	ps := w.Spec.Arguments.Parameters
	if len(ps) == 0 {
		ps = spec.Arguments.Parameters
	}
	all := map[string]json.RawMessage{}
	for _, p := range ps {
		if p.Value == nil || string(*p.Value) == notGiven || strings.HasPrefix(p.Name, "kfpgo-") {
			continue
		}
		text := p.Value.String()
		b := json.RawMessage(strings.TrimSpace(text))
		isText := strings.Contains(read.String(), "workflow.parameters["+literal(p.Name)+"]") && !strings.Contains(read.String(), jsonArgument(p.Name))
		if isText || !json.Valid(b) || string(b) == "null" || b[0] == '"' {
			b, _ = json.Marshal(text)
		}
		all[p.Name] = b
	}
	if len(all) == 0 {
		return nil
	}
	return all
}
