package argo_test

import (
	"encoding/json"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/schedule"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

// TestFireTime: inputs that get the fire time of a schedule have it where they are
// read, whether they are required or not, and no other text is touched.
func TestFireTime(t *testing.T) {
	const at = "2026-11-28T00:00:00Z"
	type in struct {
		Name dsl.Param[string]
		Text dsl.Param[string] `kfp:",optional"`
	}
	d := dsl.Pipeline("fired", func(s *dsl.Scope, in in) dsl.None {
		presentTool.Call(s, presentIn{Name: in.Name, Text: in.Text})
		return dsl.None{}
	})
	for _, fire := range [][]string{{"name", "text"}, {"text"}, nil} {
		w := workflow(t, d, options)
		given := map[string]json.RawMessage{"name": json.RawMessage(`"Ada"`)}
		name, text := "Ada", "<"+at+">"
		if len(fire) != 1 {
			delete(given, "name")
		}
		if len(fire) == 2 {
			name = at
		}
		if fire == nil {
			given["name"], given["text"], text, name = json.RawMessage(`"Bob"`), json.RawMessage(`"x"`), "<x>", "Bob"
		}
		if err := argo.SetArguments(&w.Spec.Arguments, given, append([]string{}, fire...)); err != nil {
			t.Fatal(err)
		}
		s := &program.Schedule{Args: map[string]program.Value{}}
		for _, name := range fire {
			s.Args[name] = program.Value{Kind: program.FireTime}
		}
		if err := argo.FireTimes(&w.Spec, s); err != nil {
			t.Fatal(err)
		}
		sim := newSim(t, w, nil)
		sim.Global["workflow.scheduledTime"] = at
		ran := false
		sim.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			ran = true
			found := map[string]bool{}
			for _, a := range argv {
				found[a] = true
			}
			if !found[name] || !found[text] {
				t.Errorf("fire time of %q: %q, want %q and %q", fire, argv, name, text)
			}
			return nil
		}
		sim.run()
		if !ran {
			t.Error("nothing ran")
		}
	}
}

// TestFireZones: each schedule of one template gives the fire time and its day as its
// own clock has them, whatever the zone of the controller.
func TestFireZones(t *testing.T) {
	type in struct {
		Name dsl.Param[string]
		Text dsl.Param[string] `kfp:",optional"`
	}
	d := dsl.Pipeline("fired", func(s *dsl.Scope, in in) dsl.None {
		presentTool.Call(s, presentIn{Name: in.Name, Text: in.Text})
		return dsl.None{}
	})
	of := func(zone string) *program.Schedule {
		return &program.Schedule{Zone: zone, Args: map[string]program.Value{"name": {Kind: program.FireDate}, "text": {Kind: program.FireTime}}}
	}
	all := []*program.Schedule{
		of("Europe/Zurich"), of(""), {Zone: "Asia/Kolkata", Args: map[string]program.Value{"name": {Kind: program.FireTime}}},
		of("America/New_York"), of("Etc/GMT+5"),
	}
	for _, c := range []struct {
		s          *program.Schedule
		at         string
		name, text string
	}{
		{all[0], "2027-03-27T23:30:00Z", "2027-03-28", "2027-03-28T00:30:00+01:00"},
		{all[0], "2027-03-28T22:30:00Z", "2027-03-29", "2027-03-29T00:30:00+02:00"},
		{all[0], "2027-10-31T01:30:00+01:00", "2027-10-31", "2027-10-31T02:30:00+02:00"},
		{all[1], "2027-03-28T01:30:00+02:00", "2027-03-27", "2027-03-27T23:30:00Z"},
		{all[2], "2027-03-27T23:30:00Z", "2027-03-28T05:00:00+05:30", ""},
		{all[3], "2027-03-27T23:30:00Z", "2027-03-27", "2027-03-27T19:30:00-04:00"},
		{all[4], "2027-03-27T03:30:00Z", "2027-03-26", "2027-03-26T22:30:00-05:00"},
	} {
		w := workflow(t, d, options)
		var fires []string
		for name := range c.s.Args {
			fires = append(fires, name)
		}
		if err := argo.SetArguments(&w.Spec.Arguments, nil, fires); err != nil {
			t.Fatal(err)
		}
		argo.MarkFireTimes(&w.Spec.Arguments, c.s)
		if err := argo.FireTimes(&w.Spec, all...); err != nil {
			t.Fatal(err)
		}
		sim := newSim(t, w, nil)
		sim.Global["workflow.scheduledTime"] = c.at
		ran := false
		sim.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			ran = true
			if !slices.Contains(argv, c.name) || c.text != "" && !slices.Contains(argv, "<"+c.text+">") {
				t.Errorf("%s in %q: %q, want %q and %q", c.at, c.s.Zone, argv, c.name, c.text)
			}
			return nil
		}
		sim.run()
		if !ran {
			t.Error("nothing ran")
		}
		// The same values as on this machine.
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		args, err := schedule.Args(c.s, at)
		if err != nil || string(args["name"]) != strconv.Quote(c.name) || c.text != "" && string(args["text"]) != strconv.Quote(c.text) {
			t.Errorf("here, %s in %q gives %s, %v", c.at, c.s.Zone, args, err)
		}
	}
}
