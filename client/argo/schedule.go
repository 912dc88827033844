package argo

import (
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
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

// What a CronWorkflow of ours says about itself.
const (
	noteSchedule = "kfpgo/schedule" // an applied
	noteHash     = "kfpgo/hash"     // of the applied schedule
)

// An applied is the schedule that a CronWorkflow was made of.
type applied struct {
	When     dsl.When                   `json:"when"`
	Pipeline string                     `json:"pipeline"`
	Args     map[string]json.RawMessage `json:"args,omitempty"`
	FireTime []string                   `json:"fireTime,omitempty"`
	FireDate []string                   `json:"fireDate,omitempty"`
}

// cronWorkflow returns the CronWorkflow of a schedule, and the ConfigMap with the
// number of its runs at once if that is above one.
func cronWorkflow(s client.ScheduleSpec) (*wfv1.CronWorkflow, *corev1.ConfigMap, error) {
	op := "apply schedule " + s.Name
	invalid := func(err error) error {
		return &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	of := when.Schedule(s.Name, s.When)
	when.SetArgs(of, s.Pipeline.Args, s.FireTime, s.FireDate)
	if err := schedule.Check(of, time.Now()); err != nil {
		return nil, nil, invalid(err)
	}
	w, err := readWorkflow(op, s.Pipeline.Spec)
	if err != nil {
		return nil, nil, err
	}
	fire := slices.Concat([]string{}, s.FireTime, s.FireDate)
	if err := argo.SetArguments(&w.Spec.Arguments, s.Pipeline.Args, fire); err != nil {
		return nil, nil, invalid(fmt.Errorf("schedule %s: %w", s.Name, err))
	}
	argo.MarkFireTimes(&w.Spec.Arguments, of)
	if err := argo.FireTimes(&w.Spec, of); err != nil {
		return nil, nil, invalid(fmt.Errorf("schedule %s: %w", s.Name, err))
	}
	if s.Pipeline.ServiceAccount != "" {
		w.Spec.ServiceAccountName = s.Pipeline.ServiceAccount
	}
	pipeline := strings.TrimSuffix(w.GenerateName, "-")
	spec, err := argo.CronSpec(of, w.Spec)
	if err != nil {
		return nil, nil, invalid(err)
	}
	spec.WorkflowMetadata = &metav1.ObjectMeta{Labels: map[string]string{labelPipeline: labelValue(pipeline)}}
	var limit *corev1.ConfigMap
	if of.Limit > 1 {
		limit = &corev1.ConfigMap{
			TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Name: s.Name + "-limit"},
			Data: map[string]string{"limit": fmt.Sprint(of.Limit)},
		}
		spec.WorkflowSpec.Synchronization = argo.Semaphore(limit.Name, "limit")
	}
	note, err := json.Marshal(applied{s.When, pipeline, s.Pipeline.Args, s.FireTime, s.FireDate})
	if err != nil {
		return nil, nil, err
	}
	c := &wfv1.CronWorkflow{
		TypeMeta:   metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "CronWorkflow"},
		ObjectMeta: metav1.ObjectMeta{Name: s.Name, Labels: map[string]string{labelPipeline: labelValue(pipeline)}, Annotations: map[string]string{noteSchedule: string(note)}},
		Spec:       spec,
	}
	b, err := json.Marshal([]any{c.Spec, c.Annotations})
	sum := sha256.Sum256(b)
	c.Annotations[noteHash] = hex.EncodeToString(sum[:])
	return c, limit, err
}

func (c *Client) cron(ctx context.Context, op, name string) (*wfv1.CronWorkflow, error) {
	var w wfv1.CronWorkflow
	err := c.do(ctx, request{op: op, action: get, kind: cronWorkflows, name: name, into: &w})
	return &w, err
}

// ApplySchedule creates a CronWorkflow, updates it, or leaves it unchanged. Running
// runs continue.
func (c *Client) ApplySchedule(ctx context.Context, s client.ScheduleSpec) (*client.Schedule, client.Change, error) {
	op := "apply schedule " + s.Name
	w, limit, err := cronWorkflow(s)
	if err != nil {
		return nil, "", err
	}
	if limit != nil {
		k, err := c.access.kubernetes(op, "a limit of runs at once above 1 is kept in a ConfigMap")
		if err != nil {
			return nil, "", err
		}
		if err := k.put(ctx, op, limit); err != nil {
			return nil, "", err
		}
	}
	for try := 0; ; try++ {
		old, err := c.cron(ctx, op, s.Name)
		if client.CodeOf(err) == client.NotFound && try == 0 {
			made, err := createIn(ctx, c, op, cronWorkflows, s.Name, w, func(there *wfv1.CronWorkflow) bool { return there.Annotations[noteHash] == w.Annotations[noteHash] })
			if err != nil {
				return nil, "", err
			}
			return scheduleOf(made), client.Created, nil
		}
		if err != nil {
			return nil, "", err
		}
		if old.Annotations[noteHash] == w.Annotations[noteHash] {
			return scheduleOf(old), client.Unchanged, nil
		}
		if old.Annotations[noteHash] == "" {
			return nil, "", &client.Error{Op: op, Code: client.Exists, Msg: "the CronWorkflow there wasn't made by kfpgo", Advice: "choose another name, or delete it first"}
		}
		next := w.DeepCopy()
		next.ResourceVersion, next.Status = old.ResourceVersion, old.Status
		var was applied
		if decode(old.Annotations[noteSchedule], &was) && was.When.Paused == s.When.Paused {
			next.Spec.Suspend = old.Spec.Suspend // paused or resumed by hand
		}
		var made wfv1.CronWorkflow
		err = c.do(ctx, request{op: op, action: put, kind: cronWorkflows, name: s.Name, object: next, into: &made})
		if client.CodeOf(err) == client.Precondition && try < 5 {
			continue // the controller, or a first try whose answer was lost, has written it
		}
		if err != nil {
			return nil, "", err
		}
		return scheduleOf(&made), client.Updated, nil
	}
}

