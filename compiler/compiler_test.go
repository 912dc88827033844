package compiler_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
)

func TestCompile(t *testing.T) {
	nightly := dsl.NewSchedule("nightly", Hello, dsl.When{Every: time.Hour}, GreetIn{})
	for _, c := range []struct {
		name   string
		d      dsl.Definition
		target compiler.Target
		want   []string
	}{
		{"a pipeline", Hello, compiler.KFP, []string{"schemaVersion: '2.1.0'", "  name: hello\n", "image: example.com/app:1"}},
		{"a pipeline", Hello, argo.Workflow, []string{"kind: Workflow\n", "generateName: hello-", "image: example.com/app:1"}},
		{"a component alone", Greet, compiler.KFP, []string{"schemaVersion: '2.1.0'", "  name: greet\n"}},
		{"a schedule's pipeline", nightly, compiler.KFP, []string{"  name: hello\n"}},
		{"calc", calc.Pipeline, argo.Workflow, []string{"name: my-divmod"}},
	} {
		t.Run(c.name+" for "+string(c.target), func(t *testing.T) {
			got, err := compiler.Compile(c.d, c.target, compiler.Image("example.com/app:1"))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range c.want {
				if !strings.Contains(string(got), want) {
					t.Errorf("no %q in\n%s", want, got)
				}
			}
			again, err := compiler.Compile(c.d, c.target, compiler.Image("example.com/app:1"))
			if err != nil || !bytes.Equal(got, again) {
				t.Errorf("the second time it is different: %v", err)
			}
		})
	}
}

func TestErrors(t *testing.T) {
	wrong := dsl.Pipeline("wrong", func(s *dsl.Scope, _ struct{}) struct{} {
		calc.Add.Call(s, calc.AddIn{A: dsl.Const(1.0)})
		calc.Add.Call(s, calc.AddIn{B: dsl.Const(1.0)})
		return struct{}{}
	})
	for _, c := range []struct {
		name   string
		d      dsl.Definition
		target compiler.Target
		opts   []compiler.Option
		want   []string // of a list
		plain  string   // of another error
	}{
		{name: "mistakes", d: wrong, target: compiler.KFP, want: []string{"task add: input b is required", "task add-2: input a is required"}},
		{name: "no image", d: Hello, target: compiler.KFP, want: []string{"image"}},
		{name: "no image for argo", d: Hello, target: argo.Workflow, want: []string{"image"}},
		{name: "unknown target", d: Hello, target: "nomad", plain: `compiler: there is no target "nomad"; the targets are kfp, kfp-manifest, argo, argo-template, argo-cluster-template, argo-cron`},
		{name: "root for kfp", d: Hello, target: compiler.KFP, opts: []compiler.Option{compiler.ArtifactRoot("s3://b")},
			plain: "compiler: an artifact root is for target argo; target kfp has its own, the pipeline root"},
		{name: "nil", target: compiler.KFP, plain: "compiler: the definition is nil"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := compiler.Compile(c.d, c.target, c.opts...)
			if err == nil || got != nil {
				t.Fatalf("got %q, %v", got, err)
			}
			if c.plain != "" && err.Error() != c.plain {
				t.Errorf("got %v, want %s", err, c.plain)
			}
			var list dsl.ErrorList
			if c.plain != "" {
				return
			}
			if !errors.As(err, &list) || len(list) != len(c.want) {
				t.Fatalf("got %T %v, want a list of %d", err, err, len(c.want))
			}
			for i, e := range list {
				if !strings.Contains(e.Msg, c.want[i]) || !strings.HasSuffix(e.File, "_test.go") || e.Line == 0 {
					t.Errorf("got %v, want %s", e, c.want[i])
				}
			}
		})
	}
}

// TestConcurrent compiles one definition from several goroutines.
func TestConcurrent(t *testing.T) {
	step := dsl.Func("step", func(context.Context, struct{}, *struct{}) error { return nil }, dsl.Image("example.com/app:1"))
	p := dsl.Pipeline("p", func(s *dsl.Scope, in struct{}) struct{} {
		step.Call(s, in)
		return in
	})
	errs := make(chan error)
	for range 4 {
		go func() {
			_, err := compiler.Compile(p, compiler.KFP)
			errs <- err
		}()
	}
	for range 4 {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
}
