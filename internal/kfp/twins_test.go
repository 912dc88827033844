package kfp_test

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/examples/calc"
)

// twins are pipelines that testdata/twin has in Python under the same name.
var twins = []dsl.Definition{calc.Pipeline, branches, loops, collected, exit, options, volumes, nested, after, importer, texts, deep}

type branchesIn struct {
	Kind   dsl.Param[string]
	N      dsl.Param[int]     `default:"3"`
	X      dsl.Param[float64] `default:"0.5"`
	Flag   dsl.Param[bool]    `default:"true"`
	Source dsl.Param[string]  `default:"here"`
}

type outputModel struct {
	Output dsl.Model `kfp:"Output"`
}

var branches = dsl.Pipeline("branches", func(s *dsl.Scope, in branchesIn) outputModel {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	arm := func(rate dsl.Param[float64]) func(*dsl.Scope) trainOut {
		return func(s *dsl.Scope) trainOut { return train.Call(s, trainIn{Data: data, Rate: rate}).Out }
	}
	got := dsl.OneOf(s, dsl.Eq(in.Kind, "small"), arm(dsl.Const(0.1))).
		Elif(dsl.Eq(in.Kind, "large"), arm(in.X)).
		Else(arm(dsl.Const(0.3)))
	useModel.Call(s, modelIn{Model: got.Model})
	makeFlt.Call(s, floatIn{X: got.Acc})
	text := func(t string) func(*dsl.Scope) {
		return func(s *dsl.Scope) { say.Call(s, textIn{Text: dsl.Const(t)}) }
	}
	dsl.If(s, dsl.GeRef(got.Acc, in.X), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Const("good")})
		dsl.If(s, dsl.Gt(in.N, 2), text("many")).Else(text("few"))
	})
	seven := makeInt.Call(s, intIn{N: in.N})
	dsl.If(s, dsl.Ne(seven.Out.Out, 7), text("not seven"))
	dsl.If(s, dsl.True(in.Flag), text("flag"))
	dsl.If(s, dsl.Lt(in.X, 1e20), text("small"))
	dsl.If(s, dsl.EqRef(seven.Out.Out, in.N), text("same"))
	return outputModel{got.Model}
})

type sweepItem struct {
	Rate dsl.Param[float64] `json:"rate"`
	N    dsl.Param[int]     `json:"n"`
}

type loopsIn struct {
	Ns     dsl.Param[[]int]
	Sweep  dsl.Param[[]sweepItem]
	Source dsl.Param[string] `default:"here"`
}

type outputInts struct {
	Output dsl.Param[[]int] `kfp:"Output"`
}

type labelled struct {
	Text  dsl.Param[string] `json:"text"`
	Label dsl.Param[string] `json:"label"`
}

type numbered struct {
	N dsl.Param[int] `json:"n"`
}

var loops = dsl.Pipeline("loops", func(s *dsl.Scope, in loopsIn) outputInts {
	makeData.Call(s, dataIn{Source: in.Source})
	dsl.ParallelFor(s, dsl.Const([]int{1, 2, 3}), func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
		makeInt.Call(s, intIn{N: i})
		return dsl.None{}
	})
	dsl.ParallelFor(s, dsl.Const([]labelled{{dsl.Const("it's"), dsl.Const("1")}, {dsl.Const("ü"), dsl.Const("2")}}),
		func(s *dsl.Scope, i dsl.Param[labelled]) dsl.None {
			item := dsl.Fields(i)
			say.Call(s, textIn{Text: item.Text})
			say.Call(s, textIn{Text: item.Label})
			return dsl.None{}
		}, dsl.Parallelism(2))
	dsl.ParallelFor(s, dsl.Const([]numbered{{dsl.Const(1)}, {dsl.Const(2)}}), func(s *dsl.Scope, i dsl.Param[numbered]) dsl.None {
		makeInt.Call(s, intIn{N: dsl.Fields(i).N})
		return dsl.None{}
	})
	each := dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, n dsl.Param[int]) intOut {
		got := makeInt.Call(s, intIn{N: n})
		dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
			say.Call(s, textIn{Text: text})
			makeInt.Call(s, intIn{N: n})
			makeInt.Call(s, intIn{N: got.Out.Out})
			return dsl.None{}
		})
		return got.Out
	})
	all := dsl.Collected(each.Each.Out)
	sumUp.Call(s, sumIn{Ns: all})
	listed := makeList.Call(s, dsl.None{})
	dsl.ParallelFor(s, listed.Out.Out, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
		dsl.If(s, dsl.Gt(n, 3), func(s *dsl.Scope) { makeInt.Call(s, intIn{N: n}) })
		return dsl.None{}
	})
	return outputInts{all}
}).Defaults(loopsIn{Sweep: dsl.Const([]sweepItem{{dsl.Const(0.5), dsl.Const(1)}})})

