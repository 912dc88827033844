package argo

import (
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// statusInput is the parameter of the exit handler with the final status.
const statusInput = "kfpgo-status"

// root writes the pipeline, and its exit handler: the one of Argo's if all else
// is guarded by it, for Argo passes that one the failed task and its error.
func (b *builder) root(main *program.Component, spec *wfv1.WorkflowSpec) {
	var tasks, exit []*program.Task
	for _, t := range main.DAG.Tasks {
		if t.Exit {
			exit = append(exit, t)
		} else {
			tasks = append(tasks, t)
		}
	}
	whole := len(exit) > 0 && len(tasks) == 1 && b.guards(tasks[0], exit)
	if !whole {
		tasks, exit = main.DAG.Tasks, nil
	}
	at := b.reserve(main.Name)
	spec.Entrypoint = b.templates[at].Name
	s := &scope{builder: b, comp: main, root: true}
	t := wfv1.Template{Name: spec.Entrypoint, DAG: s.tasks(tasks)}
	s.exports(&t.Outputs, "")
	b.templates[at] = t
	if !whole {
		return
	}
	pods := strings.Builder{} // the exit handler's own tasks are not among what failed
	for i, name := range b.pods {
		if i > 0 {
			pods.WriteString(", ")
		}
		pods.WriteString(literal(name))
	}
	at = b.reserve("on-exit")
	s = &scope{builder: b, comp: main, root: true, exit: true}
	t = wfv1.Template{Name: b.templates[at].Name, DAG: s.tasks(exit)}
	t.Inputs.Parameters = []wfv1.Parameter{{Name: statusInput}}
	b.templates[at] = t
	spec.Hooks = wfv1.LifecycleHooks{wfv1.ExitLifecycleEvent: wfv1.LifecycleHook{
		Template:  t.Name,
		Arguments: wfv1.Arguments{Parameters: []wfv1.Parameter{param(statusInput, tag(finalStatus(tasks[0].Name, pods.String())))}},
	}}
}

// guards reports whether a task is what the exit handler guards.
func (b *builder) guards(t *program.Task, exit []*program.Task) bool {
	c := b.p.Component(t.Component)
	if c == nil || c.DAG == nil || c.DAG.Kind != program.Guarded {
		return false
	}
	for _, e := range exit {
		if len(e.After) == 0 {
			return false
		}
	}
	return true
}

// failures is an expression for what failed. Argo gives it as JSON text quoted as
// Go does, which isn't JSON where a message has an unusual character in it.
const failures = "fromJSON(join(map(split(trimSuffix(trimPrefix(workflow.failures, '\"'), '\"'), `\\\\`), " +
	"{replace(replace(replace(#, `\\\"`, '\"'), `\\x`, `\\u00`), `\\U`, '?')}), `\\`)) ?? []"

// finalStatus returns the expression for the status of the Workflow. Its task is
// the one that failed, or else what the handler guards, as on KFP. What failed
// comes in no order, with the groups around a failed task and all attempts, those
// of a task that made it in the end too. A task that failed is a pod, or the
// parent of attempts, whose name has no bracket; the parent's message is only
// that there are no more attempts.
func finalStatus(guarded, pods string) string {
	const ok = "workflow.status == 'Succeeded'"
	return "let ends = " + ok + " ? [] : sortBy(" + failures + ", #.finishedAt ?? ''); " +
		"let failed = filter(ends, {#.templateName in [" + pods + "] and not (#.displayName contains '(')}); " +
		"let tries = len(failed) > 0 ? filter(ends, {#.displayName startsWith (failed[0].displayName + '(')}) : []; " +
		armour("toJson({'state': "+ok+" ? 'SUCCEEDED' : 'FAILED', "+
			"'pipelineJobResourceName': workflow.name, "+
			"'pipelineTaskName': len(failed) > 0 ? failed[0].displayName : "+literal(guarded)+", "+
			"'error': {'code': "+ok+" ? 0 : 1, 'message': len(tries) > 0 ? last(tries).message : len(failed) > 0 ? failed[0].message : ''} })")
}

// status returns the carrier of the final status of a sibling.
func (s *scope) status(task string) string {
	if s.exit {
		return "inputs.parameters[" + literal(statusInput) + "]"
	}
	if s.comp.DAG.Task(task) == nil {
		s.errorf("there is no task %q whose final status it could read", task)
		return "'null'"
	}
	ok := "tasks[" + literal(TaskName(task)) + "].status == 'Succeeded'"
	return "toJson({'state': " + ok + " ? 'SUCCEEDED' : 'FAILED', 'pipelineJobResourceName': workflow.name, " +
		"'pipelineTaskName': " + literal(task) + ", 'error': {'code': " + ok + " ? 0 : 1, 'message': ''} })"
}
