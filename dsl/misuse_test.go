package dsl_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/testdata/mnist"
	"github.com/kfpgo/kfpgo/internal/want"
)

// These definitions compile. Each want comment is the error that Check reports
// for its line.

type miscIn struct {
	N     dsl.Param[int]
	List  dsl.Param[[]int]
	Who   dsl.Param[string]
	Extra dsl.Param[string] `kfp:",optional"`
	Sweep dsl.Param[[]mnist.Config]
}

type plain struct {
	Rate float64
	P    *struct{ Q int }
}

var leaked *dsl.Scope

var misuse = dsl.Pipeline("misuse", func(s *dsl.Scope, in miscIn) numOut { // want "output n of pipeline misuse is input n; it must be the output of a task"
	double.Call(s, numIn{}) // want "task double: input n is required"

	// Reading a value before there is one.
	if in.N.Get() > 3 { // want "Get on input n: its value is known only at run time; use dsl.If"
		return numOut{}
	}
	if _, ok := in.Extra.Lookup(); ok { // want "Lookup on input extra: its value is known only at run time"
		return numOut{}
	}

	// fmt.Sprintf on a reference, wherever the text ends up.
	show.Call(s, showIn{dsl.Const(fmt.Sprintf("hi %v", in.Who))})                             // want "a string holds a reference, input who; use dsl.Sprintf"
	sum.Call(s, sumIn{dsl.Const([]int{1})}, dsl.Env("WHO", fmt.Sprint(in.Who)))               // want "option env: a string holds a reference"
	listOf.Call(s, listIn{dsl.Const([]string{"a", in.Who.String()})}, dsl.Named("ok"))        // want "a string holds a reference"
	double.Call(s, numIn{dsl.Const(1)}, k8s.NodeSelector("zone", fmt.Sprintf("x%v", in.Who))) // want "option node-selector: a string holds a reference"
	show.Call(s, showIn{dsl.Sprintf("hi %9v", in.Who)})                                       // want "Sprintf: input who takes %v or %s without a width"
	show.Call(s, showIn{dsl.Sprintf("hi %v", dsl.Param[int]{})})                              // want "Sprintf: argument 1 is not set"

	// The wrong scope, and values that leave theirs.
	var inner dsl.Param[int]
	dsl.If(s, dsl.Gt(in.N, 1), func(b *dsl.Scope) {
		leaked = b
		inner = double.Call(b, numIn{in.N}).Out.N
		double.Call(s, numIn{in.N}) // want "task double added to an outer scope inside the if"
	})
	double.Call(leaked, numIn{in.N})                   // want "task double added to the if at line \d+ after its function returned"
	double.Call(s, numIn{inner})                       // want "double-3.n is not readable outside the if at line \d+"
	show.Call(s, showIn{dsl.Sprintf("got %v", inner)}) // want "double-3.n is not readable outside the if"
	loop := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) numOut { return double.Call(s, numIn{n}).Out })
	double.Call(s, numIn{loop.Each.N})              // want "not readable outside the for at line \d+; wrap it in dsl.Collected"
	sum.Call(s, sumIn{Values: dsl.Collected(in.N)}) // want "Collected of input n, which is not in a loop"
	double.Call(nil, numIn{in.N})
	double.Call(s, numIn{double.Call(nil, numIn{in.N}).Out.N}) // want "the task at line \d+ has no scope"
	nowhere.Call(s, numIn{in.N})                               // want "call of a component that is nil"
	deep := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) (out dsl.Param[int]) {
		dsl.If(s, dsl.Gt(n, 1), func(s *dsl.Scope) { out = double.Call(s, numIn{n}).Out.N })
		return out
	})
	sum.Call(s, sumIn{Values: dsl.Collected(deep.Each)}) // want "which is inside the if at line \d+ of the loop; return it from a dsl.OneOf"

	// Things that were never set.
	var unset dsl.Param[int]
	dsl.If(s, dsl.Eq(unset, 1), func(s *dsl.Scope) {})                                                                 // want "a parameter of the condition == is not set"
	dsl.ParallelFor(s, dsl.Param[[]int]{}, func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} })        // want "the list of ParallelFor is not set"
	sum.Call(s, sumIn{Values: dsl.Collected(unset)})                                                                   // want "Collected of an output that is not set"
	double.Call(s, numIn{dsl.Field(dsl.Param[plain]{}, func(p *plain) *int { return &p.P.Q })})                        // want "Field: the function must return the address of a field"
	show.Call(s, showIn{dsl.Sprintf("%v", dsl.Field(dsl.Param[plain]{}, func(p *plain) *float64 { return &p.Rate }))}) // want "field Rate of a parameter that is not set"
	double.Call(s, numIn{dsl.Fields(dsl.Param[mnist.Config]{}).Epochs})                                                // want "field epochs of a parameter that is not set"
	dsl.If(s, dsl.Given(dsl.Model{}), func(s *dsl.Scope) {})                                                           // want "Given: the input is not set"
	dsl.If(s, dsl.Cond{}, func(s *dsl.Scope) {})                                                                       // want "the condition is empty"
	dsl.If(s, dsl.And(), func(s *dsl.Scope) {})                                                                        // want "&& of no conditions"
	double.Call(s, numIn{in.N}, dsl.GPU(unset))                                                                        // want "option accelerator is not set"
	double.Call(s, numIn{in.N}, dsl.After(nil))                                                                        // want "After: task 1 is nil"

	// Conditions, loops and branches.
	dsl.If(s, dsl.Eq(dsl.Const(1), 1), func(s *dsl.Scope) {})                                                            // want "the condition is a constant; use a Go if statement"
	dsl.If(s, dsl.Given(in.Who), func(s *dsl.Scope) {})                                                                  // want "Given of input who, which always has a value"
	dsl.If(s, dsl.In(in.N), func(s *dsl.Scope) {})                                                                       // want "In of no values"
	dsl.If(s, dsl.Eq(in.N, 1), nil)                                                                                      // want "if has no function"
	dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) dsl.Param[int] { return dsl.Const(2) })                             // want "OneOf has no Else" // want "a value of the if is 2; it must be the output of a task"
	dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) int { return 1 }).Else(func(s *dsl.Scope) int { return 2 })         // want "OneOf of int; it takes a dsl.Param"
	dsl.ParallelFor(s, dsl.Const([]int(nil)), func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} })       // want "constant list with no items"
	dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} }, dsl.Parallelism(0)) // want "Parallelism\(0\): must be at least 1"
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {})                                              // want "OnExit after a task; call it first"
	mnist.Notify.Call(s, mnist.NotifyIn{Day: dsl.FireTime(), To: in.Who, Status: dsl.Const(dsl.FinalStatus{})})          // want "the fire time is known only to a schedule"

	// Options.
	sum.Call(s, sumIn{in.List}, k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: "Exists", Value: "yes"})) // want "toleration of gpu: operator Exists takes no value"
	sum.Call(s, sumIn{in.List}, dsl.Retry(0), dsl.GPU(-1))                                                  // want "Retry\(0\): must be at least 1" // want "nvidia.com/gpu\(-1\): must be at least 0"
	sum.Call(s, sumIn{in.List}, dsl.CPU("2 cores"), dsl.Memory("16GB"))                                     // want "cpu .2 cores. is not a Kubernetes quantity" // want "memory .16GB. is not"
	sum.Call(s, sumIn{in.List}, dsl.Timeout(0), k8s.MountPVC("claim", "data"))                              // want "Timeout\(0s\): must be at least a second" // want "MountPVC at .data.: not an absolute path"

	// Values without a JSON form.
	records.Call(s, recordsIn{dsl.Const([]mnist.Config{{Epochs: in.N}})}) // want "input n is a reference; a constant holds only constants"
	records.Call(s, recordsIn{dsl.Const([]mnist.Config{{}})})             // want "a field has no value; set it"
	return numOut{in.N}
})

