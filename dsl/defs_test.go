package dsl_test

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
)

// Components that the tests share.

type numIn struct {
	N dsl.Param[int]
}

type numOut struct {
	N dsl.Param[int]
}

var double = dsl.Func("double", func(_ context.Context, in numIn, out *numOut) error {
	out.N.Set(2 * in.N.Get())
	return nil
})

// A component whose name is what the second task of double would get.
var twice = dsl.Func("double-2", func(_ context.Context, in numIn, out *numOut) error {
	out.N.Set(in.N.Get() + in.N.Get())
	return nil
})

type sumIn struct {
	Values dsl.Param[[]int]
}

var sum = dsl.Func("sum", func(_ context.Context, in sumIn, out *numOut) error {
	total := 0
	for _, v := range in.Values.Get() {
		total += v
	}
	out.N.Set(total)
	return nil
})

type showIn struct {
	Text dsl.Param[string]
}

var show = dsl.Func("show", func(_ context.Context, in showIn, _ *dsl.None) error {
	fmt.Println(in.Text.Get())
	return nil
})

type useModelIn struct {
	Model dsl.Model
	Note  dsl.Param[string] `kfp:",optional"`
}

type useModelOut struct {
	Model dsl.Model
}

var useModel = dsl.Func("use-model", func(_ context.Context, in useModelIn, out *useModelOut) error { return nil })

type toolIn struct {
	Data dsl.Dataset
	Rate dsl.Param[float64] `default:"0.1"`
	Note dsl.Param[string]  `kfp:",optional"`
	Base dsl.Model          `kfp:",optional"`
}

type toolOut struct {
	Score  dsl.Param[float64]
	Report dsl.HTML
}

var tool = dsl.Container("tool", func(in toolIn, out toolOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "docker.io/acme/tool:2",
		Args: dsl.Args(
			fmt.Sprintf("--data=%s", in.Data.Path()), "--rate", in.Rate,
			dsl.IfPresent(in.Note, "--note", in.Note),
			dsl.IfPresent(in.Base, "--base", in.Base.URI()),
			"--score-to", out.Score.Path(), 3, 0.5, []int{1, 2},
		),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Report, "/out/report.html")},
	}
})

type allIn struct {
	N     dsl.Param[int]
	Word  dsl.Param[string]  `default:"it's \"{{quoted}}\" <b>"`
	Flag  dsl.Param[bool]    `default:"false"`
	Rate  dsl.Param[float64] `default:"1e-3"`
	List  dsl.Param[[]int]
	Extra dsl.Model `kfp:",optional"`
}

type allOut struct {
	N dsl.Param[int]
}
