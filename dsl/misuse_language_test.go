package dsl_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// TestLanguageMisuse: what settings of pipelines, names, groups, imports, statuses
// and elements of command lines are given that makes no sense.
func TestLanguageMisuse(t *testing.T) {
	pipeline := func(body func(s *dsl.Scope, in numIn), opts ...dsl.PipelineOption) func() error {
		return func() error {
			return dsl.Pipeline("p", func(s *dsl.Scope, in numIn) dsl.None {
				double.Call(s, in)
				if body != nil {
					body(s, in)
				}
				return dsl.None{}
			}, opts...).Check()
		}
	}
	container := func(args func(in numIn, out numOut) []string) func() error {
		return func() error {
			return dsl.Container("c", func(in numIn, out numOut) dsl.ContainerSpec {
				return dsl.ContainerSpec{Image: "busybox", Args: args(in, out)}
			}).Check()
		}
	}
	type statusIn struct{ Status dsl.Param[dsl.FinalStatus] }
	tell := dsl.Container("tell", func(in statusIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(in.Status)}
	})
	for want, check := range map[string]func() error{
		"has two Configs":                    pipeline(nil, dsl.Config{}, dsl.Config{}),
		"has two argo.Configs":               pipeline(nil, argo.Config{Parallelism: 1}, dsl.Config{}, argo.Config{Parallelism: 1}),
		"Deadline is 1.5s; it must be whole": pipeline(nil, dsl.Config{Deadline: 1500 * time.Millisecond}),
		"TTL is -1s":                         pipeline(nil, dsl.Config{TTL: -time.Second}),
		"TTLOnFailure is":                    pipeline(nil, dsl.Config{TTLOnFailure: 1 << 62}),
		`the Size of the Workspace: "ten" isn't a quantity of Kubernetes`: pipeline(nil, dsl.Config{Workspace: dsl.Workspace{Size: "ten"}}),
		"the Workspace has no Size":                                       pipeline(nil, dsl.Config{Workspace: dsl.Workspace{Patch: map[string]any{}}}),
		"the Patch of the Workspace":                                      pipeline(nil, dsl.Config{Workspace: dsl.Workspace{Size: "1Gi", Patch: map[string]any{"x": make(chan int)}}}),
		"Root \"a b\" has a space":                                        pipeline(nil, dsl.Config{Root: "a b"}),
		"the DisplayName":                                                 pipeline(nil, dsl.Config{DisplayName: "a\nb"}),
		"a string holds the pipeline_job_uuid":                            pipeline(func(s *dsl.Scope, _ numIn) { show.Call(s, showIn{dsl.Const("x" + dsl.RunID().String())}) }),
		"the Default of a OneOf has an artifact": pipeline(func(s *dsl.Scope, in numIn) {
			dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) dsl.Model {
				return dsl.Import[dsl.Model](s, "gs://x", dsl.ImportConfig{})
			}).Default(dsl.Model{})
		}),
		"is not readable outside the if": pipeline(func(s *dsl.Scope, in numIn) {
			var made dsl.Param[int]
			dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
				dsl.Group(s, func(s *dsl.Scope) { made = double.Call(s, in).Out.N })
			})
			double.Call(s, numIn{made})
		}),
		"After: task 1 is nil":            pipeline(func(s *dsl.Scope, in numIn) { double.Call(s, in, dsl.After(nil)) }),
		"StatusOf takes a task":           pipeline(func(s *dsl.Scope, in numIn) { tell.Call(s, statusIn{dsl.StatusOf(nil)}) }),
		"add dsl.IgnoreUpstreamFailure()": pipeline(func(s *dsl.Scope, in numIn) { tell.Call(s, statusIn{dsl.StatusOf(double.Call(s, in))}) }),
		"let it wait for that one only": pipeline(func(s *dsl.Scope, in numIn) {
			tell.Call(s, statusIn{dsl.StatusOf(double.Call(s, in))}, dsl.After(double.Call(s, in)), dsl.IgnoreUpstreamFailure())
		}),
		"give the input a default": pipeline(func(s *dsl.Scope, in numIn) {
			double.Call(s, numIn{double.Call(s, in).Out.N}, dsl.IgnoreUpstreamFailure())
		}),
		"DebugPause: PauseAfter stops": pipeline(func(s *dsl.Scope, in numIn) { double.Call(s, in, argo.DebugPause(argo.PauseAfter, argo.PauseOnError)) }),
		`DebugPause("x")`:              pipeline(func(s *dsl.Scope, in numIn) { double.Call(s, in, argo.DebugPause("x")) }),
		"metadata: KFP would replace": pipeline(func(s *dsl.Scope, in numIn) {
			dsl.Import[dsl.Model](s, "x", dsl.ImportConfig{Metadata: map[string]any{"a": "{{$.x}}"}})
		}),
		"metadata: json": pipeline(func(s *dsl.Scope, in numIn) {
			dsl.Import[dsl.Model](s, "x", dsl.ImportConfig{Metadata: map[string]any{"a": make(chan int)}})
		}),
		"a string holds a reference, input n": pipeline(func(s *dsl.Scope, in numIn) {
			dsl.Import[dsl.Model](s, "x", dsl.ImportConfig{Metadata: map[string]any{"a": in.N.String()}})
		}),
		"Concat of nothing":                    container(func(in numIn, out numOut) []string { return dsl.Args(dsl.Concat()) }),
		"Else follows an IfPresent":            container(func(in numIn, out numOut) []string { return dsl.Args(dsl.Concat("a").Else("b")) }),
		"an IfPresent inside a Concat has one": container(func(in numIn, out numOut) []string { return dsl.Args(dsl.Concat(dsl.IfPresent(in.N, "a", "b"))) }),
		"an Element that is empty":             container(func(in numIn, out numOut) []string { return dsl.Args(dsl.Element{}) }),
		"only Go and Python components": func() error {
			return dsl.Pipeline("p", func(s *dsl.Scope, in numIn) dsl.None { double.Call(s, in); return dsl.None{} }).Passthroughs(k8s.ConfigEnv).Check()
		},
		"Passthroughs without an input that is": func() error { return dsl.Func("f", double.Func()).Passthroughs(k8s.ConfigEnv).Check() },
		"for has no function":                   pipeline(func(s *dsl.Scope, in numIn) { dsl.ForEach(s, dsl.Const([]int{1}), nil) }),
		"the for adds no task":                  pipeline(func(s *dsl.Scope, in numIn) { dsl.ForEach(s, dsl.Const([]int{1}), func(*dsl.Scope, dsl.Param[int]) {}) }),
		"a constant list with no items":         pipeline(func(s *dsl.Scope, in numIn) { each(s, dsl.Const([]int{})) }),
		"after the for at line": pipeline(func(s *dsl.Scope, in numIn) {
			var loop dsl.Handle
			dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) { loop = each(s, dsl.Const([]int{1})) })
			double.Call(s, in, dsl.After(loop))
		}),
		"Collected of item.Rate, which is not the output of a task": pipeline(func(s *dsl.Scope, in numIn) {
			item := dsl.ParallelFor(s, dsl.Const([]rated{{}}), func(s *dsl.Scope, item dsl.Param[rated]) dsl.Param[rated] {
				double.Call(s, in)
				return item
			}).Each
			dsl.ForEach(s, dsl.Collected(dsl.Field(item, func(p *rated) *float64 { return &p.Rate })), func(s *dsl.Scope, _ dsl.Param[float64]) { double.Call(s, in) })
		}),
		"which is in a group that an exit": pipeline(func(s *dsl.Scope, in numIn) { sum.Call(s, sumIn{Values: dsl.Collected(inExit(s, in))}) }),
	} {
		if err := check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

type rated struct{ Rate float64 }

func each(s *dsl.Scope, numbers dsl.Param[[]int]) dsl.Handle {
	return dsl.ForEach(s, numbers, func(s *dsl.Scope, n dsl.Param[int]) { double.Call(s, numIn{n}) })
}

func inExit(s *dsl.Scope, in numIn) (n dsl.Param[int]) {
	return dsl.ParallelFor(s, dsl.Const([]int{1}), func(s *dsl.Scope, _ dsl.Param[int]) (n dsl.Param[int]) {
		dsl.Group(s, func(s *dsl.Scope) {
			dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { double.Call(s, in) })
			n = double.Call(s, in).Out.N
		})
		return n
	}).Each
}
