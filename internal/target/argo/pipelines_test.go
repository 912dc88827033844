package argo_test

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type textIn struct {
	Text dsl.Param[string]
}

type textOut struct {
	Text dsl.Param[string]
}

var echo = dsl.Func("echo", func(_ context.Context, in textIn, out *textOut) error {
	out.Text.Set(in.Text.Get())
	return nil
})

var show = dsl.Container("show", func(in textIn, out textOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   "busybox:1.36",
		Command: []string{"sh", "-c", `printf %s "$1" >"$2"; echo $$ $(date) {{`, "-"},
		Args:    dsl.Args(in.Text, out.Text.Path(), "--text="+in.Text.String()),
	}
})

type config struct {
	Name  dsl.Param[string]  `json:"name"`
	Steps dsl.Param[int]     `json:"steps"`
	Rate  dsl.Param[float64] `json:"rate"`
}

// values: a text through all that may change it on its way.
type valuesIn struct {
	Text  dsl.Param[string]
	Maybe dsl.Param[string]  `kfp:",optional"`
	N     dsl.Param[int]     `default:"9007199254740993"`
	F     dsl.Param[float64] `default:"1e21"`
	B     dsl.Param[bool]    `default:"true"`
	L     dsl.Param[[]string]
	M     dsl.Param[map[string]int64] `kfp:",optional"`
}

var all = dsl.Func("all", func(_ context.Context, in valuesIn, _ *dsl.None) error { return nil })

var values = dsl.Pipeline("values", func(s *dsl.Scope, in valuesIn) textOut {
	all.Call(s, in)
	e := echo.Call(s, textIn{Text: in.Text})
	c := show.Call(s, textIn{Text: e.Out.Text})
	f := echo.Call(s, textIn{Text: dsl.Sprintf("%v: {{%v}} $HOME\n%s", in.N, c.Out.Text, in.Maybe)})
	echo.Call(s, textIn{Text: dsl.Const("{{workflow.name}} $(HOME) $$ it's \"q\"")})
	return f.Out
}).Defaults(valuesIn{L: dsl.Const([]string{"a {{b}} $c"})})

// branches: a one-of of parameters and artifacts, an If, and what follows them.
type modelOut struct {
	Model   dsl.Model
	Score   dsl.Param[float64]
	Metrics dsl.Metrics
}

type trainIn struct {
	Name  dsl.Param[string]  `default:"none"`
	Steps dsl.Param[int]     `default:"1"`
	Rate  dsl.Param[float64] `default:"0.1"`
}

var train = dsl.Func("train", func(_ context.Context, in trainIn, out *modelOut) error { return nil })

type scoreIn struct {
	Model dsl.Model
	Score dsl.Param[float64]
}

var score = dsl.Func("score", func(_ context.Context, in scoreIn, out *textOut) error { return nil })

type branchesIn struct {
	Kind  dsl.Param[string]
	Least dsl.Param[float64] `default:"0.5"`
	Extra dsl.Param[int]     `kfp:",optional"`
}

var branches = dsl.Pipeline("branches", func(s *dsl.Scope, in branchesIn) textOut {
	one := dsl.OneOf(s, dsl.Eq(in.Kind, "big"), func(s *dsl.Scope) modelOut {
		return train.Call(s, trainIn{Steps: dsl.Const(100)}).Out
	}).Elif(dsl.In(in.Kind, "mid", "it's {{medium}}"), func(s *dsl.Scope) modelOut {
		return train.Call(s, trainIn{Steps: dsl.Const(10)}).Out
	}).Else(func(s *dsl.Scope) modelOut {
		return train.Call(s, trainIn{Name: in.Kind}).Out
	})
	scored := score.Call(s, scoreIn{Model: one.Model, Score: one.Score})
	dsl.If(s, dsl.And(dsl.GeRef(one.Score, in.Least), dsl.Or(dsl.Gt(in.Extra, 3), dsl.Not(dsl.Given(in.Extra)))), func(s *dsl.Scope) {
		score.Call(s, scoreIn{Model: one.Model, Score: in.Least})
	})
	return scored.Out
})

// loops: over structs, strings and outputs; nested; with collected results.
type loopsIn struct {
	Configs dsl.Param[[]config]
	Names   dsl.Param[[]string]
	Table   dsl.Param[[][]int64]
}

type pickIn struct {
	Models dsl.List[dsl.Model]
	Scores dsl.Param[[]float64]
}

var pick = dsl.Func("pick", func(_ context.Context, in pickIn, out *modelOut) error { return nil })

type textsIn struct {
	Texts dsl.Param[[]string]
}

var join = dsl.Func("join", func(_ context.Context, in textsIn, out *textOut) error { return nil })

