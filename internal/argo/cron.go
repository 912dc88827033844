package argo

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/program"
)

// catchUp is how late a fire time that was missed may still be run: Argo runs the
// last one only.
const catchUp = 7 * 24 * time.Hour

// Cron returns the YAML of a program's schedules: a WorkflowTemplate, and a
// CronWorkflow for each that starts it. A limit on runs at once that is above one
// needs a semaphore, whose number is in a ConfigMap.
func Cron(p *program.Program, o Options) ([]byte, error) {
	if len(p.Schedules) == 0 {
		return nil, fmt.Errorf("pipeline %s has no schedule; define one with dsl.NewSchedule in an exported variable", p.Name)
	}
	t, parts, err := workflowTemplate(p, o)
	errs := []error{err}
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
			c.Spec.WorkflowSpec.Synchronization = &wfv1.Synchronization{Semaphores: []*wfv1.SemaphoreRef{{
				ConfigMapKeyRef: &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: limits.Name}, Key: s.Name},
			}}}
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

var objectName = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$`)

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
	if s.Seconds {
		fail("cron %q starts with the second, and Argo's have the minute first", s.Cron)
	}
	cron := sundays(s.Cron)
	if s.Every > 0 {
		cron = "@every " + s.Every.String()
	}
	late := int64(0)
	if s.CatchUp {
		late = int64(catchUp.Seconds())
	}
	policy := wfv1.ForbidConcurrent
	if s.Limit > 1 {
		policy = wfv1.AllowConcurrent // the semaphore holds the others back
	}
	c := &wfv1.CronWorkflow{
		TypeMeta:   metav1.TypeMeta{APIVersion: "argoproj.io/v1alpha1", Kind: "CronWorkflow"},
		ObjectMeta: metav1.ObjectMeta{Name: s.Name},
		Spec: wfv1.CronWorkflowSpec{
			Schedules: []string{cron}, Timezone: s.Zone, Suspend: s.Paused, ConcurrencyPolicy: policy, StartingDeadlineSeconds: &late,
			When: between(s.Start, s.End),
			WorkflowSpec: wfv1.WorkflowSpec{
				WorkflowTemplateRef: &wfv1.WorkflowTemplateRef{Name: p.Name},
				ServiceAccountName:  o.ServiceAccount,
			},
		},
	}
	main := p.Component(p.Main)
	for _, name := range slices.Sorted(maps.Keys(s.Args)) {
		in := main.Input(name)
		if in == nil {
			fail("pipeline %s has no input %q", p.Name, name)
			continue
		}
		text, err := scheduleArg(in, s.Args[name])
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
	return c, errors.Join(errs...)
}

// sundays writes Sunday as 0 where it is 7, which Argo doesn't take.
func sundays(cron string) string {
	fields := strings.Fields(cron)
	if len(fields) != 5 {
		return cron
	}
	days := strings.Split(fields[4], ",")
	for i, d := range days {
		span, _, stepped := strings.Cut(d, "/")
		from, to, ranged := strings.Cut(span, "-")
		switch {
		case stepped:
			continue // steps count from the first day, so they stay as they are
		case ranged && to == "7" && from != "7":
			if days[i] = "0," + from + "-6"; from == "0" {
				days[i] = "0-6"
			}
		case span == "7", ranged && from == "7":
			days[i] = "0"
		}
	}
	fields[4] = strings.Join(days, ",")
	return strings.Join(fields, " ")
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
