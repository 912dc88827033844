package argo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
)

// scheduledTime is what Argo makes of the time at which a CronWorkflow fires: RFC 3339,
// in the zone of the controller, which is UTC as a rule.
const scheduledTime = "{{workflow.scheduledTime}}"

// A fire is what an input gets of the time at which a schedule fires.
type fire struct {
	kind program.ValueKind
	zone string
}

// mark is what stands for it in arguments: a string that Argo makes a time of where it
// shows arguments, with the zone in the form of RFC 9557.
func (f fire) mark() string {
	switch {
	case f.kind == program.FireDate:
		return scheduledTime + "[date in " + f.zone + "]"
	case f.zone != "UTC":
		return scheduledTime + "[" + f.zone + "]"
	}
	return scheduledTime
}

// expression is its value. A controller that knows the zone of a CronWorkflow, without
// which it doesn't fire, knows it here.
func (f fire) expression() string {
	layout := time.RFC3339
	if f.kind == program.FireDate {
		layout = time.DateOnly
	}
	return fmt.Sprintf("date(%s).In(timezone(%s)).Format(%s)", scheduled, literal(f.zone), literal(layout))
}

// firesOf returns what inputs get of the fire times of a schedule, by name.
func firesOf(s *program.Schedule) map[string]fire {
	all := map[string]fire{}
	for name, v := range s.Args {
		if schedule.Fires(v) {
			zone := s.Zone
			if zone == "" {
				zone = "UTC"
			}
			all[name] = fire{v.Kind, zone}
		}
	}
	return all
}

// MarkFireTimes makes arguments say which form of the fire time they stand for.
func MarkFireTimes(a *wfv1.Arguments, s *program.Schedule) {
	fires := firesOf(s)
	for i := range a.Parameters {
		p := &a.Parameters[i]
		if f, ok := fires[p.Name]; ok && p.Value != nil {
			p.Value = anyString(strings.Replace(p.Value.String(), scheduledTime, f.mark(), 1))
		}
	}
}

// FireTimes makes a spec put the fire time where an argument says {{workflow.scheduledTime}}:
// Argo replaces that in arguments as the spec shows them, but not in what expressions
// read of them. Of several schedules, each has its own zone.
func FireTimes(spec *wfv1.WorkflowSpec, schedules ...*program.Schedule) error {
	by := map[string]map[fire]bool{}
	for _, s := range schedules {
		for name, f := range firesOf(s) {
			if by[name] == nil {
				by[name] = map[fire]bool{}
			}
			by[name][f] = true
		}
	}
	if len(by) == 0 {
		return nil
	}
	b, err := json.Marshal(spec)
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(by)) {
		is := "workflow.parameters[" + literal(name) + "]"
		// Marks that others begin with come last.
		fires := slices.SortedFunc(maps.Keys(by[name]), func(a, b fire) int { return strings.Compare(b.mark(), a.mark()) })
		e := is
		for _, f := range fires {
			e = "replace(" + e + ", '{' + '{workflow.scheduledTime}' + '}' + " + literal(strings.TrimPrefix(f.mark(), scheduledTime)) + ", " + f.expression() + ")"
		}
		b = bytes.ReplaceAll(b, []byte(is), []byte(e))
	}
	*spec = wfv1.WorkflowSpec{}
	return json.Unmarshal(b, spec)
}
