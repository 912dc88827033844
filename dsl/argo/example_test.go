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