type intIn struct {
	N dsl.Param[int64]
}

type intOut struct {
	N dsl.Param[int64]
}

var same = dsl.Func("same", func(_ context.Context, in intIn, out *intOut) error { return nil })

type intsOut struct {
	N dsl.Param[[]int64]
}

type sumIn struct {
	Table dsl.Param[[][]int64]
}

var sum = dsl.Func("sum", func(_ context.Context, in sumIn, out *intOut) error { return nil })

var loops = dsl.Pipeline("loops", func(s *dsl.Scope, in loopsIn) textOut {
	trained := dsl.ParallelFor(s, in.Configs, func(s *dsl.Scope, item dsl.Param[config]) modelOut {
		c := dsl.Fields(item)
		return train.Call(s, trainIn(c)).Out
	}, dsl.Parallelism(2))
	pick.Call(s, pickIn{Models: dsl.CollectedArtifacts(trained.Each.Model), Scores: dsl.Collected(trained.Each.Score)})
	scored := dsl.ParallelForArtifacts(s, dsl.CollectedArtifacts(trained.Each.Model), func(s *dsl.Scope, model dsl.Model) textOut {
		return score.Call(s, scoreIn{Model: model, Score: dsl.Const(1.0)}).Out
	})
	join.Call(s, textsIn{Texts: dsl.Collected(scored.Each.Text)})
	texts := dsl.ParallelFor(s, in.Names, func(s *dsl.Scope, item dsl.Param[string]) textOut {
		return echo.Call(s, textIn{Text: item}).Out
	})
	rows := dsl.ParallelFor(s, in.Table, func(s *dsl.Scope, row dsl.Param[[]int64]) intsOut {
		cells := dsl.ParallelFor(s, row, func(s *dsl.Scope, n dsl.Param[int64]) intOut {
			return same.Call(s, intIn{N: n}).Out
		})
		return intsOut{N: dsl.Collected(cells.Each.N)}
	})
	sum.Call(s, sumIn{Table: dsl.Collected(rows.Each.N)})
	return join.Call(s, textsIn{Texts: dsl.Collected(texts.Each.Text)}).Out
}).Defaults(loopsIn{Table: dsl.Const([][]int64{{1, 2}, {}, {9007199254740993}})})

// nested: pipelines in pipelines, twice the same one, and order without values.
var inner = dsl.Pipeline("inner", func(s *dsl.Scope, in trainIn) modelOut {
	t := train.Call(s, in)
	return t.Out
})

var nested = dsl.Pipeline("nested", func(s *dsl.Scope, in trainIn) dsl.None {
	a := inner.Call(s, in)
	b := inner.Call(s, trainIn{Name: in.Name}, dsl.After(a))
	c := score.Call(s, scoreIn{Model: b.Out.Model, Score: a.Out.Score})
	echo.Call(s, textIn{Text: in.Name}, dsl.After(c), dsl.IgnoreUpstreamFailure())
	return dsl.None{}
})

// exits: an exit handler of two tasks around a volume that is made, used and deleted.
type exitsIn struct {
	Volume dsl.Param[string] `default:"work"`
	CPU    dsl.Param[string] `default:"500m"`
	GPUs   dsl.Param[int]    `default:"1"`
	Image  dsl.Param[string] `default:"example.com/other:1"`
	Who    dsl.Param[string] `kfp:",optional"`
}

type reportIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Who    dsl.Param[string] `kfp:",optional"`
}

var report = dsl.Func("report", func(_ context.Context, in reportIn, _ *dsl.None) error { return nil })

var exits = dsl.Pipeline("exits", func(s *dsl.Scope, in exitsIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		report.Call(s, reportIn{Status: status, Who: in.Who})
		echo.Call(s, textIn{Text: dsl.Field(status, func(f *dsl.FinalStatus) *string { return &f.State })})
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: in.Volume})
	})
	volume := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: in.Volume, Size: dsl.Const("1Gi"), Annotations: dsl.Const(map[string]string{"a": "{{b}}"})})
	scratch := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-scratch"), Size: dsl.Const("1Mi"), StorageClass: in.Who, DataSource: k8s.FromSnapshot("snap")})
	train.Call(s, trainIn{},
		k8s.MountPVC(volume.Out.Name, "/data"), k8s.MountPVC(scratch.Out.Name, "/scratch"), k8s.MountPVC("fixed", "/fixed"),
		dsl.CPU(in.CPU), dsl.CPURequest("100m"), dsl.Memory("1Gi"), dsl.GPU(in.GPUs), dsl.Accelerator("example.com/rdma", 2),
		k8s.NodeSelector("zone", "a"), k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: "Exists"}),
		dsl.Env("ONE", "1$"), dsl.Env("TWO", "$(ONE) $(HOME) {{x}}"), dsl.Env("WHO", in.Who), k8s.SecretEnv("TOKEN", "secret", "token"),
		dsl.Image(in.Image), dsl.Retry(3, dsl.Backoff{Initial: 1e9, Max: 60e9}), dsl.Timeout(90e9), dsl.NoCache())
	return dsl.None{}
})