type collectedIn struct {
	Rates  dsl.Param[[]float64]
	Source dsl.Param[string]
	Models dsl.List[dsl.Model]
}

var collected = dsl.Pipeline("collected", func(s *dsl.Scope, in collectedIn) dsl.None {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	each := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, r dsl.Param[float64]) trainOut {
		return train.Call(s, trainIn{Data: data, Rate: r}).Out
	}, dsl.Parallelism(1)).Each
	useModels.Call(s, modelsIn{Models: dsl.CollectedArtifacts(each.Model), Accs: dsl.Collected(each.Acc)})
	dsl.ParallelForArtifacts(s, in.Models, func(s *dsl.Scope, m dsl.Model) dsl.None {
		useModel.Call(s, modelIn{Model: m})
		return dsl.None{}
	})
	return dsl.None{}
})

type exitIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int] `default:"1"`
}

var exit = dsl.Pipeline("exit", func(s *dsl.Scope, in exitIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		report.Call(s, reportIn{Status: status, Note: in.Text})
	})
	a := makeText.Call(s, textIn{Text: in.Text})
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) { say.Call(s, textIn{Text: a.Out.Out}) })
	return dsl.None{}
})

type optionsIn struct {
	S     dsl.Param[string]
	Image dsl.Param[string] `default:"y"`
	N     dsl.Param[int]    `default:"3"`
	Limit dsl.Param[string] `default:"2Gi"`
}

var options = dsl.Pipeline("options", func(s *dsl.Scope, in optionsIn) dsl.None {
	a := say.Call(s, textIn{Text: dsl.Const("a")},
		dsl.CPU("500m"), dsl.CPURequest("0.25"), dsl.Memory("1Gi"), dsl.MemoryRequest("512M"), dsl.GPU(2),
		dsl.Retry(3, dsl.Backoff{Initial: 10 * time.Second, Factor: 1.5, Max: 90 * time.Second}),
		dsl.Env("B", "1"), dsl.Env("A", "two"), dsl.Named("Say A"))
	b := say.Call(s, textIn{Text: dsl.Const("b")},
		dsl.CPU(in.S), dsl.Memory(in.Limit), dsl.Image(in.Image), dsl.NoCache(), dsl.After(a), dsl.Accelerator("amd.com/gpu", in.N), dsl.Retry(1))
	say.Call(s, textIn{Text: dsl.Const("c")}, dsl.IgnoreUpstreamFailure(), dsl.After(a, b),
		k8s.SecretEnv("PASSWORD", "creds", "password"), k8s.SecretEnv("USER", in.S, "user"),
		k8s.NodeSelector("zone", "a"), k8s.NodeSelector("disk", "ssd"),
		k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: "Exists", Effect: "NoSchedule"}),
		k8s.Tolerate(k8s.Toleration{Key: "team", Operator: "Equal", Value: "ml"}),
		dsl.Timeout(90*time.Second))
	return dsl.None{}
})

type volumesIn struct {
	Claim dsl.Param[string]
	N     dsl.Param[int] `default:"1"`
}

