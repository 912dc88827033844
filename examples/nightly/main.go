// Command nightly runs examples/mnist on KFP once, and then every night at three.
//
//	KFPGO_IMAGE=registry.example.com/mnist:1 go run ./examples/nightly
package main

import (
	"context"
	"fmt"
	"log"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/mnist/digits"
)

var Nightly = dsl.NewSchedule("mnist", digits.Pipeline, dsl.When{Cron: "0 3 * * *"}, digits.PipelineIn{Day: dsl.FireTime()})

func main() {
	ctx := context.Background()
	conf, err := kfp.FromContext("") // the server of kfpgo context, or of KF_PIPELINES_ENDPOINT
	must(err)
	c, err := kfp.Connect(conf)
	must(err)
	run, err := client.Submit(ctx, c, digits.Pipeline, digits.PipelineIn{})
	must(err)
	nightly, change, err := client.Apply(ctx, c, Nightly)
	must(err)
	fmt.Printf("run %s was started; schedule %s was %s\n", run.Name, nightly.Name, change)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