var nowhere *dsl.Component[numIn, numOut]

type listIn struct{ List dsl.Param[[]string] }

var listOf = dsl.Func("list-of", func(context.Context, listIn, *dsl.None) error { return nil })

type recordsIn struct{ Sweep dsl.Param[[]mnist.Config] }

var records = dsl.Func("records", func(context.Context, recordsIn, *dsl.None) error { return nil })

// Calls that span several lines.
var multiline = dsl.Pipeline("multiline", func(s *dsl.Scope, in miscIn) dsl.None {
	listOf.Call(s, listIn{ // want "input list is required"
		List: dsl.Param[[]string]{},
	})
	dsl.OneOf(s, dsl.EqRef(in.N, in.N), func(s *dsl.Scope) dsl.Param[int] { // want "a value of the if is 1"
		return dsl.Const(1)
	}).Else(func(s *dsl.Scope) dsl.Param[int] { // want "a value of the else is 2"
		return dsl.Const(2)
	})
	return dsl.None{}
})

// A component is checked when it is made and reported when it is used.
type badIn struct {
	Plain int
	Early dsl.Param[int] `default:"soon"`
	Ch    dsl.Param[chan int]
	A     dsl.Param[int]   `kfp:"early"`
	List  dsl.Param[[]int] `default:"[1]"`
	Ptr   dsl.Param[*int]
	Bytes dsl.Param[[]byte]
	Typo  dsl.Param[int]  `kfp:",optinal"`
	Big   dsl.Param[int8] `default:"300"`
}

