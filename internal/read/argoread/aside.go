package argoread

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// own refuses what kfpgo wrote: every value in it is in an armour that would have
// to be taken off, and the program that it came from says more. All else that it
// would be refused for follows from that.
func (r *reader) own() bool {
	for _, t := range r.spec.Templates {
		ours := t.Name == "kfpgo-gate"
		for _, p := range t.Inputs.Parameters {
			ours = ours || strings.HasPrefix(p.Name, "kfpgo-")
		}
		for _, k := range []*container{t.Container, t.Script} {
			if k != nil {
				for _, e := range k.Env {
					ours = ours || e.Name == "KFPGO_LB"
				}
				for _, c := range k.Command {
					ours = ours || c == contract.Exec
				}
			}
		}
		if ours {
			r.errorf(t.At, "a Workflow that kfpgo wrote", "kfpgo wrote this %s, for Argo to run, and it can't be read back; use the program that it came from, or its IR, which is written by: kfpgo compile PACKAGE --target kfp", "Workflow")
			return true
		}
	}
	return false
}

// asides notes what is not a part of a pipeline.
func (r *reader) asides() {
	s := r.spec
	if s.ServiceAccountName.S != "" {
		r.notef(s.ServiceAccountName.At, "the service account %s is left out: give it when you compile, with --service-account", s.ServiceAccountName.S)
	}
	for _, f := range []struct {
		name string
		raw  raw
	}{{"artifactGC", s.ArtifactGC}, {"artifactRepositoryRef", s.ArtifactRepositoryRef}, {"podDisruptionBudget", s.PodDisruptionBudget}, {"executor", s.Executor}, {"workflowMetadata", s.WorkflowMetadata}, {"volumeClaimGC", s.VolumeClaimGC}} {
		if f.raw.JSON != nil {
			r.notef(f.raw.At, "%s is left out: it says how a cluster runs the Workflow, and nothing of what it does", f.name)
		}
	}
	if s.AutomountServiceAccountToken.S != "" {
		r.refuse(s.AutomountServiceAccountToken.At, "automountServiceAccountToken", "a program has no word for it")
	}
	if ns := r.meta.Namespace; ns.S != "" {
		r.notef(ns.At, "the namespace %s is left out: give it when you submit", ns.S)
	}
	for _, what := range []struct {
		name string
		m    map[string]string
	}{{"label", r.meta.Labels}, {"annotation", r.meta.Annotations}} {
		for _, k := range sortedKeys(what.m) {
			switch {
			case strings.HasPrefix(k, "pipelines.kubeflow.org/"), strings.HasPrefix(k, "workflows.argoproj.io/"), strings.HasPrefix(k, "kubectl.kubernetes.io/"):
			default:
				r.notef(r.meta.At, "the %s %s of the Workflow is left out", what.name, k)
			}
		}
	}
}

// config returns the settings of the pipeline as a whole.
func (r *reader) config() *program.Config {
	c := program.Config{Deadline: r.spec.ActiveDeadlineSeconds}
	if t := r.spec.TTLStrategy; t != nil {
		c.TTL, c.TTLOnSuccess, c.TTLOnFailure = t.SecondsAfterCompletion, t.SecondsAfterSuccess, t.SecondsAfterFailure
	}
	if a := r.argoConfig(); a != (graph.Argo{}) {
		c.Argo = &a
	}
	if c == (program.Config{}) {
		return nil
	}
	return &c
}

// argoConfig returns what only Argo does for the pipeline as a whole.
func (r *reader) argoConfig() graph.Argo {
	s := r.spec
	a := graph.Argo{Parallelism: s.Parallelism, ArchiveLogs: s.ArchiveLogs.S == "true"}
	if s.Parallelism < 0 {
		r.errorf(s.At, "", "parallelism is %d", s.Parallelism)
	}
	if g := s.PodGC; g.JSON != nil {
		var gc struct{ Strategy, DeleteDelayDuration string }
		d := json.NewDecoder(bytes.NewReader(g.JSON))
		d.DisallowUnknownFields()
		delay := time.Duration(0)
		err := d.Decode(&gc)
		if err == nil && gc.DeleteDelayDuration != "" {
			delay, err = time.ParseDuration(gc.DeleteDelayDuration)
		}
		switch known := slices.Contains([]string{"OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"}, gc.Strategy); {
		case err != nil || !known:
			r.notef(g.At, "podGC is left out: it says how a cluster runs the Workflow, and nothing of what it does")
		default:
			a.PodGC, a.PodGCDelay = gc.Strategy, int64(delay/time.Second)
		}
	}
	if s.Synchronization != nil {
		r.synchronization(s.Synchronization, &a)
	}
	return a
}

