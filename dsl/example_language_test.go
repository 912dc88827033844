package dsl_test

import (
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// A pipeline whose runs are stopped after six hours, leave the cluster after a
// day, and have a volume that their tasks share.
func ExampleConfig() {
	p := dsl.Pipeline("nightly", func(s *dsl.Scope, _ dsl.None) dsl.None {
		show.Call(s, showIn{dsl.Sprintf("%s/cache", dsl.WorkspacePath())})
		return dsl.None{}
	}, dsl.Config{
		DisplayName:  "Train every night",
		Deadline:     6 * time.Hour,
		TTL:          24 * time.Hour,
		TTLOnFailure: 7 * 24 * time.Hour,
		Workspace:    dsl.Workspace{Size: "10Gi", Patch: map[string]any{"storageClassName": "fast"}},
	}).Doc("What is trained every night.")
	fmt.Println(p.Check())
	// Output: <nil>
}

// What a run knows of itself goes into arguments like any other value.
func ExampleRunID() {
	tag := dsl.Container("tag", func(in showIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Command: dsl.Args("tag", in.Text, "--by", dsl.TaskName())}
	})
	p := dsl.Pipeline("tagged", func(s *dsl.Scope, _ dsl.None) dsl.None {
		tag.Call(s, showIn{dsl.Sprintf("%s made at %s", dsl.RunID(), dsl.RunCreated())})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

type adoptIn struct {
	Language dsl.Param[string]
	Suffix   dsl.Param[string] `kfp:",optional"`
	Base     dsl.Model
}

// An imported model whose metadata holds an input of the pipeline.
func ExampleImport_metadata() {
	p := dsl.Pipeline("adopt", func(s *dsl.Scope, in adoptIn) dsl.None {
		dsl.Import[dsl.Model](s, "s3://models/base", dsl.ImportConfig{
			Reimport: true,
			Metadata: map[string]any{"language": in.Language, "layers": []int{12, 24}},
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Arguments that depend on what is given.
func ExampleConcat() {
	tune := dsl.Container("tune", func(in adoptIn, out AddOut) dsl.ContainerSpec {
		return dsl.ContainerSpec{
			Image:   "ghcr.io/acme/tune:2",
			Command: []string{"tune"},
			Args: dsl.Args(
				dsl.Concat("--name=model-", dsl.IfPresent(in.Suffix, in.Suffix).Else("plain")),
				dsl.IfPresent(in.Language, "--language", in.Language).Else("--any-language"),
				"--layers", in.Base.Metadata("layers"), out.Sum.Path(),
			),
		}
	})
	fmt.Println(tune.Check())
	// Output: <nil>
}