var bad = dsl.Func("bad", func(context.Context, badIn, *dsl.None) error { return nil }) // want "field Plain of dsl_test.badIn must be an exported dsl.Param" // want "default .soon.: not a valid int" // want "chan int can't be a parameter" // want "two fields of dsl_test.badIn are named early" // want "use Defaults" // want "\*int can't be a parameter" // want "\[\]uint8 can't be a parameter; use string" // want "unknown tag option .optinal." // want "default .300.: not a valid int8"

var copyFile = dsl.Container("copy", func(in numIn, out numOut) dsl.ContainerSpec { // want "IfPresent takes an input of the container"
	return dsl.ContainerSpec{
		Image: "busybox",
		Args: dsl.Args(
			out.N.Path(),
			in.N.Path(),    // want "only a container's output parameter has a path"
			out.N.String(), // want "output n has no value in its own container; use its Path"
			dsl.IfPresent(out.N, 1),
		),
		Outputs: []dsl.OutputFile{
			dsl.OutputAt(in.N, "/x"),  // want "OutputAt takes one of its own outputs"
			dsl.OutputAt(out.N, "x/"), // want "OutputAt\(.x/.\): not an absolute path"
		},
	}
})

var unsetText = dsl.Container("unset-text", func(numIn, dsl.None) dsl.ContainerSpec { // want "IfPresent takes an input of the container"
	return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(dsl.IfPresent(dsl.Param[int]{}, "--n"))}
})

var noImage = dsl.Container("no-image", func(in numIn, _ dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{} }) // want "component no-image: no image"

var python = dsl.Python[numIn, numOut]("python", dsl.PythonSource{Source: "def f(n): pass", Function: "g"}) // want "no image; python:3.12" // want "has no function .g."

var object = dsl.Resource("object", func(in numIn, _ numOut) dsl.ResourceSpec { return dsl.ResourceSpec{Action: "make"} }) // want "no action .make." // want "no manifest" // want "output n must be a parameter with a jsonpath tag"

var crash = dsl.Pipeline("crash", func(s *dsl.Scope, in numIn) dsl.None {
	var list []int
	double.Call(s, numIn{dsl.Const(list[3])}) // want "panic: runtime error: index out of range"
	return dsl.None{}
})

var crashSpec = dsl.Container("crash-spec", func(in numIn, _ dsl.None) dsl.ContainerSpec { // want "component crash-spec: no image"
	var spec *dsl.ContainerSpec
	return *spec // want "component crash-spec: panic: .*nil pointer"
})

// Two components of one name.
var twin1 = dsl.Func("twin", func(context.Context, numIn, *dsl.None) error { return nil })
var twin2 = dsl.Func("twin", func(context.Context, numIn, *dsl.None) error { return nil }) // want "component twin is also defined at misuse_test.go:\d+; give one of them another name"

