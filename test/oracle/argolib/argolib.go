// Package argolib is the language of package argosim by Argo's own libraries: tags
// and expressions are what the controller makes of them.
package argolib

import (
	"maps"
	"slices"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/util/expr/env"
	"github.com/argoproj/argo-workflows/v3/util/template"
	"github.com/argoproj/argo-workflows/v3/workflow/common"
	"github.com/expr-lang/expr"
)

// A Language is Argo's.
type Language struct{}

// Replace replaces tags.
func (Language) Replace(json string, vars map[string]string, must ...string) (string, error) {
	return template.ReplaceStrict(json, vars, must)
}

// Eval evaluates an expression.
func (Language) Eval(code string, vars map[string]any) (any, error) {
	with := env.GetFuncMap(vars)
	program, err := expr.Compile(code, expr.Env(with))
	if err != nil {
		return nil, err
	}
	return expr.Run(program, with)
}

// Process gives a template its arguments.
func (Language) Process(t *wfv1.Template, args *wfv1.Arguments, global, local map[string]string) (*wfv1.Template, error) {
	return common.ProcessArgs(t, args, global, local, false, "default", nil)
}

// Depends returns what a task depends on.
func (Language) Depends(t *wfv1.DAGTask, task func(name string) *wfv1.DAGTask) ([]string, string) {
	deps, logic := common.GetTaskDependencies(t, dag(task))
	return slices.Sorted(maps.Keys(deps)), logic
}

// A dag is what Argo asks for other tasks.
type dag func(name string) *wfv1.DAGTask

func (d dag) GetTask(name string) *wfv1.DAGTask {
	if t := d(name); t != nil {
		return t
	}
	return &wfv1.DAGTask{Name: name}
}

func (d dag) GetTaskDependencies(string) []string           { return nil }
func (d dag) GetTaskFinishedAtTime(string) (none time.Time) { return none }
