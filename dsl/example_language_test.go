package dsl_test

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
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

// What comes after a group waits for all of it, and for its exit handler's part.
func ExampleGroup() {
	p := dsl.Pipeline("parts", func(s *dsl.Scope, in showIn) dsl.None {
		part := dsl.Group(s, func(s *dsl.Scope) {
			dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { show.Call(s, in) })
			show.Call(s, in)
			show.Call(s, in)
		})
		show.Call(s, in, dsl.After(part))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A task that is told how another one ended, whether it failed or not.
func ExampleStatusOf() {
	type tellIn struct{ Status dsl.Param[dsl.FinalStatus] }
	tell := dsl.Func("tell", func(_ context.Context, in tellIn, _ *dsl.None) error {
		fmt.Println("it", in.Status.Get().State)
		return nil
	})
	p := dsl.Pipeline("told", func(s *dsl.Scope, in showIn) dsl.None {
		train := show.Call(s, in)
		tell.Call(s, tellIn{Status: dsl.StatusOf(train)}, dsl.IgnoreUpstreamFailure())
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Lists that an inner loop collects become one list.
func ExampleCollectedLists() {
	type in struct {
		Models dsl.List[dsl.Model]
		Rounds dsl.Param[[]int]
	}
	type models struct{ Models dsl.List[dsl.Model] }
	type model struct{ Model dsl.Model }
	tune := dsl.Func("tune", func(context.Context, model, *model) error { return nil })
	pick := dsl.Func("pick", func(context.Context, models, *dsl.None) error { return nil })
	p := dsl.Pipeline("rounds", func(s *dsl.Scope, in in) dsl.None {
		rounds := dsl.ParallelFor(s, in.Rounds, func(s *dsl.Scope, _ dsl.Param[int]) dsl.List[dsl.Model] {
			each := dsl.ParallelForArtifacts(s, in.Models, func(s *dsl.Scope, m dsl.Model) dsl.Model {
				return tune.Call(s, model{m}).Out.Model
			})
			return dsl.CollectedArtifacts(each.Each)
		})
		pick.Call(s, models{dsl.CollectedLists(rounds.Each)})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A step that starts pods of its own with the settings of its task.
func ExampleTaskConfig() {
	type launchIn struct {
		Workers dsl.Param[int]
		Config  dsl.Param[dsl.TaskConfig]
	}
	launch := dsl.Func("launch", func(_ context.Context, in launchIn, _ *dsl.None) error {
		fmt.Println(in.Workers.Get(), "pods with", in.Config.Get().Resources)
		return nil
	}).Passthroughs(k8s.ConfigResources, k8s.ConfigTolerations, k8s.ConfigEnv.ApplyToTask())
	p := dsl.Pipeline("distributed", func(s *dsl.Scope, _ dsl.None) dsl.None {
		launch.Call(s, launchIn{Workers: dsl.Const(4)}, dsl.Memory("64Gi"), dsl.GPU(8), dsl.Env("NCCL_DEBUG", "INFO"))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

type placement struct {
	Zone  dsl.Param[string]   `json:"zone"`
	Slots dsl.Param[int]      `json:"slots"`
	Tags  dsl.Param[[]string] `json:"tags"`
}

type placeIn struct{ Where dsl.Param[placement] }

// A struct that is put together of references and constants.
func ExampleValues() {
	place := dsl.Container("place", func(in placeIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Command: dsl.Args("place", in.Where)}
	})
	p := dsl.Pipeline("placed", func(s *dsl.Scope, in showIn) dsl.None {
		place.Call(s, placeIn{dsl.Values(placement{
			Zone:  dsl.Sprintf("%s-1", in.Text),
			Slots: dsl.Const(4),
			Tags:  dsl.Items(in.Text, dsl.Const("batch")),
		})})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