var volumes = dsl.Pipeline("volumes", func(s *dsl.Scope, in volumesIn) dsl.None {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{
		NameSuffix: dsl.Const("-cache"), AccessModes: dsl.Const([]k8s.AccessMode{k8s.ReadWriteMany}), Size: dsl.Const("1Gi"),
		StorageClass: dsl.Const("fast"), Annotations: dsl.Const(map[string]string{"a": "b"}),
	}).Out.Name
	a := say.Call(s, textIn{Text: dsl.Const("a")}, k8s.MountPVC(claim, "/cache"))
	b := say.Call(s, textIn{Text: dsl.Const("b")}, k8s.MountPVC(in.Claim, "/data"), k8s.MountPVC("fixed", "/fixed"))
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Const("c")}, k8s.MountPVC(claim, "/cache"), k8s.SecretEnv("K", in.Claim, "k"))
	})
	d := say.Call(s, textIn{Text: dsl.Const("d")}, dsl.After(a, b))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim}, dsl.After(d))
	return dsl.None{}
})

type innerIn struct {
	Data dsl.Dataset
	Rate dsl.Param[float64] `default:"0.5"`
	Note dsl.Param[string]  `kfp:",optional"`
	Base dsl.Model          `kfp:",optional"`
}

var inner = dsl.Pipeline("inner", func(s *dsl.Scope, in innerIn) outputModel {
	t := train.Call(s, trainIn{Data: in.Data, Rate: in.Rate})
	optional.Call(s, optionalIn{Note: in.Note, Base: in.Base})
	return outputModel{t.Out.Model}
})

type nestedIn struct {
	Source dsl.Param[string]
	Note   dsl.Param[string] `default:"x"`
}

var nested = dsl.Pipeline("nested", func(s *dsl.Scope, in nestedIn) dsl.None {
	data := makeData.Call(s, dataIn{Source: in.Source}).Out.Data
	a := inner.Call(s, innerIn{Data: data})
	b := inner.Call(s, innerIn{Data: data, Rate: dsl.Const(0.7), Note: in.Note, Base: a.Out.Output})
	optional.Call(s, optionalIn{})
	optional.Call(s, optionalIn{Text: dsl.Const("given"), N: dsl.Const(4), Note: in.Note, Base: b.Out.Output})
	return dsl.None{}
})

var after = dsl.Pipeline("after", func(s *dsl.Scope, in intIn) dsl.None {
	a := say.Call(s, textIn{Text: dsl.Const("a")})
	b := say.Call(s, textIn{Text: dsl.Const("b")}, dsl.After(a))
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
		c := say.Call(s, textIn{Text: dsl.Const("c")}, dsl.After(a))
		say.Call(s, textIn{Text: dsl.Const("d")}, dsl.After(c, b))
	})
	dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
		makeInt.Call(s, intIn{N: i}, dsl.After(b))
		return dsl.None{}
	})
	return dsl.None{}
})

type importerIn struct {
	URI dsl.Param[string] `kfp:"uri"`
}

var importer = dsl.Pipeline("importer", func(s *dsl.Scope, in importerIn) dsl.None {
	data := dsl.Import[dsl.Dataset](s, in.URI)
	base := dsl.Import[dsl.Model](s, "gs://models/base")
	train.Call(s, trainIn{Data: data, Rate: dsl.Const(0.5)})
	useModel.Call(s, modelIn{Model: base})
	return dsl.None{}
})

type textsIn struct {
	S dsl.Param[string]
	N dsl.Param[int] `default:"2"`
}

var texts = dsl.Pipeline("texts", func(s *dsl.Scope, in textsIn) dsl.None {
	a := makeText.Call(s, textIn{Text: dsl.Sprintf("%s and %v", in.S, in.N)})
	say.Call(s, textIn{Text: dsl.Sprintf("got %s: %s", a.Out.Out, in.S)})
	dsl.If(s, dsl.Eq(in.N, 2), func(s *dsl.Scope) {
		say.Call(s, textIn{Text: dsl.Sprintf("in %s %s %v", a.Out.Out, in.S, in.N)})
	})
	say.Call(s, textIn{Text: dsl.Const("quote ' \" {brace} # line\nnext ü 日本 \\ $(x)")})
	say.Call(s, textIn{Text: dsl.Const("")})
	makeFlt.Call(s, floatIn{X: dsl.Const(-0.5)})
	return dsl.None{}
})
