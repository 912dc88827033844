package notify_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/notify"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

var work = dsl.Container("work", func(dsl.None, dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "busybox"} })

var pipeline = dsl.Pipeline("told", func(s *dsl.Scope, _ dsl.None) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		notify.Slack.Call(s, notify.In{Status: status, OnlyIf: dsl.Const("failed")}, k8s.SecretEnv("NOTIFY_URL", "slack", "url"))
	})
	work.Call(s, dsl.None{})
	return dsl.None{}
})

func TestCompiled(t *testing.T) { tried.Compiled(t, pipeline) }

func failed() dsl.FinalStatus {
	st := dsl.FinalStatus{State: dsl.Failed, PipelineJob: "nightly-1", PipelineTask: "train"}
	st.Error.Message = "no <GPU>"
	return st
}

func TestNotify(t *testing.T) {
	var got []string
	code := []int{503, 200}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = append(got, string(b))
		w.WriteHeader(code[min(len(got), len(code))-1])
	}))
	defer s.Close()
	t.Setenv("NOTIFY_URL", s.URL+"/secret")
	if _, err := notify.Slack.Run(t.Context(), notify.In{Status: dsl.Const(failed())}); err != nil {
		t.Fatal(err)
	}
	if want := `{"text":":x: nightly-1: FAILED: train: no \u0026lt;GPU\u0026gt;"}`; len(got) != 2 || got[1] != want {
		t.Errorf("got %q, want %s", got, want)
	}
	if _, err := notify.Webhook.Run(t.Context(), notify.In{Status: dsl.Const(failed()), Text: dsl.Const("look")}); err != nil {
		t.Fatal(err)
	}
	if want := `{"status":"FAILED","run":"nightly-1","task":"train","message":"no \u003cGPU\u003e","text":"look"}`; got[2] != want {
		t.Errorf("got %s, want %s", got[2], want)
	}
	if _, err := notify.Slack.Run(t.Context(), notify.In{Status: dsl.Const(failed()), OnlyIf: dsl.Const("succeeded")}); err != nil || len(got) != 3 {
		t.Error(err, len(got))
	}
	code = []int{404}
	got = nil
	_, err := notify.Slack.Run(t.Context(), notify.In{Text: dsl.Const("x")})
	tried.Fails(t, err, "the webhook answers 404")
	if strings.Contains(err.Error(), "secret") {
		t.Errorf("the message has the address: %v", err)
	}
	_, err = notify.Slack.Run(t.Context(), notify.In{})
	tried.Fails(t, err, "neither Status nor Text was given")
	_, err = notify.Slack.Run(t.Context(), notify.In{Text: dsl.Const("x"), OnlyIf: dsl.Const("never")})
	tried.Fails(t, err, `input only_if is "never"`)
	t.Setenv("NOTIFY_URL", "")
	_, err = notify.Slack.Run(t.Context(), notify.In{Text: dsl.Const("x")})
	tried.Fails(t, err, "the variable NOTIFY_URL holds no address")
}
