package argo

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// Labels and annotations of ours.
const (
	labelToken    = "kfpgo/token"
	labelPipeline = "kfpgo/pipeline"
	noteName      = "kfpgo/name" // as the user gave it
)

// What Argo itself writes.
const (
	labelCron     = "workflows.argoproj.io/cron-workflow"
	labelPhase    = "workflows.argoproj.io/phase"
	labelDone     = "workflows.argoproj.io/completed"
	labelWorkflow = "workflows.argoproj.io/workflow"
	noteFire      = "workflows.argoproj.io/scheduled-time"
	noteNode      = "workflows.argoproj.io/node-id"
)

var notInNames = lazyregexp.New(`[^a-z0-9]+`)

// objectName returns the name of an object: a string, and a suffix that makes it unique.
func objectName(text, token string) string {
	sum := sha256.Sum256([]byte(token))
	name := strings.Trim(notInNames.ReplaceAllString(strings.ToLower(text), "-"), "-")
	if name == "" || name[0] < 'a' {
		name = strings.TrimSuffix("run-"+name, "-")
	}
	return strings.TrimRight(name[:min(len(name), 45)], "-") + "-" + hex.EncodeToString(sum[:4])
}

// readWorkflow reads the Workflow that was compiled.
func readWorkflow(op string, spec []byte) (*wfv1.Workflow, error) {
	var w wfv1.Workflow
	if err := yaml.UnmarshalStrict(spec, &w); err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: "it is not a Workflow: " + err.Error(), Advice: "compile the pipeline for target argo", Err: err}
	}
	if w.Kind != "Workflow" {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: fmt.Sprintf("it is a %q, not a Workflow", w.Kind), Advice: "compile the pipeline for target argo"}
	}
	return &w, nil
}

// Submit starts a run. The Workflow's name is made of the token, so that however often
// it is sent, there is one; with a token of the caller's it has no part that a second
// submission may have otherwise, as the time.
func (c *Client) Submit(ctx context.Context, s client.Submission) (*client.Run, error) {
	op := "submit " + s.Name
	w, err := readWorkflow(op, s.Spec)
	if err != nil {
		return nil, err
	}
	pipeline := strings.TrimSuffix(w.GenerateName, "-")
	if s.Name == "" {
		s.Name = client.RunName(pipeline)
	}
	own := s.Token == ""
	if own {
		s.Token = client.NewToken()
	}
	sum := sha256.Sum256([]byte(s.Token))
	name := s.Name
	if !own {
		name = pipeline[:min(len(pipeline), 28)] + "-" + hex.EncodeToString(sum[4:12])
	}
	if err := argo.SetArguments(&w.Spec.Arguments, s.Args, nil); err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	w.GenerateName, w.Name, w.Namespace = "", objectName(name, s.Token), ""
	if s.ServiceAccount != "" {
		w.Spec.ServiceAccountName = s.ServiceAccount
	}
	token := "t-" + hex.EncodeToString(sum[:16])
	w.Labels = map[string]string{}
	maps.Copy(w.Labels, s.Labels)
	w.Labels[labelToken], w.Labels[labelPipeline] = token, labelValue(pipeline)
	if w.Annotations == nil {
		w.Annotations = map[string]string{}
	}
	w.Annotations[noteName] = s.Name
	made, err := createIn(ctx, c, op, workflows, w.Name, w, func(there *wfv1.Workflow) bool { return there.Labels[labelToken] == token })
	if err != nil {
		return nil, err
	}
	return runOf(made, false), nil
}

var notInLabels = lazyregexp.New(`[^A-Za-z0-9_.-]+`)

func labelValue(s string) string {
	s = notInLabels.ReplaceAllString(s, "-")
	return strings.Trim(s[:min(len(s), 63)], "-_.")
}

func (c *Client) workflow(ctx context.Context, op, id string) (*wfv1.Workflow, error) {
	var w wfv1.Workflow
	err := c.do(ctx, request{op: op, action: get, kind: workflows, name: id, into: &w})
	return &w, err
}

// Get returns a run with its tasks.
func (c *Client) Get(ctx context.Context, id string) (*client.Run, error) {
	w, err := c.workflow(ctx, "get run "+id, id)
	if err != nil {
		return nil, err
	}
	return runOf(w, true), nil
}

// states are Argo's phases in KFP's words.
var states = map[string]client.State{
	"": client.Pending, "Pending": client.Pending, "Running": client.Running, "Succeeded": client.Succeeded,
	"Failed": client.Failed, "Error": client.Failed, "Skipped": client.Skipped, "Omitted": client.Skipped,
}

func stateOf(phase string) client.State {
	if s, ok := states[phase]; ok {
		return s
	}
	return client.State(phase)
}

// runOf returns a Workflow as a run.
func runOf(w *wfv1.Workflow, tasks bool) *client.Run {
	r := &client.Run{
		ID: w.Name, Name: w.Name, State: stateOf(string(w.Status.Phase)), Pipeline: w.Labels[labelPipeline], Namespace: w.Namespace,
		Schedule: w.Labels[labelCron], Created: w.CreationTimestamp.UTC(), Started: instant(w.Status.StartedAt), Ended: instant(w.Status.FinishedAt),
	}
	if name := w.Annotations[noteName]; name != "" {
		r.Name = name
	}
	if at, err := time.Parse(time.RFC3339, w.Annotations[noteFire]); err == nil {
		r.Scheduled = at.UTC()
	}
	switch ended := w.Spec.Shutdown != ""; {
	case ended && r.State == client.Failed:
		r.State = client.Cancelled
	case ended && !r.State.Done():
		r.State = client.Cancelling
	case w.Spec.Suspend != nil && *w.Spec.Suspend && !r.State.Done():
		r.State = client.Paused
	}
	if r.State == client.Failed {
		r.Error = w.Status.Message
	}
	r.Args = argo.Arguments(w)
	if root, ok := w.Status.Nodes[w.Name]; ok && root.Outputs != nil {
		r.Outputs = argo.Values(root.Outputs.Parameters)
	}
	if tasks {
		r.Tasks = tasksOf(w)
	}
	return r
}

