// Package argosim runs Argo Workflows as Argo's controller does, in this process:
// pods are functions that its user gives. It is one for the tests of what package
// argo writes, for the comparison of Workflows with what was imported of them, and
// for pipelines made at random.
//
// It follows package workflow/controller of Argo 3.7, and can be read beside it:
// dag.go, steps.go, operator.go and scope.go. All that is text is done by a
// Language. Argo's own, of util/template, util/expr and workflow/common, is in
// test/oracle/argolib and not here: go mod tidy adds 13 modules to go.mod for it,
// sprig, jsonpath, bellows, fasttemplate and what they need, and no user of kfpgo
// has any use for one of them. So this package has Plain, which does the same with
// the library of expressions alone; test/oracle, a module of its own, runs the same
// interpreter with Argo's.
//
// A construct is a row in a table, and has a file of its own: kinds are those of
// templates, around is what can surround the run of one, loops are the ways to
// repeat a task. What has no row is in unknown, and an error of Run.
package argosim

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// A Sim runs one Workflow, once.
type Sim struct {
	Language Language // Plain without one
	Version  int      // of Argo: 3, which leaves JSON's escapes in items that are strings, or 4
	// Strict wants what package argo promises beside what Argo asks for: tasks stand
	// behind what they depend on, conditions become true or false, and no output takes
	// its default since its expression failed.
	Strict bool
	// Unescaped makes items that are strings, and members of items, what they are. Argo
	// leaves JSON's escapes in members.
	Unescaped bool
	Pods      Pods

	Args      map[string]string                                // arguments beside those in the Workflow
	Global    map[string]string                                // variables that aren't as usual, such as workflow.scheduledTime
	Supply    func(task, output string) (text string, ok bool) // what a person gives a suspended task; nil: nothing
	Kubelet   map[string]string                                // what the kubelet knows beside the variables of a container
	Templates []*wfv1.WorkflowTemplate

	Ran    []*Pod            // in order
	Exit   *Node             // the exit handler, if there is one
	Places map[string]string // where importers found their artifact, by template

	lang     Language
	main     home
	homes    map[string]home
	global   map[string]string
	content  map[string]string // of artifacts, by location
	kept     map[string]*wfv1.Outputs
	failures []failure
	errs     []error
}

// A Node is how a template ended.
type Node struct {
	Phase    wfv1.NodePhase
	Message  string
	Outputs  *wfv1.Outputs
	Children []*Node // of a task that is repeated
	group    bool
	pods     pods // that ran in it
}

func (n *Node) failed() bool { return n.Phase == wfv1.NodeFailed || n.Phase == wfv1.NodeError }

// completed reports whether it ran to an end.
func (n *Node) completed() bool { return n.failed() || n.Phase == wfv1.NodeSucceeded }

// Params returns the output parameters.
func (n *Node) Params() map[string]string {
	all := map[string]string{}
	if n.Outputs != nil {
		for _, p := range n.Outputs.Parameters {
			all[p.Name] = p.Value.String()
		}
	}
	return all
}

// pods are those that have ended, by their index in Ran.
type pods map[int]bool

func (p pods) and(o pods) pods {
	all := pods{}
	maps.Copy(all, p)
	maps.Copy(all, o)
	return all
}

func (s *Sim) start(w *wfv1.Workflow) {
	if s.lang = s.Language; s.lang == nil {
		s.lang = Plain{}
	}
	s.content, s.kept = map[string]string{}, map[string]*wfv1.Outputs{}
	s.main, s.homes = homeOf(w.Spec.Templates), map[string]home{}
	for _, t := range s.Templates {
		s.homes[t.Name] = homeOf(t.Spec.Templates)
	}
	s.global = map[string]string{
		"workflow.name": "run-x7k2p", "workflow.namespace": "default", "workflow.uid": "1234",
		"workflow.creationTimestamp": "2026-11-28T01:02:03Z", "workflow.creationTimestamp.RFC3339": "2026-11-28T01:02:03Z",
		"workflow.mainEntrypoint": w.Spec.Entrypoint, "workflow.serviceAccountName": w.Spec.ServiceAccountName,
	}
}