var twins = dsl.Pipeline("twins", func(s *dsl.Scope, in numIn) dsl.None {
	twin1.Call(s, in)
	twin2.Call(s, in)
	return dsl.None{}
})

// Schedules.
func schedules() []dsl.Definition {
	args, day := numIn{dsl.Const(1)}, time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)
	return []dsl.Definition{
		dsl.NewSchedule("a", everything, dsl.When{Cron: "0 3 31 2 *"}, ok),                        // want "never fires: day 31 is in none of its months"
		dsl.NewSchedule("b", everything, dsl.When{Cron: "0 3 * * *", Zone: "Europe/Zuerich"}, ok), // want "unknown time zone Europe/Zuerich"
		dsl.NewSchedule("c", everything, dsl.When{Cron: "0 3 * * *", Start: day, End: day}, ok),   // want "the end, .*, is not after the start"
		dsl.NewSchedule("d", everything, dsl.When{Cron: "0 3 * * *"}, allIn{N: dsl.Const(1)}),     // want "schedule d: input list of pipeline everything is required"
		dsl.NewSchedule("e", everything, dsl.When{Cron: "0 0 3 * * *"}, ok),                       // want "has six fields; .* set Seconds"
		dsl.NewSchedule("f", everything, dsl.When{Cron: "0 3 * * *", Seconds: true}, ok),          // want "has 5 fields, not 6, from the second"
		dsl.NewSchedule("g", everything, dsl.When{Cron: "0 24 * * *"}, ok),                        // want "hour .24.: not from 0 to 23"
		dsl.NewSchedule("h", everything, dsl.When{}, ok),                                          // want "no time; set Cron or Every"
		dsl.NewSchedule("i", everything, dsl.When{Cron: "0 3 * * *", Every: time.Hour}, ok),       // want "both Cron and Every"
		dsl.NewSchedule("j", everything, dsl.When{Every: time.Millisecond}, ok),                   // want "every 1ms: must be a number of seconds"
		dsl.NewSchedule("k", double, dsl.When{Every: time.Hour}, args),                            // want "double is a func; schedule a pipeline"
		dsl.NewSchedule[numIn, numOut]("l", nil, dsl.When{Every: time.Hour}, args),                // want "the pipeline is nil"
		dsl.NewSchedule("m", everything, dsl.When{Cron: "0 3 * 2,XYZ *"}, ok),                     // want "month .XYZ.: not from 1 to 12"
		dsl.NewSchedule("n", everything, dsl.When{Cron: "*/0 3 * * *"}, ok),                       // want "bad step"
		dsl.NewSchedule("o", everything, dsl.When{Cron: "0 5-3 * * *", MaxConcurrency: -1}, ok),   // want "runs backwards" // want "MaxConcurrency -1"
	}
}

var ok = allIn{N: dsl.Const(1), List: dsl.Const([]int{1})}

// A package-level cycle does not compile; one through a local variable does.
func cycle() dsl.Definition {
	var a, b *dsl.Component[dsl.None, dsl.None]
	a = dsl.Pipeline("a", func(s *dsl.Scope, _ dsl.None) dsl.None { b.Call(s, dsl.None{}); return dsl.None{} })
	b = dsl.Pipeline("b", func(s *dsl.Scope, _ dsl.None) dsl.None { a.Call(s, dsl.None{}); return dsl.None{} }) // want "pipeline a calls itself"
	return a
}

func TestMisuse(t *testing.T) {
	got := map[int][]string{}
	defs := append([]dsl.Definition{misuse, multiline, bad, copyFile, unsetText, noImage, python, object, crash, crashSpec, twins, cycle()}, schedules()...)
	for _, d := range defs {
		err := d.Check()
		var list dsl.ErrorList
		if !errors.As(err, &list) {
			t.Errorf("%s: got %v, want an ErrorList", d.Name(), err)
		}
		for _, e := range list {
			if filepath.Base(e.File) != "misuse_test.go" {
				t.Errorf("position outside this file: %v", e)
			}
			got[e.Line] = append(got[e.Line], e.Msg)
		}
	}
	want.Check(t, "misuse_test.go", got)
}
