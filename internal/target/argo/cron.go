package argo

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// catchUp is how late a fire time that was missed may still be run: Argo runs the
// last one only.
const catchUp = 7 * 24 * time.Hour

// Cron returns the YAML of a program's schedules: a WorkflowTemplate, and a
// CronWorkflow for each that starts it. A limit on runs at once that is above one
// needs a semaphore, whose number is in a ConfigMap.
func Cron(p *program.Program, o Options) ([]byte, error) {
	if len(p.Schedules) == 0 {
		return nil, errors.New(feature.Words(p, graph.Pos{}, fmt.Sprintf("pipeline %s has no schedule; define one with dsl.NewSchedule in an exported variable", p.Name)))
	}
	t, parts, err := workflowTemplate(p, o)
	errs := []error{err}
	if err == nil {
		for _, t := range append(parts, t) {
			errs = append(errs, FireTimes(&t.Spec, p.Schedules...))
		}
	}
	docs := append(objects(parts, false), t)
	limits := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: metav1.ObjectMeta{Name: p.Name + "-limits"}}
	for _, s := range p.Schedules {
		c, err := cronWorkflow(p, o, s)
		errs = append(errs, err)
		docs = append(docs, c)
		if s.Limit > 1 {
			if limits.Data == nil {
				limits.Data = map[string]string{}
			}
			limits.Data[s.Name] = strconv.Itoa(s.Limit)
			c.Spec.WorkflowSpec.Synchronization = Semaphore(limits.Name, s.Name)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	if limits.Data != nil {
		docs = slices.Insert(docs, len(parts)+1, any(limits))
	}
	return join(docs...)
}

var objectName = lazyregexp.New(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

// maxCronName leaves room for the time that Argo adds to the names of runs.
const maxCronName = 52

func cronWorkflow(p *program.Program, o Options, s *program.Schedule) (*wfv1.CronWorkflow, error) {
	var errs []error
	fail := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("schedule %s: %s", s.Name, fmt.Errorf(format, args...)))
	}
	if !objectName.MatchString(s.Name) || len(s.Name) > maxCronName {
		fail("%q can't be the name of a CronWorkflow; use at most %d of a-z, 0-9 and -", s.Name, maxCronName)
	}
	spec, err := CronSpec(s, wfv1.WorkflowSpec{
		WorkflowTemplateRef: &wfv1.WorkflowTemplateRef{Name: p.Name},
		ServiceAccountName:  o.ServiceAccount,
	})
	if err != nil {
		errs = append(errs, err)
	}
	c := &wfv1.CronWorkflow{
		TypeMeta:   metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "CronWorkflow"},
		ObjectMeta: metav1.ObjectMeta{Name: s.Name},
		Spec:       spec,
	}
	main := p.Component(p.Main)
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		in := main.Input(name)
		if in == nil {
			fail("pipeline %s has no input %q", p.Name, name)
			continue
		}
		text, err := scheduleArg(s.Args[name])
		if err != nil {
			fail("input %s: %w", name, err)
		}
		c.Spec.WorkflowSpec.Arguments.Parameters = append(c.Spec.WorkflowSpec.Arguments.Parameters, wfv1.Parameter{Name: name, Value: anyString(text)})
	}
	for i := range main.Inputs {
		if in := &main.Inputs[i]; in.Required() && s.Args[in.Name].Kind == "" {
			fail("input %s of pipeline %s is required", in.Name, p.Name)
		}
	}
	MarkFireTimes(&c.Spec.WorkflowSpec.Arguments, s)
	return c, errors.Join(errs...)
}

// Semaphore returns what holds Workflows back, with the number in a ConfigMap.
func Semaphore(configMap, key string) *wfv1.Synchronization {
	return &wfv1.Synchronization{Semaphores: []*wfv1.SemaphoreRef{{
		ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: configMap}, Key: key},
	}}}
}

// CronSpec returns when a CronWorkflow fires that means what a schedule does. What
// Argo can't say exactly is an error. Of missed times Argo runs the last one only.
func CronSpec(s *program.Schedule, of wfv1.WorkflowSpec) (wfv1.CronWorkflowSpec, error) {
	// The same program gives the same YAML, whenever it is compiled.
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	if s.End != nil && s.End.Before(now.AddDate(1, 0, 0)) {
		now = s.End.AddDate(-1, 0, 0)
		if s.Start != nil {
			now = s.Start.Add(-time.Second)
		}
	}
	a, err := schedule.ForArgo(s, now)
	if err != nil {
		return wfv1.CronWorkflowSpec{}, err
	}
	late := int64(0)
	if s.CatchUp {
		late = int64(catchUp.Seconds())
	}
	policy := wfv1.ForbidConcurrent
	if s.Limit > 1 {
		policy = wfv1.AllowConcurrent // the semaphore holds the others back
	}
	return wfv1.CronWorkflowSpec{
		Schedules: a.Schedules, Timezone: a.Zone, Suspend: s.Paused, ConcurrencyPolicy: policy, StartingDeadlineSeconds: &late,
		When: between(s.Start, s.End), WorkflowSpec: of,
	}, nil
}

// between returns the condition that the time is from start to end.
func between(start, end *time.Time) string {
	var parts []string
	if start != nil {
		parts = append(parts, "now() >= date('"+start.UTC().Format(time.RFC3339)+"')")
	}
	if end != nil {
		parts = append(parts, "now() < date('"+end.UTC().Format(time.RFC3339)+"')")
	}
	if parts == nil {
		return ""
	}
	return "{{=" + strings.Join(parts, " and ") + "}}"
}

func containsTag(text string) bool { return strings.Contains(text, "{{") }
