package emit_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

func echo() *program.Program {
	return &program.Program{
		Schema: program.Schema, Name: "hello", Main: "hello",
		Components: []*program.Component{
			{Name: "hello", DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "echo", Component: "echo"}}}},
			{Name: "echo", Exec: &program.Executor{Container: &program.Container{Image: "busybox:1", Command: []string{"echo"}}}},
		},
	}
}

func TestEmit(t *testing.T) {
	for target, want := range map[string]string{emit.KFP: "sdkVersion: kfpgo-dev\n", emit.Argo: "kind: Workflow\n",
		emit.ArgoTemplate: "kind: WorkflowTemplate\n", emit.ArgoClusterTemplate: "kind: ClusterWorkflowTemplate\n"} {
		got, err := emit.Emit(echo(), target, emit.Options{})
		if err != nil || !strings.Contains(string(got), want) {
			t.Errorf("%s: no %q in\n%s\n%v", target, want, got, err)
		}
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		target string
		o      emit.Options
		want   string
	}{
		{target: emit.KFP, o: emit.Options{Image: "example.com/x"}},
		{target: emit.KFP, o: emit.Options{Image: "localhost:5000/a/b_c:1.2@sha256:" + strings.Repeat("0", 64)}},
		{target: emit.KFP, o: emit.Options{Image: "UPPER/x:1:2"}, want: `"UPPER/x:1:2" is not an image: write REGISTRY/NAME:TAG, with lower case letters in NAME, such as ghcr.io/acme/train:1.4`},
		{target: emit.Argo, o: emit.Options{ArtifactRoot: "s3://b"}},
		{target: "", want: `there is no target ""; the targets are kfp, kfp-manifest, argo, argo-template, argo-cluster-template, argo-cron`},
		{target: "KFP", want: `there is no target "KFP"; the targets are kfp, kfp-manifest, argo, argo-template, argo-cluster-template, argo-cron`},
		{target: emit.KFP, o: emit.Options{ArtifactRoot: "s3://b"}, want: "an artifact root is for target argo; target kfp has its own, the pipeline root"},
	} {
		_, err := emit.Emit(echo(), c.target, c.o)
		if got := fmt.Sprint(err); c.want != "" && got != c.want || c.want == "" && err != nil {
			t.Errorf("%s: got %v, want %s", c.target, err, c.want)
		}
	}
}

func TestSplit(t *testing.T) {
	a, b, c := &graph.Error{Msg: "a"}, &graph.Error{Msg: "b"}, &graph.Error{Msg: "c"}
	plain := errors.New("plain")
	for _, test := range []struct {
		err      error
		mistakes string
		rest     int
	}{
		{nil, "", 0},
		{a, "a", 0},
		{plain, "", 1},
		{graph.Errors{a, b}, "ab", 0},
		{errors.Join(a, plain, errors.Join(graph.Errors{b}, c)), "abc", 1},
	} {
		mistakes, rest := emit.Split(test.err)
		got := ""
		for _, m := range mistakes {
			got += m.Msg
		}
		if got != test.mistakes || len(rest) != test.rest {
			t.Errorf("%v: got %q and %d others", test.err, got, len(rest))
		}
	}
}

func TestKnownVersion(t *testing.T) {
	for said, want := range map[string]string{
		"2.0.5": "2.0", "2.17.0": "2.17", "v2.5.0-rc.1": "2.5", "2.14": "2.14",
		"": "", "unknown": "", "master": "", "1.8.5": "", "2.99.0": "", "2.x": "", "2": "", "3.0.0": "",
	} {
		if got := emit.KnownVersion(said); got != want {
			t.Errorf("%q is %q, want %q", said, got, want)
		}
	}
}
