// Command nightly runs a compiled pipeline on KFP once, and then every night.
//
//	kfpgo compile ./examples/mnist --image registry.example.com/mnist:1 -o mnist.yaml
//	go run ./examples/nightly mnist.yaml
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/dsl"
)

func main() {
	ctx := context.Background()
	c, err := kfp.Connect(kfp.Config{}) // the server of kfpgo context, or KF_PIPELINES_ENDPOINT
	must(err)
	spec, err := os.ReadFile(os.Args[1])
	must(err)
	mnist := client.Submission{Name: "mnist", Spec: spec}
	run, err := c.Submit(ctx, mnist)
	must(err)
	nightly, change, err := c.ApplySchedule(ctx, client.ScheduleSpec{
		Name: "mnist-nightly", Pipeline: mnist, FireTime: []string{"day"}, When: dsl.When{Cron: "0 3 * * *"},
	})
	must(err)
	fmt.Printf("run %s was started; schedule %s %s\n", run.Name, nightly.Name, change)
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
