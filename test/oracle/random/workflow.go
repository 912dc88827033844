package random

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/argoproj/argo-workflows/v3/workflow/common"
)

// A Controller runs Workflows as Argo's does: in the order of its dag.go, steps and
// operator, with its libraries for all that is text. Pods are Go functions.
type Controller struct {
	// Version is Argo's, 3 or 4: what an item that is a string looks like differs.
	Version int

	// Step runs a Go step: from KFP's executor input to the executor output.
	Step func(ctx context.Context, name string, input json.RawMessage) (json.RawMessage, error)

	spec      *wfv1.WorkflowSpec
	templates map[string]*wfv1.Template
	global    common.Parameters
	pods      int
	failures  []failure
}

// A failure is what workflow.failures tells of a node.
type failure struct {
	DisplayName  string `json:"displayName"`
	Message      string `json:"message"`
	TemplateName string `json:"templateName"`
	Phase        string `json:"phase"`
	PodName      string `json:"podName"`
	FinishedAt   string `json:"finishedAt"`
}

// A Node is how a template ended.
type Node struct {
	Phase    wfv1.NodePhase
	Outputs  *wfv1.Outputs
	Message  string
	Children []*Node // of a task that is repeated
	group    bool
}

func (n *Node) failed() bool { return n.Phase == wfv1.NodeFailed || n.Phase == wfv1.NodeError }

// Param returns an output.
func (n *Node) Param(name string) string {
	if n.Outputs == nil {
		return ""
	}
	for _, p := range n.Outputs.Parameters {
		if p.Name == name {
			return p.Value.String()
		}
	}
	return ""
}

// Run runs a Workflow, with its exit handler.
func (c *Controller) Run(w *wfv1.Workflow) *Node {
	c.spec, c.templates = &w.Spec, map[string]*wfv1.Template{}
	for i := range w.Spec.Templates {
		c.templates[w.Spec.Templates[i].Name] = &w.Spec.Templates[i]
	}
	c.global = common.Parameters{
		"workflow.name": "run-x7k2p", "workflow.namespace": "default", "workflow.uid": "0b9c-4",
		"workflow.scheduledTime":     "2026-11-28T01:00:00Z",
		"workflow.creationTimestamp": "2026-11-28T01:00:00Z", "workflow.creationTimestamp.RFC3339": "2026-11-28T01:00:00Z",
		"workflow.mainEntrypoint": w.Spec.Entrypoint, "workflow.serviceAccountName": w.Spec.ServiceAccountName,
	}
	for _, p := range w.Spec.Arguments.Parameters {
		if p.Value == nil {
			return &Node{Phase: wfv1.NodeError, Message: "argument " + p.Name + " has no value"}
		}
		c.global["workflow.parameters."+p.Name] = p.Value.String()
	}
	n := c.template(w.Name, &wfv1.DAGTask{Name: w.Spec.Entrypoint, Template: w.Spec.Entrypoint}, w.Spec.Arguments)
	hook, ok := w.Spec.Hooks[wfv1.ExitLifecycleEvent]
	if !ok {
		return n
	}
	c.global["workflow.status"] = string(n.Phase)
	j, _ := json.Marshal(c.failures)
	c.global["workflow.failures"] = strconv.Quote(string(j))
	// The controller replaces what is global in the arguments of the hook.
	var args wfv1.Arguments
	if err := c.replaced(hook.Arguments, c.global, &args); err != nil {
		return &Node{Phase: wfv1.NodeError, Message: "exit hook: " + err.Error()}
	}
	if end := c.template("exit", &wfv1.DAGTask{Name: "on-exit", Template: hook.Template}, args); end.failed() {
		return &Node{Phase: end.Phase, Message: "exit handler: " + end.Message}
	}
	return n
}

// template runs the template of a task.
func (c *Controller) template(name string, task *wfv1.DAGTask, args wfv1.Arguments) *Node {
	t := c.templates[task.Template]
	if t == nil {
		return &Node{Phase: wfv1.NodeError, Message: "no template " + task.Template}
	}
	local := common.Parameters{"node.name": name, "tasks.name": task.Name}
	pod := t.DAG == nil && t.Suspend == nil
	if pod {
		c.pods++
		local["pod.name"] = fmt.Sprintf("run-x7k2p-%s-%d", t.Name, c.pods)
	}
	t, err := common.ProcessArgs(t, &args, c.global, local, false, "default", nil)
	if err != nil {
		return &Node{Phase: wfv1.NodeError, Message: err.Error()}
	}
	switch {
	case t.DAG != nil:
		return c.dag(name, t)
	case t.Suspend != nil:
		return &Node{Phase: wfv1.NodeSucceeded}
	}
	n := c.pod(t)
	if n.failed() {
		c.failures = append(c.failures, failure{task.Name, n.Message, t.Name, string(n.Phase), local["pod.name"], fmt.Sprintf("2026-11-28T01:%02d:%02dZ", len(c.failures)/60%60, len(c.failures)%60)})
	}
	return n
}

// pod runs a Go step.
func (c *Controller) pod(t *wfv1.Template) *Node {
	in := t.Inputs.GetArtifactByName("kfpgo-input")
	if t.Container == nil || in == nil || in.Raw == nil || len(t.Container.Command) < 3 {
		return &Node{Phase: wfv1.NodeError, Message: "not a Go step: " + t.Name}
	}
	if strings.Contains(in.Raw.Data, "{{") {
		return &Node{Phase: wfv1.NodeError, Message: "an executor input with tags in it: " + in.Raw.Data}
	}
	var x struct {
		Outputs struct {
			Parameters map[string]struct{ OutputFile string }
			Artifacts  map[string]any
			OutputFile string
		}
		Inputs json.RawMessage
	}
	if err := json.Unmarshal([]byte(in.Raw.Data), &x); err != nil {
		return &Node{Phase: wfv1.NodeError, Message: "executor input: " + err.Error() + ": " + in.Raw.Data}
	}
	input, _ := json.Marshal(map[string]any{"inputs": x.Inputs, "outputs": map[string]any{"parameters": map[string]any{}}})
	result, err := c.Step(context.Background(), t.Container.Command[2], input)
	if err != nil {
		return &Node{Phase: wfv1.NodeFailed, Message: "exit code 1: " + err.Error()}
	}
	var out struct{ ParameterValues map[string]json.RawMessage }
	if err := json.Unmarshal(result, &out); err != nil {
		return &Node{Phase: wfv1.NodeError, Message: err.Error()}
	}
	n := &Node{Phase: wfv1.NodeSucceeded, Outputs: &wfv1.Outputs{}}
	for _, p := range t.Outputs.Parameters {
		v, ok := out.ParameterValues[p.Name]
		text := carrier(v)
		switch {
		case ok:
		case p.ValueFrom != nil && p.ValueFrom.Default != nil:
			text = p.ValueFrom.Default.String()
		default:
			return &Node{Phase: wfv1.NodeError, Message: "no file for output " + p.Name}
		}
		n.Outputs.Parameters = append(n.Outputs.Parameters, wfv1.Parameter{Name: p.Name, Value: wfv1.AnyStringPtr(text)})
	}
	return n
}

// carrier is what the runtime of a Go step writes to the file of an output.
func carrier(v json.RawMessage) string {
	text := strings.NewReplacer("{{", `{\u007b`, "$", `\u0024`, "\x7f", `\u007f`).Replace(string(v))
	var b strings.Builder
	for _, r := range text {
		if r > 0xffff && !strconv.IsPrint(r) {
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
