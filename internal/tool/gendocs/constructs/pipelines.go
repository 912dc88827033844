package constructs

import (
	"context"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// NameIn and TextOut are what greet takes and gives.
type NameIn struct{ Name dsl.Param[string] }

// TextOut is a string.
type TextOut struct{ Text dsl.Param[string] }

var greet = dsl.Func("greet", func(_ context.Context, in NameIn, out *TextOut) error {
	out.Text.Set("hello " + in.Name.Get())
	return nil
})

var chain = dsl.Pipeline("chain", func(s *dsl.Scope, in NameIn) TextOut {
	first := greet.Call(s, in)
	return greet.Call(s, NameIn{Name: first.Out.Text}, dsl.Named("again")).Out
})

type dataOut struct{ Data dsl.Dataset }
type dataIn struct{ Data dsl.Dataset }

var makeData = dsl.Container("make", func(_ dsl.None, out dataOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"sh", "-c", `echo 1 >"$0"`}, Args: dsl.Args(out.Data.Path())}
})

var use = dsl.Container("use", func(in dataIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"cat"}, Args: dsl.Args(in.Data.Path())}
})

var artifacts = dsl.Pipeline("artifacts", func(s *dsl.Scope, _ dsl.None) dsl.None {
	use.Call(s, dataIn{Data: makeData.Call(s, dsl.None{}).Out.Data})
	return dsl.None{}
})

type countIn struct{ N dsl.Param[int] }

var branches = dsl.Pipeline("branches", func(s *dsl.Scope, in countIn) dsl.None {
	dsl.If(s, dsl.Gt(in.N, 10), func(s *dsl.Scope) {
		greet.Call(s, NameIn{Name: dsl.Const("many")})
	}).Else(func(s *dsl.Scope) {
		greet.Call(s, NameIn{Name: dsl.Const("few")})
	})
	return dsl.None{}
})

var oneOf = dsl.Pipeline("one-of", func(s *dsl.Scope, in countIn) TextOut {
	return dsl.OneOf(s, dsl.Gt(in.N, 10), func(s *dsl.Scope) TextOut {
		return greet.Call(s, NameIn{Name: dsl.Const("many")}).Out
	}).Else(func(s *dsl.Scope) TextOut {
		return greet.Call(s, NameIn{Name: dsl.Const("few")}).Out
	})
})

type namesIn struct{ Names dsl.Param[[]string] }

var loop = dsl.Pipeline("loop", func(s *dsl.Scope, in namesIn) dsl.None {
	dsl.ForEach(s, in.Names, func(s *dsl.Scope, name dsl.Param[string]) {
		greet.Call(s, NameIn{Name: name})
	}, dsl.Parallelism(2))
	return dsl.None{}
})

type textsIn struct{ Texts dsl.Param[[]string] }

var sum = dsl.Func("sum", func(_ context.Context, in textsIn, out *TextOut) error {
	for _, text := range in.Texts.Get() {
		out.Text.Set(text)
	}
	return nil
})

var collected = dsl.Pipeline("collected", func(s *dsl.Scope, in namesIn) TextOut {
	each := dsl.ParallelFor(s, in.Names, func(s *dsl.Scope, name dsl.Param[string]) TextOut {
		return greet.Call(s, NameIn{Name: name}).Out
	}).Each
	return sum.Call(s, textsIn{Texts: dsl.Collected(each.Text)}).Out
})

type statusIn struct{ Status dsl.Param[dsl.FinalStatus] }

var report = dsl.Func("report", func(_ context.Context, in statusIn, _ *dsl.None) error {
	_, err := os.Stdout.WriteString(in.Status.Get().State + "\n")
	return err
})

var exit = dsl.Pipeline("exit", func(s *dsl.Scope, in NameIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		report.Call(s, statusIn{Status: status})
	})
	greet.Call(s, in)
	return dsl.None{}
})

var settings = dsl.Pipeline("settings", func(s *dsl.Scope, in NameIn) dsl.None {
	greet.Call(s, in, dsl.CPU("2"), dsl.Memory("4Gi"), dsl.GPU(1), dsl.Retry(3), dsl.NoCache(),
		k8s.SecretEnv("TOKEN", "service", "token"),
		k8s.NodeSelector("pool", "gpu"),
		k8s.Tolerate(k8s.Toleration{Key: "nvidia.com/gpu", Operator: k8s.Exists}))
	return dsl.None{}
})

var volume = dsl.Pipeline("volume", func(s *dsl.Scope, in NameIn) dsl.None {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-data"), Size: dsl.Const("1Gi"), StorageClass: dsl.Const("standard")})
	greet.Call(s, in, k8s.MountPVC(claim.Out.Name, "/data"))
	return dsl.None{}
})

var queue = dsl.Resource("queue", func(in countIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Success: "status.state == Open", Manifest: `
apiVersion: scheduling.volcano.sh/v1beta1
kind: Queue
metadata: {name: training}
spec: {weight: ` + in.N.String() + `}
`}
})

var resource = dsl.Pipeline("resource", func(s *dsl.Scope, in countIn) dsl.None {
	queue.Call(s, in)
	return dsl.None{}
})

type halfIn struct{ N dsl.Param[int] }
type halfOut struct {
	Half dsl.Param[float64] `kfp:"Output"`
}

var half = dsl.Python[halfIn, halfOut]("half", dsl.PythonSource{
	Source: "def half(n: int) -> float:\n    return n / 2\n", Function: "half", Image: "python:3.12-slim",
})

var python = dsl.Pipeline("python", func(s *dsl.Scope, in halfIn) halfOut { return half.Call(s, in).Out })

var nested = dsl.Pipeline("nested", func(s *dsl.Scope, in NameIn) TextOut { return chain.Call(s, in).Out })

type maybeIn struct {
	Nickname dsl.Param[string] `kfp:",optional"`
}

var optional = dsl.Pipeline("optional", func(s *dsl.Scope, in maybeIn) dsl.None {
	dsl.If(s, dsl.Given(in.Nickname), func(s *dsl.Scope) {
		greet.Call(s, NameIn{Name: in.Nickname})
	})
	return dsl.None{}
})
