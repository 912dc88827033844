package dsl_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// What users of other pipeline SDKs have reported, as far as the language has to
// do with it.

// TestNameWithoutASCII: a name without an ASCII letter is a name; one without any letter is not.
func TestNameWithoutASCII(t *testing.T) {
	body := func(s *dsl.Scope, in numIn) dsl.None { double.Call(s, in); return dsl.None{} }
	if g := recorded.Graph(dsl.Pipeline("数据 管道", body)); len(g.Errors) > 0 || g.Component(1).Name != "数据 管道" {
		t.Errorf("errors %v", g.Errors)
	}
	if err := dsl.Pipeline("—", body).Check(); err == nil || !strings.Contains(err.Error(), "a name has a letter or a digit in it") {
		t.Errorf("got %v", err)
	}
}

// TestListsHoldNoReferences: a record of a constant list can't hold a reference, and the message says which.
func TestListsHoldNoReferences(t *testing.T) {
	p := dsl.Pipeline("p", func(s *dsl.Scope, in struct{ Rate dsl.Param[float64] }) dsl.None {
		dsl.ParallelFor(s, dsl.Const([]Setting{{Epochs: dsl.Const(1), Rate: in.Rate}}), func(s *dsl.Scope, item dsl.Param[Setting]) dsl.None {
			double.Call(s, numIn{dsl.Fields(item).Epochs})
			return dsl.None{}
		})
		return dsl.None{}
	})
	if err := p.Check(); err == nil || !strings.Contains(err.Error(), "input rate is a reference; a constant holds only constants") {
		t.Errorf("got %v", err)
	}
}

type defaultsIn struct {
	Small dsl.Param[float64] `default:"0.00002"`
	Big   dsl.Param[float64] `default:"1e21"`
	Minus dsl.Param[float64] `default:"-0.0"`
	Off   dsl.Param[bool]    `default:"false"`
	Empty dsl.Param[string]  `default:""`
	Zero  dsl.Param[int]     `default:"0"`
	Lines dsl.Param[string]  `default:"a\nb: {{c}} # 'd'"`
	None  dsl.Param[string]  `kfp:",optional"`
	Must  dsl.Param[string]
}

// TestDefaultsAsWritten: defaults are what was written, and "", false and 0 are some.
func TestDefaultsAsWritten(t *testing.T) {
	c := dsl.Func("defaults", func(context.Context, defaultsIn, *dsl.None) error { return nil })
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"small": "0.00002", "big": "1e21", "minus": "-0.0", "off": "false", "empty": `""`, "zero": "0",
		"lines": `"a\nb: {{c}} # 'd'"`, "none": "null", "must": "null",
	}
	for _, f := range recorded.Graph(c).Component(1).Inputs {
		var got, w any
		if f.Default != nil {
			if err := json.Unmarshal(f.Default, &got); err != nil {
				t.Errorf("%s: %v", f.Name, err)
			}
		}
		json.Unmarshal([]byte(want[f.Name]), &w)
		if got != w || (f.Default == nil) != (want[f.Name] == "null") {
			t.Errorf("%s: default %s, want %s", f.Name, f.Default, want[f.Name])
		}
		if required := f.Name == "must"; f.Required() != required {
			t.Errorf("%s: required %v", f.Name, f.Required())
		}
	}
}

// TestDeviceCounts: any whole number of devices.
func TestDeviceCounts(t *testing.T) {
	for n, want := range map[int]string{0: "", 3: "", 32: "", 128: "", -1: "must be at least 0"} {
		err := dsl.Pipeline("p", func(s *dsl.Scope, in numIn) dsl.None {
			double.Call(s, in, dsl.GPU(n))
			return dsl.None{}
		}).Check()
		if got := fmt.Sprint(err); want == "" && err != nil || !strings.Contains(got, want) {
			t.Errorf("GPU(%d): %v, want %q", n, err, want)
		}
	}
}

// TestScheduleMistakes: a schedule is checked where it is written.
func TestScheduleMistakes(t *testing.T) {
	type in struct{ Day dsl.Param[time.Time] }
	p := dsl.Pipeline("p", func(s *dsl.Scope, in in) dsl.None {
		show.Call(s, showIn{Text: dsl.Sprintf("%v", in.Day)})
		return dsl.None{}
	})
	day := in{dsl.FireTime()}
	for _, tt := range []struct {
		when dsl.When
		in   in
		want string
	}{
		{dsl.When{Cron: "10 10 * * *"}, day, ""},
		{dsl.When{Cron: "0 10 10 * * *", Seconds: true}, day, ""},
		{dsl.When{Cron: "0 10 10 * * *"}, day, "six fields"},
		{dsl.When{Cron: "10 10 * * *"}, in{}, "input day of pipeline p is required"},
		{dsl.When{Cron: "10 10 * * *", Zone: "Europe/Zurich"}, day, ""},
		{dsl.When{Cron: "10 10 * * *", Zone: "Mars/Base"}, day, "unknown time zone Mars/Base"},
	} {
		err := dsl.NewSchedule("s", p, tt.when, tt.in).Check()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%+v: got %v, want %q", tt.when, err, tt.want)
		}
	}
}
