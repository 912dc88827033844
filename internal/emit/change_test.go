package emit

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

// TestChanges: what can't be changed is an error, and the program stays as it is.
func TestChanges(t *testing.T) {
	text := graph.Type{Name: "STRING"}
	p := &program.Program{Name: "p", Main: "p", Components: []*program.Component{
		{Name: "p", Inputs: []program.Port{{Name: "text", Type: text}, {Name: "data", Type: graph.Type{Name: "system.Dataset", Artifact: true}}},
			DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{{Name: "say", Component: "say"}}}},
		{Name: "say", Exec: &program.Executor{Container: &program.Container{Image: "x", Command: []string{"say"}}}},
	}}
	c := Changes{Name: "q", Title: "Q", NoCache: true, Defaults: params.Options{Flags: []string{"text=x"}}}
	got, err := c.apply(p, KFP)
	if err != nil {
		t.Fatal(err)
	}
	root := got.Component("p")
	if got.Name != "q" || got.Title != "Q" || string(root.Input("text").Default) != `"x"` || !root.DAG.Tasks[0].Settings.NoCache {
		t.Errorf("got %+v with %+v", got, root)
	}
	if root = p.Component("p"); p.Name != "p" || root.Input("text").Default != nil || root.DAG.Tasks[0].Settings.NoCache {
		t.Errorf("the program itself is changed: %+v", p)
	}
	for _, c := range []struct {
		target string
		o      Options
		want   string
	}{
		{KFP, Options{Changes: Changes{Name: "My pipeline"}}, `"My pipeline" can't be the name`},
		{KFP, Options{Changes: Changes{Defaults: params.Options{Flags: []string{"texts=x"}}}}, "text"},
		{KFP, Options{Changes: Changes{Defaults: params.Options{Flags: []string{"data=/x"}}}}, "data"},
		{Argo, Options{Manifest: kfp.Manifest{Namespace: "ml"}}, "target kfp-manifest"},
	} {
		if _, err := Emit(p, c.target, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want one with %s", c.o, err, c.want)
		}
	}
}