func instant(t metav1.Time) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	return t.UTC()
}

// List returns one page of runs, the newest first. Argo keeps no order, so all are
// read and then cut into pages.
func (c *Client) List(ctx context.Context, o client.ListOptions) (*client.Page, error) {
	const op = "list runs"
	if o.Filter != "" || o.Archived || o.Experiment != "" || o.Sort != "" {
		return nil, &client.Error{Op: op, Code: client.Unsupported, Msg: "Argo has no experiments, filters, orders and archives of runs", Advice: "choose runs by schedule, name and state"}
	}
	labels := ""
	if o.Schedule != "" {
		labels = labelCron + "=" + o.Schedule
	}
	var all []*client.Run
	err := c.workflows(ctx, op, labels, func(w *wfv1.Workflow) error {
		r := runOf(w, false)
		if (o.Name == "" || r.Name == o.Name || r.ID == o.Name) && (o.State == "" || r.State == o.State) {
			all = append(all, r)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(all, func(a, b *client.Run) int { return b.Created.Compare(a.Created) })
	p := &client.Page{Total: len(all)}
	if p.Runs, p.Next, err = paging.Cut(all, o.Size, o.Page); err != nil {
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error()}
	}
	return p, nil
}

// workflows reads the Workflows that have some labels.
func (c *Client) workflows(ctx context.Context, op, labels string, each func(*wfv1.Workflow) error) error {
	return paged(ctx, c, request{op: op, action: list, kind: workflows, labels: labels}, func(page *wfv1.WorkflowList) (string, error) {
		for i := range page.Items {
			if err := each(&page.Items[i]); err != nil {
				return "", err
			}
		}
		return page.Continue, nil
	})
}

// tasksOf returns the tasks of a Workflow, in the order in which they were reached.
func tasksOf(w *wfv1.Workflow) []client.Task {
	var tasks []client.Task
	for _, n := range w.Status.Nodes {
		path, ok := pathOf(w, &n)
		if !ok {
			continue
		}
		t := client.Task{ID: n.ID, Path: path, State: stateOf(string(n.Phase)), Started: instant(n.StartedAt), Ended: instant(n.FinishedAt)}
		if n.MemoizationStatus != nil && n.MemoizationStatus.Hit && t.State == client.Succeeded {
			t.State = client.Cached
		}
		if t.State == client.Failed || t.State == client.Pending {
			t.Error = n.Message
		}
		if n.Type == wfv1.NodeTypePod {
			t.Pod, t.Attempts = podName(w, &n), 1
		}
		if n.Type == wfv1.NodeTypeRetry {
			t.Attempts = len(n.Children)
			if len(n.Children) > 0 {
				last := w.Status.Nodes[n.Children[len(n.Children)-1]]
				t.Pod = podName(w, &last)
			}
		}
		tasks = append(tasks, t)
	}
	slices.SortFunc(tasks, func(a, b client.Task) int {
		return cmp.Or(a.Started.Compare(b.Started), strings.Compare(a.Path, b.Path))
	})
	return tasks
}

var iteration = lazyregexp.New(`^it\((\d+)(:.*)?\)$`)

// pathOf returns the path of a node's task, in the words of the pipeline. Nodes that
// are there for Argo only have none: the whole Workflow, the list of iterations,
// attempts of a task that is retried.
func pathOf(w *wfv1.Workflow, n *wfv1.NodeStatus) (string, bool) {
	if n.ID == w.Name || n.Type == wfv1.NodeTypeTaskGroup || n.DisplayName == "kfpgo-gate" || n.Type == wfv1.NodeTypeStepGroup {
		return "", false
	}
	for _, other := range w.Status.Nodes {
		if other.Type == wfv1.NodeTypeRetry && slices.Contains(other.Children, n.ID) {
			return "", false
		}
	}
	var parts []string
	for at := n; at.ID != w.Name; {
		name := at.DisplayName
		if m := iteration.FindStringSubmatch(name); m != nil {
			name = m[1]
		}
		parts = append(parts, name)
		up, ok := w.Status.Nodes[at.BoundaryID]
		if !ok || len(parts) > 100 {
			break
		}
		at = &up
	}
	slices.Reverse(parts)
	return strings.Join(parts, "/"), true
}

// podName returns the name of a node's pod: that of the Workflow and the template
// and a number that the node's id ends with.
func podName(w *wfv1.Workflow, n *wfv1.NodeStatus) string {
	i := strings.LastIndexByte(n.ID, '-')
	if n.Type != wfv1.NodeTypePod || i < 0 {
		return ""
	}
	template := n.TemplateName
	if n.TemplateRef != nil {
		template = n.TemplateRef.Template
	}
	const longest = 253 - 11
	name := w.Name
	if template != "" {
		name += "-" + template
	}
	return name[:min(len(name), longest)] + n.ID[i:]
}

// decode reads an annotation that holds JSON.
func decode(text string, into any) bool {
	return text != "" && json.Unmarshal([]byte(text), into) == nil
}
