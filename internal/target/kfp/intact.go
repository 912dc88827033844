package kfp

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// The driver puts what a step is given into the command line of its pod, where Kubernetes
// makes one $ of two and replaces $(NAME) of the container's variables, and Argo replaces
// {{=EXPRESSION}} and its own variables. There is no way around that for what an earlier
// step has returned, and the run would succeed with another value. So where IR goes to a server, a string, list or struct that comes from a
// step or from an input is selected by an expression that fails, in the driver, on such a value.

// A key of these is what a value that isn't passed is selected by: the driver's message ends with it.
const (
	changed  = "Kubernetes would replace a $ in the value; pass it as an artifact"
	replaced = "Argo would replace a variable in double braces in the value; pass it as an artifact"
)

// intact adds the expression to the parameters of a step.
func (w *writer) intact(t *program.Task, component string, inputs *kfpspec.TaskInputs) {
	spec := w.spec.Components[component]
	if c := w.p.Component(t.Component); !w.exact() || c == nil || c.Exec == nil || c.Exec.Importer != nil || serverImages[builtin(c)] != "" || t.Each != nil || spec == nil || spec.InputDefinitions == nil {
		return
	}
	for name, q := range inputs.Parameters {
		p := spec.InputDefinitions.Parameters[name]
		if p == nil || q.ParameterExpressionSelector != "" || q.TaskOutputParameter == nil && q.ComponentInputParameter == "" {
			continue
		}
		if o := q.TaskOutputParameter; o != nil && p.ParameterType == kfptype.List && w.group(o.ProducerTask) {
			continue // what a loop of no items has made is in no inputs that could be selected from
		}
		if in := w.in.Input(q.ComponentInputParameter); in != nil && in.Optional && in.Default == nil {
			continue // where it isn't given, there is nothing to select from
		}
		switch p.ParameterType {
		case kfptype.String:
			q.ParameterExpressionSelector = contract.Intact + "string_value" + unchanged(&t.Settings)
		case kfptype.List, kfptype.Struct:
			q.ParameterExpressionSelector = contract.Intact + "parseJson(string_value)" + unchanged(&t.Settings)
		}
	}
}

// group reports whether a task beside this one is a pipeline, a branch or a loop.
func (w *writer) group(task string) bool {
	t := w.in.DAG.Task(task)
	if t == nil {
		return false
	}
	c := w.p.Component(t.Component)
	return c != nil && c.DAG != nil
}

// unchanged returns the end of the expression, for a step with settings.
func unchanged(s *program.Settings) string {
	// Of Services in the namespace a container has variables too.
	names := []string{"KFP(GO)?_[A-Z_]+", "[A-Z0-9_]+_(PORT|SERVICE_HOST)[A-Z0-9_]*"}
	for _, e := range s.Env {
		names = append(names, regexp.QuoteMeta(e.Name))
	}
	for _, e := range s.EnvFrom() {
		names = append(names, regexp.QuoteMeta(e.Name))
	}
	// The driver's command line has the expression, so it has no $$ and no $( itself.
	pattern, _ := json.Marshal("[$]([$]|[(](" + strings.Join(names, "|") + ")[)])")
	tag, _ := json.Marshal(placeholder.ArgoTag)
	return "}[string_value.matches(" + string(pattern) + `) ? "` + changed + `" : string_value.matches(` + string(tag) + `) ? "` + replaced + `" : ""]`
}
