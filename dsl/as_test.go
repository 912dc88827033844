package dsl_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

type mixedIn struct {
	Items dsl.Param[[]any]
	Extra dsl.Param[map[string]any] `kfp:",optional"`
	File  dsl.Any                   `kfp:",optional"`
}

// TestUntyped: lists and maps of anything are parameters, and As says what is in them.
func TestUntyped(t *testing.T) {
	type textIn struct{ Text dsl.Param[string] }
	type modelIn struct{ Model dsl.Model }
	say := dsl.Container("say", func(in textIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(in.Text)}
	})
	use := dsl.Container("use", func(in modelIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(in.Model.Path())}
	})
	p := dsl.Pipeline("untyped", func(s *dsl.Scope, in mixedIn) dsl.None {
		dsl.ParallelFor(s, in.Items, func(s *dsl.Scope, item dsl.Param[any]) dsl.None {
			say.Call(s, textIn{Text: dsl.As[string](item)})
			return dsl.None{}
		})
		say.Call(s, textIn{Text: dsl.As[string](dsl.Const[any]("constant"))})
		use.Call(s, modelIn{Model: dsl.AsArtifact[dsl.Model](in.File)})
		return dsl.None{}
	}).Defaults(mixedIn{Items: dsl.Const([]any{1, "a", nil})})
	if err := p.Check(); err != nil {
		t.Error(err)
	}
	if got := string(recorded.Graph(p).Components[0].Inputs[0].Default); got != `[1,"a",null]` {
		t.Errorf("default %s", got)
	}
	bad := dsl.Pipeline("bad", func(s *dsl.Scope, in textIn) dsl.None {
		say.Call(s, textIn{Text: dsl.As[string](dsl.Const[any](5))})
		return dsl.None{}
	})
	if err := bad.Check(); err == nil {
		t.Error("As made a text of a number")
	}
}

// TestTaskKey: a task has the name that it is given, and the others are counted
// without it.
func TestTaskKey(t *testing.T) {
	say := dsl.Container("say", func(dsl.None, dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "busybox"} })
	make := func(keys ...string) *dsl.Component[dsl.None, dsl.None] {
		return dsl.Pipeline("keys", func(s *dsl.Scope, _ dsl.None) dsl.None {
			for _, k := range keys {
				if k == "" {
					say.Call(s, dsl.None{})
				} else {
					say.Call(s, dsl.None{}, dsl.TaskKey(k))
				}
			}
			return dsl.None{}
		})
	}
	p := make("first", "", "", "say-7", "", "say-4", "")
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	want := []string{"first", "say", "say-2", "say-7", "say-3", "say-4", "say-5"}
	for i, task := range recorded.Graph(p).Tasks {
		if task.Name != want[i] {
			t.Errorf("task %d is %s, want %s", i, task.Name, want[i])
		}
	}
	for _, bad := range [][]string{{"Say"}, {"a b"}, {"x", "x"}, {"", "say"}} {
		if err := make(bad...).Check(); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestLabel: only what becomes a group has a label.
func TestLabel(t *testing.T) {
	say := dsl.Container("say", func(dsl.None, dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "busybox"} })
	guard := func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { say.Call(s, dsl.None{}) })
	}
	for name, body := range map[string]func(*dsl.Scope){
		"":           func(s *dsl.Scope) { guard(s); dsl.Label(s, "x") },
		"a pipeline": func(s *dsl.Scope) { dsl.Label(s, "x") },
		"a group":    func(s *dsl.Scope) { dsl.Group(s, func(s *dsl.Scope) { dsl.Label(s, "x"); say.Call(s, dsl.None{}) }) },
		"a label":    func(s *dsl.Scope) { guard(s); dsl.Label(s, "\n") },
	} {
		err := dsl.Pipeline("labels", func(s *dsl.Scope, _ dsl.None) dsl.None {
			body(s)
			say.Call(s, dsl.None{})
			return dsl.None{}
		}).Check()
		if name == "" && err != nil || name != "" && (err == nil || !strings.Contains(err.Error(), name)) {
			t.Errorf("%q: got %v", name, err)
		}
	}
}