// scheduleOf returns a CronWorkflow as a schedule.
func scheduleOf(w *wfv1.CronWorkflow) *client.Schedule {
	s := &client.Schedule{ID: w.Name, Name: w.Name, Paused: w.Spec.Suspend, Created: w.CreationTimestamp.UTC()}
	var a applied
	if decode(w.Annotations[noteSchedule], &a) {
		s.When, s.Pipeline, s.Args, s.FireTime, s.FireDate = a.When, a.Pipeline, a.Args, a.FireTime, a.FireDate
	} else { // of somebody else
		s.When = dsl.When{Cron: strings.Join(w.Spec.Schedules, ", "), Zone: w.Spec.Timezone}
		if ref := w.Spec.WorkflowSpec.WorkflowTemplateRef; ref != nil {
			s.Pipeline = ref.Name
		}
	}
	if w.Status.LastScheduledTime != nil {
		s.Last = w.Status.LastScheduledTime.UTC()
	}
	for _, a := range w.Status.Active {
		s.Active = append(s.Active, a.Name)
	}
	for _, cond := range w.Status.Conditions {
		if cond.Type == wfv1.ConditionTypeSpecError || cond.Type == wfv1.ConditionTypeSubmissionError {
			s.Problem = cond.Message
		}
	}
	return s
}

// Schedules returns the CronWorkflows of the namespace, by name.
func (c *Client) Schedules(ctx context.Context) ([]*client.Schedule, error) {
	var all []*client.Schedule
	err := paged(ctx, c, request{op: "list schedules", action: list, kind: cronWorkflows}, func(page *wfv1.CronWorkflowList) (string, error) {
		for i := range page.Items {
			all = append(all, scheduleOf(&page.Items[i]))
		}
		return page.Continue, nil
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b *client.Schedule) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Schedule returns one.
func (c *Client) Schedule(ctx context.Context, name string) (*client.Schedule, error) {
	w, err := c.cron(ctx, "get schedule "+name, name)
	if err != nil {
		return nil, err
	}
	return scheduleOf(w), nil
}

// PauseSchedule suspends a CronWorkflow.
func (c *Client) PauseSchedule(ctx context.Context, name string) error {
	return c.do(ctx, request{op: "pause schedule " + name, action: pause, kind: cronWorkflows, name: name})
}

// ResumeSchedule lets a CronWorkflow fire again. What would have fired meanwhile
// counts as seen to, so that Argo doesn't catch up on it.
func (c *Client) ResumeSchedule(ctx context.Context, name string) error {
	op := "resume schedule " + name
	w, err := c.cron(ctx, op, name)
	if err != nil || !w.Spec.Suspend {
		return err
	}
	return c.do(ctx, request{op: op, action: resume, kind: cronWorkflows, name: name})
}

// TriggerSchedule starts a run as if the schedule had fired at a time. A time that
// has a run already, for which it has fired or was triggered, gives that run.
func (c *Client) TriggerSchedule(ctx context.Context, name string, at time.Time) (*client.Run, error) {
	op := "trigger schedule " + name
	cron, err := c.cron(ctx, op, name)
	if err != nil {
		return nil, err
	}
	// Argo calls the runs that it starts so too.
	w := &wfv1.Workflow{
		TypeMeta: metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "Workflow"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        fmt.Sprintf("%s-%d", name, at.Unix()),
			Labels:      map[string]string{labelCron: name},
			Annotations: map[string]string{noteFire: at.UTC().Format(time.RFC3339)},
		},
		Spec: *cron.Spec.WorkflowSpec.DeepCopy(),
	}
	if m := cron.Spec.WorkflowMetadata; m != nil {
		maps.Copy(w.Labels, m.Labels)
	}
	made, err := createIn(ctx, c, op, workflows, w.Name, w, func(there *wfv1.Workflow) bool { return there.Labels[labelCron] == name })
	if err != nil {
		return nil, err
	}
	return runOf(made, false), nil
}

// DeleteSchedule deletes a CronWorkflow. Its runs stay.
func (c *Client) DeleteSchedule(ctx context.Context, name string) error {
	op := "delete schedule " + name
	w, err := c.cron(ctx, op, name)
	if err != nil {
		return err
	}
	if err := gateway.Gone(c.do(ctx, request{op: op, action: remove, kind: cronWorkflows, name: name, orphan: true})); err != nil {
		return err
	}
	if w.Spec.WorkflowSpec.Synchronization != nil && w.Annotations[noteHash] != "" {
		k, err := c.access.kubernetes(op, "it is deleted, except for the ConfigMap "+name+"-limit")
		if err != nil {
			return err
		}
		return k.remove(ctx, op, configMaps, name+"-limit", "Background")
	}
	return nil
}
