package argo_test

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
)

type rows struct{ Table dsl.Param[string] }

var load = dsl.Func("load", func(context.Context, rows, *dsl.None) error { return nil })

type files struct {
	Model  dsl.Model
	Source dsl.Dataset
	Config dsl.Dataset
}

var train = dsl.Func("train", func(context.Context, files, *dsl.None) error { return nil })

// A model in another store than the cluster's, a private repository and a file with a given content.
func ExampleFrom() {
	p := dsl.Pipeline("from", func(s *dsl.Scope, in struct{ Revision dsl.Param[string] }) dsl.None {
		train.Call(s, files{
			Model: dsl.Import[dsl.Model](s, "s3://models/base", argo.From(argo.S3{
				Endpoint:  "minio:9000",
				Insecure:  true,
				AccessKey: argo.SecretKey{Name: "minio", Key: "user"},
				SecretKey: argo.SecretKey{Name: "minio", Key: "password"},
			})),
			Source: dsl.Import[dsl.Dataset](s, dsl.Sprintf("git@example.com:team/source.git#%s", in.Revision), argo.From(argo.Git{
				SSHPrivateKey: argo.SecretKey{Name: "deploy", Key: "ssh"},
				Depth:         1,
			})),
			Config: dsl.Import[dsl.Dataset](s, argo.Raw("epochs: 3\n")),
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Steps that write to one table take turns, and at most as many use the warehouse as
// the config map limits says.
func ExampleMutex() {
	p := dsl.Pipeline("loads", func(s *dsl.Scope, in rows) dsl.None {
		load.Call(s, in, argo.Mutex(in.Table), argo.Semaphore("limits", "warehouse"))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

type report struct{ Score dsl.Param[float64] }

type decision struct {
	Deploy  dsl.Param[string] `enum:"YES,NO" default:"NO" doc:"deploy to production?"`
	Comment dsl.Param[string] `kfp:",optional"`
}

var approve = argo.Suspend[report, decision]("approve", argo.SuspendSpec{Duration: 24 * time.Hour})

// A person who sees the score decides within a day; otherwise nothing is deployed.
func ExampleSuspend() {
	p := dsl.Pipeline("release", func(s *dsl.Scope, in report) dsl.None {
		a := approve.Call(s, in)
		dsl.If(s, dsl.Eq(a.Out.Deploy, "YES"), func(s *dsl.Scope) {
			load.Call(s, rows{Table: dsl.Sprintf("production (%s)", a.Out.Comment)})
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// The pod of a task that fails stays, to look into it.
func ExampleDebugPause() {
	p := dsl.Pipeline("puzzling", func(s *dsl.Scope, in rows) dsl.None {
		load.Call(s, in, argo.DebugPause(argo.PauseOnError))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A pipeline of which one run at a time works, with the settings that Argo has of it.
func ExampleConfig() {
	p := dsl.Pipeline("nightly", func(s *dsl.Scope, _ dsl.None) dsl.None { return dsl.None{} }, dsl.Config{TTL: 7 * 24 * time.Hour}, argo.Config{
		Parallelism:    20,
		ServiceAccount: "trainer",

		ObjectServiceAccount: "trainer-objects", // only its token may work on objects of the cluster

		Mutex:       "nightly",                                       // a run at a time
		Semaphore:   argo.ConfigKey{ConfigMap: "limits", Key: "gpu"}, // or as many as a key says
		PodGC:       argo.PodGCOnPodSuccess,
		ArtifactGC:  argo.ArtifactGCOnWorkflowDeletion,
		ArchiveLogs: true,
		CacheFor:    24 * time.Hour,
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
