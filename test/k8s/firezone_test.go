package k8s

import (
	"encoding/json"
	"net/http"
	"testing"
	"time"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower/when"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

type fireIn struct {
	Day  dsl.Param[time.Time]
	Date dsl.Param[string]
	Time dsl.Param[string] `kfp:",optional"`
}

var fired = dsl.Pipeline("fired", func(s *dsl.Scope, in fireIn) dsl.None {
	dsl.Container("say", func(in fireIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "registry.local/busybox:1", Command: dsl.Args("echo", in.Day, in.Date, in.Time)}
	}).Call(s, in)
	return dsl.None{}
})

// TestFireZone: what a run on Argo gets of the time for which it is started is what
// one here gets: the clock of the schedule's zone, on the days of its changes too.
func TestFireZone(t *testing.T) {
	t.Parallel()
	e := engine(t)
	// Its pods run to their ends, which other tests of schedules don't wait for.
	call(t, http.MethodPost, "/apis/rbac.authorization.k8s.io/v1/namespaces/"+e.space+"/rolebindings", "", []byte(`{"metadata": {"name": "argo-executor"},
		"roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "argo-executor"},
		"subjects": [{"kind": "ServiceAccount", "name": "default", "namespace": "`+e.space+`"}]}`))
	spec, err := compiler.Compile(fired, e.Target())
	no(t, err)
	for _, c := range []struct {
		name, zone string
		at         time.Time
	}{
		{"zurich", "Europe/Zurich", time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC)},
		{"summer", "Europe/Zurich", time.Date(2027, 3, 28, 22, 30, 0, 0, time.UTC)},
		{"york", "America/New_York", time.Date(2027, 11, 7, 5, 30, 0, 0, time.UTC)},
		{"utc", "", time.Date(2027, 3, 27, 23, 30, 0, 0, time.UTC)},
	} {
		s := api.ScheduleSpec{
			Name: c.name, When: dsl.When{Cron: "30 0 * * *", Zone: c.zone}, Pipeline: api.Submission{Spec: spec},
			FireTime: []string{"day", "time"}, FireDate: []string{"date"},
		}
		_, _, err := e.ApplySchedule(t.Context(), s)
		no(t, err)
		run, err := e.TriggerSchedule(t.Context(), c.name, c.at)
		no(t, err)
		done, err := api.Wait(t.Context(), e.Client, run.ID, api.WaitOptions{})
		if err != nil || done.State != api.Succeeded {
			t.Fatalf("%s: %+v, %v", c.name, done, err)
		}
		of := when.Schedule(c.name, s.When)
		when.SetArgs(of, nil, s.FireTime, s.FireDate)
		want, err := schedule.Args(of, c.at)
		no(t, err)
		got := podInputs(t, e.space, run.ID)
		for name := range want {
			if string(got[name]) != string(want[name]) {
				t.Errorf("%s: %s is %s, want %s", c.name, name, got[name], want[name])
			}
		}
	}
}

// podInputs returns the parameters of the pods of a Workflow, as its nodes show them.
func podInputs(t *testing.T, space, name string) map[string]json.RawMessage {
	t.Helper()
	b, err := try(http.MethodGet, "/apis/argoproj.io/v1alpha1/namespaces/"+space+"/workflows/"+name, "", nil)
	no(t, err)
	var w struct {
		Status struct {
			Nodes map[string]struct {
				Type   string
				Inputs struct {
					Parameters []struct{ Name, Value string }
				}
			}
		}
	}
	no(t, json.Unmarshal(b, &w))
	all := map[string]json.RawMessage{}
	for _, n := range w.Status.Nodes {
		for _, p := range n.Inputs.Parameters {
			if n.Type == "Pod" {
				all[p.Name] = json.RawMessage(p.Value)
			}
		}
	}
	return all
}
