package argoread

import (
	"fmt"
	"reflect"
	"strings"

	"github.com/kfpgo/kfpgo/internal/program"
)

// own refuses what kfpgo wrote: every value in it is in an armour that would have
// to be taken off, and the program that it came from says more.
func (r *reader) own() {
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
					ours = ours || c == "kfpgo:exec"
				}
			}
		}
		if ours {
			r.errorf(t.At, "a Workflow that kfpgo wrote", "kfpgo wrote this %s, for Argo to run; import the IR instead, which is written by: kfpgo compile PACKAGE --target kfp", "Workflow")
			return
		}
	}
}

// asides notes what is no part of a pipeline.
func (r *reader) asides() {
	s := r.spec
	if s.ServiceAccountName.S != "" {
		r.notef(s.ServiceAccountName.At, "the service account %s is left out: give it when you compile, with --service-account", s.ServiceAccountName.S)
	}
	for _, f := range []struct {
		name string
		raw  raw
	}{{"podGC", s.PodGC}, {"artifactGC", s.ArtifactGC}, {"artifactRepositoryRef", s.ArtifactRepositoryRef}, {"podDisruptionBudget", s.PodDisruptionBudget}, {"executor", s.Executor}, {"workflowMetadata", s.WorkflowMetadata}, {"volumeClaimGC", s.VolumeClaimGC}} {
		if f.raw.JSON != nil {
			r.notef(f.raw.At, "%s is left out: it says how a cluster runs the Workflow, and nothing of what it does", f.name)
		}
	}
	if s.ArchiveLogs.S != "" {
		r.notef(s.ArchiveLogs.At, "archiveLogs is left out: it says how a cluster runs the Workflow, and nothing of what it does")
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
	if c == (program.Config{}) {
		return nil
	}
	return &c
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
		if name == "At" || !to.Field(i).IsZero() || from.Field(i).IsZero() {
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
	for _, h := range []text{c.SuccessfulJobsHistoryLimit, c.FailedJobsHistoryLimit} {
		if h.S != "" {
			r.notef(h.At, "the limits of the history are left out: they say how a cluster keeps what ran")
		}
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