// synchronization reads what runs wait for each other by: one mutex and one
// semaphore, of the namespace of the run.
func (r *reader) synchronization(y *synchronization, a *graph.Argo) {
	mutexes, semaphores := y.all()
	if len(mutexes) > 1 || len(semaphores) > 1 {
		r.refuse(y.At, "several mutexes or semaphores", "a pipeline names one of each")
		return
	}
	for _, m := range mutexes {
		if m.Namespace.S != "" {
			r.refuse(m.At, "synchronization beyond a namespace", "runs wait for others of their namespace; name it in the templates")
		}
		a.Mutex, a.LockDatabase = m.Name, m.Database
	}
	for _, m := range semaphores {
		switch {
		case m.Namespace.S != "":
			r.refuse(m.At, "synchronization beyond a namespace", "runs wait for others of their namespace; name it in the templates")
		case m.ConfigMapKeyRef != nil:
			a.SemaphoreMap, a.SemaphoreKey = m.ConfigMapKeyRef.Name, m.ConfigMapKeyRef.Key
		case m.Database != nil:
			a.SemaphoreKey = m.Database.Key
		}
		if database := m.Database != nil; len(mutexes) > 0 && database != a.LockDatabase {
			r.refuse(m.At, "synchronization in two places", "a pipeline has its mutex and its semaphore both in the database, or neither; write one of them in the templates")
		} else {
			a.LockDatabase = database
		}
	}
}

// defaults gives a template what all templates have, where it says nothing itself.
func (r *reader) defaults(t *template) {
	if r.spec.TemplateDefaults == nil {
		return
	}
	from, to := reflect.ValueOf(r.spec.TemplateDefaults).Elem(), reflect.ValueOf(t).Elem()
	pod := t.Container != nil || t.Script != nil
	for i := range to.NumField() {
		name := to.Type().Field(i).Name
		set := !to.Field(i).IsZero()
		switch typ := to.Type().Field(i).Type; {
		case name == "At" || name == "Name" || from.Field(i).IsZero() || set && scalar(typ):
			continue
		case slices.Contains([]string{"Steps", "DAG", "Container", "Script", "Resource"}, name):
			r.refuse(r.spec.TemplateDefaults.At, "templateDefaults of what a template runs", "%s: write it in the templates", strings.ToLower(name))
			continue
		case set && typ == reflect.TypeFor[map[string]string]():
			to.Field(i).Set(reflect.ValueOf(merged(from.Field(i).Interface().(map[string]string), to.Field(i).Interface().(map[string]string))))
			continue
		case set:
			r.refuse(t.At, "templateDefaults beside the template's own", "template %s has its own %s, and Argo puts both together; write all of it in the template", t.Name, strings.ToLower(name[:1])+name[1:])
			continue
		}
		if !pod && (name == "RetryStrategy" || name == "ActiveDeadlineSeconds") {
			r.refuse(t.At, "templateDefaults of steps or a DAG", "a program repeats and limits single tasks")
			continue
		}
		to.Field(i).Set(from.Field(i))
	}
}

// schedules adds the schedules of a CronWorkflow.
func (r *reader) schedules(c *cronSpec) {
	list := c.Schedules
	if c.Schedule != "" {
		list = append([]string{c.Schedule}, list...)
	}
	if len(list) == 0 {
		r.errorf(c.At, "", "a CronWorkflow without a schedule")
	}
	limit := 0
	switch c.ConcurrencyPolicy.S {
	case "Forbid":
		limit = 1
	case "", "Allow":
		r.notef(c.At, "runs of the schedule at once: a CronWorkflow that allows any number becomes a schedule that starts at most 10 at once")
		limit = 10
	default:
		r.refuse(c.ConcurrencyPolicy.At, "concurrencyPolicy "+c.ConcurrencyPolicy.S, "a schedule doesn't end the run before")
	}
	for _, h := range []struct {
		name string
		text
	}{{"successfulJobsHistoryLimit", c.SuccessfulJobsHistoryLimit}, {"failedJobsHistoryLimit", c.FailedJobsHistoryLimit}} {
		if h.S != "" {
			r.notef(h.At, "%s is left out: it says how a cluster keeps what ran", h.name)
		}
	}
	if c.WorkflowMetadata.JSON != nil {
		r.notef(c.WorkflowMetadata.At, "workflowMetadata is left out: it is about the Workflows that the schedule starts, and nothing of what they do")
	}
	for i, cron := range list {
		s := &program.Schedule{Name: r.p.Name, Cron: cron, Zone: c.Timezone, Paused: c.Suspend, Limit: limit}
		if i > 0 {
			s.Name = fmt.Sprintf("%s-%d", r.p.Name, i+1)
		}
		s.CatchUp = c.StartingDeadlineSeconds != nil && *c.StartingDeadlineSeconds > 0
		r.p.Schedules = append(r.p.Schedules, s)
	}
}
