package client_test

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

type greetIn struct{ Name dsl.Param[string] }

var greet = dsl.Container("greet", func(in greetIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: dsl.Args("echo", in.Name)}
})

var Pipeline = dsl.Pipeline("hello", func(s *dsl.Scope, in greetIn) dsl.None {
	greet.Call(s, in)
	return dsl.None{}
})

// A recorder is a server that runs everything at once.
type recorder struct {
	client.Server // what an example doesn't need
	got           client.Submission
}

func (*recorder) Engine() string          { return "kfp" }
func (*recorder) Target() compiler.Target { return compiler.KFP }

func (r *recorder) Submit(_ context.Context, s client.Submission) (*client.Run, error) {
	r.got = s
	return &client.Run{ID: "run-1", Name: s.Name, State: client.Pending}, nil
}

func (r *recorder) Get(_ context.Context, id string) (*client.Run, error) {
	return &client.Run{ID: id, Name: r.got.Name, State: client.Succeeded, Tasks: []client.Task{{ID: "1", Path: "greet", State: client.Succeeded}}}, nil
}

// connect stands for kfp.Connect or argo.Connect.
func connect() client.Server { return &recorder{} }

func ExampleSubmit() {
	ctx, c := context.Background(), connect()
	run, err := client.Submit(ctx, c, Pipeline, greetIn{Name: dsl.Const("Ada")}, client.Name("hello-1"))
	if err != nil {
		fmt.Println(err)
		return
	}
	run, err = client.Wait(ctx, c, run.ID, client.WaitOptions{
		Observe: func(t client.Task) { fmt.Println(t.Path, t.State) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(run.Name, run.State, run.Err())
	// Output:
	// greet SUCCEEDED
	// hello-1 SUCCEEDED <nil>
}

// ApplySchedule stores nothing: it is an example's.
func (r *recorder) ApplySchedule(_ context.Context, s client.ScheduleSpec) (*client.Schedule, client.Change, error) {
	return &client.Schedule{Name: s.Name, When: s.When, FireTime: s.FireTime, Args: s.Pipeline.Args}, client.Created, nil
}

var Nightly = dsl.NewSchedule("hello-nightly", Pipeline, dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zurich"}, greetIn{Name: dsl.Const("Ada")})

func ExampleApply() {
	s, change, err := client.Apply(context.Background(), connect(), Nightly)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s %s: %s in %s, with %s\n", s.Name, change, s.When.Cron, s.When.Zone, s.Args["name"])
	// Output:
	// hello-nightly created: 0 3 * * * in Europe/Zurich, with "Ada"
}

// A program that may be started twice for one thing, such as a file that has arrived,
// keeps the token: whatever breaks off, there is one run.
func ExampleToken() {
	ctx, c := context.Background(), connect()
	token := client.NewToken() // kept before the call, with the name of the file
	run, err := client.Submit(ctx, c, Pipeline, greetIn{Name: dsl.Const("Ada")}, client.Token(token))
	for client.Temporary(err) {
		time.Sleep(time.Minute)
		run, err = client.Submit(ctx, c, Pipeline, greetIn{Name: dsl.Const("Ada")}, client.Token(token))
	}
	fmt.Println(run.ID, err)
	// Output: run-1 <nil>
}

// What only some servers can do is asked for by interface.
func ExampleStepReader() {
	var c client.Client = connect()
	if r, ok := c.(client.StepReader); ok {
		step, err := r.Step(context.Background(), "run-1", "greet")
		fmt.Println(step.Inputs, err)
	} else {
		fmt.Println(c.Engine(), "doesn't tell what a step was given")
	}
	// Output: kfp doesn't tell what a step was given
}