// Run runs a Workflow and its exit handler. Its errors are all that Argo would call
// an error, and constructs that aren't known; a pod that fails is none.
func (s *Sim) Run(w *wfv1.Workflow) (*Node, error) {
	w, err := Whole(w, s.Templates)
	if err != nil {
		return &Node{Phase: wfv1.NodeError}, err
	}
	s.start(w)
	args := w.Spec.Arguments.DeepCopy()
	for i := range args.Parameters {
		p := &args.Parameters[i]
		if v, ok := s.Args[p.Name]; ok {
			p.Value = wfv1.AnyStringPtr(v)
		} else if p.Value == nil {
			p.Value = p.Default
		}
		if p.Value == nil {
			return &Node{Phase: wfv1.NodeError}, fmt.Errorf("argument %s has no value", p.Name)
		}
		s.global["workflow.parameters."+p.Name] = p.Value.String()
	}
	maps.Copy(s.global, s.Global)
	if n := check(s, unknownOfWorkflow, "workflow", w); n != nil {
		return n, errors.Join(s.errs...)
	}
	n := s.invoke(&call{home: s.main}, &wfv1.DAGTask{Name: w.Spec.Entrypoint, Template: w.Spec.Entrypoint, Arguments: *args}, "tasks", "run", nil)
	s.exit(w, *args, n)
	return n, errors.Join(s.errs...)
}

// Fill returns a template with its inputs, as a pod of it would get them.
func (s *Sim) Fill(w *wfv1.Workflow, t *wfv1.Template, inputs map[string]string) (*wfv1.Template, error) {
	s.start(w)
	maps.Copy(s.global, s.Global)
	args := wfv1.Arguments{Artifacts: t.Inputs.Artifacts}
	for name, v := range inputs {
		args.Parameters = append(args.Parameters, wfv1.Parameter{Name: name, Value: wfv1.AnyStringPtr(v)})
	}
	full, err := s.lang.Process(t, &args, s.global, map[string]string{"pod.name": "pod"})
	if err != nil {
		return nil, err
	}
	return full, errors.Join(s.left(full, strs(scopeOf(full), s.global), nil)...)
}

// Eval evaluates an expression with what a Workflow's templates see.
func (s *Sim) Eval(w *wfv1.Workflow, code string, vars map[string]any) (any, error) {
	s.start(w)
	maps.Copy(s.global, s.Global)
	return s.lang.Eval(code, all(vars, s.global))
}

// exit runs the exit handler of the Workflow.
func (s *Sim) exit(w *wfv1.Workflow, args wfv1.Arguments, end *Node) {
	hook := w.Spec.GetExitHook(args)
	if hook == nil {
		return
	}
	s.global["workflow.status"] = string(end.Phase)
	slices.Reverse(s.failures) // Argo has them in no order
	j, _ := json.Marshal(s.failures)
	s.global["workflow.failures"] = strconv.Quote(string(j))
	maps.Copy(s.global, s.Global)
	var given wfv1.Arguments // Argo replaces what is global in them
	if err := s.replaced(hook.Arguments, s.global, &given, nil); err != nil {
		s.wrong("exit handler", err)
		return
	}
	task := &wfv1.DAGTask{Name: "on-exit", Template: hook.Template, TemplateRef: hook.TemplateRef, Arguments: given}
	s.Exit = s.invoke(&call{home: s.main}, task, "tasks", "exit", end.pods)
}

// wrong notes an error and returns the node that has it.
func (s *Sim) wrong(where string, err error) *Node {
	err = fmt.Errorf("%s: %w", where, err)
	s.errs = append(s.errs, err)
	return &Node{Phase: wfv1.NodeError, Message: err.Error()}
}
