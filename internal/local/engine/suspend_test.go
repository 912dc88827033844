package engine_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

type decision struct {
	Deploy  dsl.Param[string] `enum:"YES,NO" default:"NO"`
	Replica dsl.Param[int]    `default:"2"`
	Comment dsl.Param[string] `kfp:",optional"`
}

type strict struct {
	Deploy dsl.Param[bool]
	Until  dsl.Param[int]
}

type said struct{ Text dsl.Param[string] }

func approval(waits time.Duration) dsl.Definition {
	approve := argo.Suspend[textIn, decision]("approve", argo.SuspendSpec{Duration: waits})
	return dsl.Pipeline("approval", func(s *dsl.Scope, in textIn) said {
		a := approve.Call(s, in).Out
		return said(echo.Call(s, textIn{dsl.Sprintf("%s %s [%s]", a.Deploy, a.Replica, a.Comment)}).Out)
	})
}

// TestSuspend: a suspended step has the outputs that a person gives, the defaults of the
// others, and all defaults when its duration has passed.
func TestSuspend(t *testing.T) {
	deadline := time.Time{}
	ask := func(a map[string]string, err error) func(context.Context, engine.Question) (map[string]json.RawMessage, error) {
		return func(ctx context.Context, q engine.Question) (map[string]json.RawMessage, error) {
			if deadline = q.Deadline; q.Task != "approve" || string(q.Inputs["text"]) != `"x"` || len(q.Outputs) != 3 {
				t.Errorf("asked %+v", q)
			}
			if a == nil && err == nil {
				<-ctx.Done()
				return nil, ctx.Err()
			}
			all := map[string]json.RawMessage{}
			for k, v := range a {
				all[k] = json.RawMessage(v)
			}
			return all, err
		}
	}
	for _, tt := range []struct {
		name   string
		waits  time.Duration
		o      engine.Options
		want   string // the output, or what is wrong
		passed time.Duration
	}{
		{"answered", 0, engine.Options{Answers: []string{"approve.deploy=YES", "approve.comment=a=b.c"}}, `"YES 2 [a=b.c]"`, 0},
		{"resumed", 0, engine.Options{Answers: []string{"approve"}}, `"NO 2 []"`, 0},
		{"answered in time", time.Hour, engine.Options{Answers: []string{"approve.replica=3"}}, `"NO 3 []"`, 0},
		{"nobody asked", time.Hour, engine.Options{}, `"NO 2 []"`, time.Hour},
		{"asked", 0, engine.Options{Ask: ask(map[string]string{"deploy": `"YES"`}, nil)}, `"YES 2 []"`, 0},
		{"asked in vain", time.Hour, engine.Options{Ask: ask(nil, nil)}, `"NO 2 []"`, time.Hour},
		{"asked, and the terminal is gone", time.Hour, engine.Options{Ask: ask(nil, errors.New("the input has ended"))}, "the input has ended", 0},
	} {
		home := t.TempDir()
		synctest.Test(t, func(t *testing.T) {
			tt.o.Home, tt.o.GPUs, deadline = home, new(int), time.Time{} // no process that asks for GPUs, which has no fake clock
			began := time.Now()
			r := start(t, t.Context(), approval(tt.waits), tt.o, `{"text":"x"}`)
			if got := string(r.Outputs["text"]) + r.Error; got != tt.want && (tt.want[0] == '"' || !strings.Contains(got, tt.want)) {
				t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
			}
			if passed := time.Since(began); passed != tt.passed || !deadline.IsZero() && !deadline.Equal(began.Add(tt.waits)) {
				t.Errorf("%s: it took %v; the deadline was %v", tt.name, passed, deadline)
			}
		})
	}
}

// TestUnanswered: what nobody answers doesn't start, and says with which flags it would.
func TestUnanswered(t *testing.T) {
	approve := argo.Suspend[textIn, strict]("approve", argo.SuspendSpec{})
	pause := argo.Suspend[dsl.None, dsl.None]("pause", argo.SuspendSpec{})
	p := dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		pause.Call(s, dsl.None{})
		dsl.If(s, dsl.Eq(in.Text, "ask"), func(s *dsl.Scope) { approve.Call(s, in) })
		return dsl.None{}
	})
	for _, tt := range []struct {
		text    string
		answers []string
		want    []string
	}{
		{"ask", nil, []string{
			"task pause: it waits for a person, and there is no terminal to ask on; give --answer pause,",
			"task condition-1/approve: it waits for a person, and there is no terminal to ask on; give --answer condition-1/approve.deploy=VALUE --answer condition-1/approve.until=VALUE,",
		}},
		{"ask", []string{"pause", "approve.deploy=true"}, []string{"output until was not given and has no default; give it with --answer condition-1/approve.until=VALUE, "}},
		{"ask", []string{"pause", "approve.deploy=perhaps", "approve.until=1", "approve.until=2", "approve.x=1", "approve.deploy", "echo.a=b"}, []string{
			`--answer approve.deploy=perhaps: "perhaps" is not true or false`, "--answer approve.until=2: output until is given twice",
			`--answer approve.x=1: task approve has no output "x"; it has deploy, until`, "--answer approve.deploy: give it as TASK.OUTPUT=VALUE",
			`--answer echo.a=b: no task "echo" waits for a person; there is approve, pause`,
		}},
		{"no", []string{"pause"}, nil},
		{"ask", []string{"pause", "condition-1/approve.deploy=true", "condition-1/approve.until=3"}, nil},
	} {
		r, err := try(t, t.Context(), p, engine.Options{Answers: tt.answers}, `{"text":"`+tt.text+`"}`)
		if tt.want == nil && (err != nil || r.State != run.Succeeded) {
			t.Errorf("%v: %v", tt.answers, err)
		}
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: no %q in %v", tt.answers, want, err)
			}
		}
	}
	approve.OnLocal(func(_ context.Context, in textIn, out *strict) error {
		out.Deploy.Set(true)
		out.Until.Set(1)
		return nil
	})
	r, err := try(t, t.Context(), p, engine.Options{Answers: []string{"pause"}}, `{"text":"ask"}`)
	if err != nil || r.State != run.Succeeded {
		t.Errorf("with a stand-in: %v, %+v", err, r)
	}
}
