package kfp_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

type greetIn struct{ Name dsl.Param[string] }

var greet = dsl.Container("greet", func(in greetIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: dsl.Args("echo", in.Name)}
})

var Pipeline = dsl.Pipeline("hello", func(s *dsl.Scope, in greetIn) dsl.None {
	greet.Call(s, in)
	return dsl.None{}
})

// The go.mod of a program that connects has the line
// replace k8s.io/kubernetes => k8s.io/kubernetes v1.11.1.
func ExampleConnect() {
	server := fakekfp.Start("") // stands for a real one
	defer server.Close()
	ctx := context.Background()
	c, err := kfp.Connect(kfp.Config{Endpoint: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err := client.Submit(ctx, c, Pipeline, greetIn{Name: dsl.Const("Ada")}, client.Experiment("greetings"))
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err = client.Wait(ctx, c, run.ID, client.WaitOptions{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Pipeline, run.State)
	// Output: hello SUCCEEDED
}

// A program that is to use the server of kfpgo context says so; a service that is given
// its server by a Config, or by variables, reads no file of whoever starts it.
func ExampleFromContext() {
	server := fakekfp.Start("") // stands for a real one
	defer server.Close()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	os.Setenv("KFPGO_CONFIG", filepath.Join(dir, "config.yaml"))
	defer os.Unsetenv("KFPGO_CONFIG")
	// kfpgo context set prod --endpoint URL --namespace team-a writes such a file.
	text := fmt.Sprintf("contexts:\n  prod: {endpoint: %q, namespace: team-a}\n", server.URL)
	if err := os.WriteFile(filepath.Join(dir, "config.yaml"), []byte(text), 0o600); err != nil {
		fmt.Println(err)
		return
	}

	conf, err := kfp.FromContext("prod")
	if err != nil {
		fmt.Println(err)
		return
	}
	conf.Experiment = "nightly" // what the program knows better
	c, err := kfp.Connect(conf)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, from := c.Server()
	fmt.Println(from, conf.Namespace)
	// Output: context prod team-a
}

func ExampleClient_Upload() {
	server := fakekfp.Start("") // stands for a real one
	defer server.Close()
	c, err := kfp.Connect(kfp.Config{Endpoint: server.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	yaml, err := compiler.Compile(Pipeline, compiler.KFP)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 2 {
		_, change, err := c.Upload(context.Background(), kfp.Upload{Pipeline: "hello", Spec: yaml})
		fmt.Println(change, err)
	}
	// Output:
	// created <nil>
	// unchanged <nil>
}