// objects: resources with values in their manifests.
type objectIn struct {
	Name     dsl.Param[string]
	Note     dsl.Param[string]
	Replicas dsl.Param[int] `default:"1"`
	Model    dsl.Model
}

type objectOut struct {
	Name  dsl.Param[string] `jsonpath:"{.metadata.name}"`
	Ready dsl.Param[int]    `jsonpath:"{.status.readyReplicas}"`
}

var object = dsl.Resource("object", func(in objectIn, _ objectOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Apply, Success: fmt.Sprintf("status.readyReplicas == %v", in.Replicas), Manifest: fmt.Sprintf(`
apiVersion: apps/v1
kind: Deployment
metadata:
  name: %[1]v
  labels: {app: "%[1]v", "on": yes}
  annotations:
    note: "it's %[2]v {{x}} $(A)"
    replicas: "%[3]v"
spec:
  replicas: %[3]v
  template:
    spec:
      containers:
      - name: main
        image: %[4]s
        args: ["--model", "%[5]s"]
`, in.Name, in.Note, in.Replicas, dsl.ProgramImage, in.Model.URI())}
})

type patchIn struct {
	Name dsl.Param[string]
}

var scale = dsl.Resource("scale", func(in patchIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Patch, Manifest: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: '" + in.Name.String() + "'}\nspec: {replicas: 0}\n"}
})

var remove = dsl.Resource("remove", func(in patchIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Delete, Manifest: "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: '" + in.Name.String() + "'}\n"}
})

var objects = dsl.Pipeline("objects", func(s *dsl.Scope, in textIn) dsl.None {
	t := train.Call(s, trainIn{})
	o := object.Call(s, objectIn{Name: dsl.Const("serve"), Note: in.Text, Model: t.Out.Model}, dsl.Timeout(60e9))
	sc := scale.Call(s, patchIn{Name: o.Out.Name})
	remove.Call(s, patchIn{Name: o.Out.Name}, dsl.After(sc))
	snap := k8s.CreateSnapshot.Call(s, k8s.CreateSnapshotIn{Name: dsl.Const("snap"), Claim: dsl.Const("claim")})
	echo.Call(s, textIn{Text: dsl.Sprintf("%v of %v", snap.Out.Name, snap.Out.Size)})
	k8s.Apply.Call(s, k8s.ApplyIn{Manifest: dsl.Const("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cm}\ndata: {a: '{{x}} $'}\n")})
	return dsl.None{}
})

// groups: an exit handler of a part, artifacts that may not be there, and a loop
// in which not every iteration makes a value.
type maybeIn struct {
	Model dsl.Model         `kfp:",optional"`
	Name  dsl.Param[string] `default:"callee"`
}

var useMaybe = dsl.Func("use-maybe", func(context.Context, maybeIn, *textOut) error { return nil })

var given = dsl.Pipeline("given", func(s *dsl.Scope, in maybeIn) dsl.None {
	useMaybe.Call(s, in)
	dsl.If(s, dsl.Given(in.Model), func(s *dsl.Scope) { useMaybe.Call(s, maybeIn{Model: in.Model}) })
	return dsl.None{}
})

type groupsIn struct {
	Names dsl.Param[[]string]
	Who   dsl.Param[string] `kfp:",optional"`
}

var groups = dsl.Pipeline("groups", func(s *dsl.Scope, in groupsIn) dsl.None {
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			report.Call(s, reportIn{Status: status, Who: in.Who})
		})
		train.Call(s, trainIn{})
	})
	given.Call(s, maybeIn{})
	given.Call(s, maybeIn{Model: train.Call(s, trainIn{}).Out.Model, Name: in.Who})
	dsl.ParallelFor(s, in.Names, func(s *dsl.Scope, item dsl.Param[string]) dsl.None {
		one := dsl.OneOf(s, dsl.Eq(item, "a"), func(s *dsl.Scope) modelOut {
			return train.Call(s, trainIn{Name: dsl.Const("first")}).Out
		}).Else(func(s *dsl.Scope) modelOut { return train.Call(s, trainIn{Name: item}).Out })
		score.Call(s, scoreIn{Model: one.Model, Score: one.Score})
		return dsl.None{}
	})
	return dsl.None{}
})
