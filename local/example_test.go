package local_test

import (
	"context"
	"fmt"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

func ExampleRun() {
	home, err := os.MkdirTemp("", "runs")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(home)
	r, err := local.Run(context.Background(), pipeline, helloIn{Name: dsl.Const("Ada")}, local.Options{Home: home})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.State, r.Out.Greeting)
	// Output: SUCCEEDED Hello, Hello, Ada!!
}
