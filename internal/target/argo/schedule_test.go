package argo_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type dayIn struct {
	Day  dsl.Param[time.Time]
	Name dsl.Param[string]
	N    dsl.Param[int] `default:"3"`
}

var reportDay = dsl.Func("report-day", func(context.Context, dayIn, *dsl.None) error { return nil })

var daily = dsl.Pipeline("daily", func(s *dsl.Scope, in dayIn) dsl.None {
	reportDay.Call(s, in)
	return dsl.None{}
})

func scheduled(t *testing.T, schedules ...*dsl.Schedule) *program.Program {
	t.Helper()
	defs := []dsl.Definition{daily}
	for _, s := range schedules {
		if err := s.Check(); err != nil {
			t.Fatal(err)
		}
		defs = append(defs, s)
	}
	g := recorded.Graph(defs...)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestCronWorkflows compares the CronWorkflows of schedules of every kind: they hold lists of
// schedules, as Argo 4 wants.
func TestCronWorkflows(t *testing.T) {
	start := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)
	p := scheduled(t,
		dsl.NewSchedule("nightly", daily, dsl.When{Cron: "10 3 * * 1-7", Zone: "Europe/Zurich", MaxConcurrency: 2},
			dayIn{Day: dsl.FireTime(), Name: dsl.Const("it's \"me\""), N: dsl.Const(5)}),
		dsl.NewSchedule("hourly", daily, dsl.When{Every: 90 * time.Minute, Start: start, End: start.AddDate(1, 0, 0), CatchUp: true, Paused: true},
			dayIn{Day: dsl.Const(start), Name: dsl.Const("x")}),
	)
	got, err := argo.Cron(p, options)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "kinds", "cron.yaml"), got)
}

func TestCronMistakes(t *testing.T) {
	seconds := dsl.NewSchedule("UPPER", daily, dsl.When{Cron: "30 10 3 * * *", Seconds: true}, dayIn{Day: dsl.FireTime(), Name: dsl.Const("{{x}}")})
	_, err := argo.Cron(scheduled(t, seconds), options)
	for _, want := range []string{
		`schedule UPPER: "UPPER" can't be the name of a CronWorkflow`,
		`cron "30 10 3 * * *" fires at other seconds than 0`,
		`input name: the string "{{x}}" has {{ in it`,
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("no %q in %v", want, err)
		}
	}
	if _, err := argo.Cron(scheduled(t), options); err == nil || !strings.Contains(err.Error(), "pipeline daily has no schedule") {
		t.Error(err)
	}
}

func TestTemplate(t *testing.T) {
	got, err := argo.Template(scheduled(t), options, true)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "kinds", "cluster-template.yaml"), got)
}

var operations = dsl.Pipeline("operations", func(s *dsl.Scope, in k8s.DeletePVCIn) dsl.None {
	k8s.DeletePVC.Call(s, in)
	policy := dsl.Resource("allow", func(in k8s.DeletePVCIn, _ dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Apply, Manifest: "apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: " + in.Name.String() + "}\n"}
	})
	policy.Call(s, in)
	job := dsl.Resource("job", func(in k8s.DeletePVCIn, _ dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: x-}\n", Success: "status.succeeded > 0"}
	})
	job.Call(s, in)
	dsl.Container("say", func(in k8s.DeletePVCIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: dsl.Args("echo", in.Name)}
	}).Call(s, in)
	return dsl.None{}
})

func TestRBAC(t *testing.T) {
	got, err := argo.RBAC(lowered.Program(t, operations), options)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "kinds", "rbac.yaml"), got)

	// With an account for the steps that work on objects, no other step has rights on them.
	apart := options
	apart.ServiceAccount, apart.ObjectServiceAccount = "steps", "objects"
	if got, err = argo.RBAC(lowered.Program(t, operations), apart); err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "kinds", "rbac_apart.yaml"), got)
	w, _, err := argo.Workflow(lowered.Program(t, operations), apart)
	if err != nil {
		t.Fatal(err)
	}
	if w.Spec.ServiceAccountName != "steps" {
		t.Errorf("the pods run as %q", w.Spec.ServiceAccountName)
	}
	for _, tmpl := range w.Spec.Templates {
		want := ""
		if tmpl.Resource != nil {
			want = "objects"
		}
		if tmpl.ServiceAccountName != want {
			t.Errorf("template %s runs as %q, want %q", tmpl.Name, tmpl.ServiceAccountName, want)
		}
	}
}
