// Package nocompile is code that the Go compiler must reject. Each want comment
// is part of the compiler's message for that line.
package nocompile

import (
	"context"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// A component's function must match its In and Out.
var _ = dsl.Func("bad", func(_ context.Context, in AddIn) error { return nil })                         // want "does not match func\(context.Context, In, \*Out\) error"
var _ = dsl.Container("bad", func(in AddIn, _ dsl.None) dsl.ResourceSpec { return dsl.ResourceSpec{} }) // want "does not match .* for func\(In, Out\) dsl.ContainerSpec"
var _ = Serve.OnLocal(func(context.Context, AddIn, *ServeOut) error { return nil })                     // want "as func\(context.Context, ServeIn, \*ServeOut\) error value"
var _ = Sum.Defaults(AddIn{})                                                                           // want "as SumIn value"
var _ = dsl.ContainerSpec{Outputs: []dsl.OutputFile{dsl.OutputAt("/out", dsl.Param[int]{})}}            // want "string does not implement dsl.Input" // want "dsl.Param\[int\]\{\} .* as string value"
var _ = dsl.ContainerSpec{Args: dsl.Args(dsl.IfPresent("notes", "--notes"))}                            // want "string does not implement dsl.Input"
var _ = dsl.ResourceSpec{Action: dsl.CPU("4")}                                                          // want "as dsl.Action value"

// Arguments, values and options of the wrong type.
var _ = dsl.Pipeline("bad", func(s *dsl.Scope, in PipelineIn) PipelineOut {
	data := Download.Call(s, DownloadIn{URL: in.URL})

	Add.Call(s, AddIn{A: 5.0})                   // want "cannot use 5.0 .* as dsl.Param\[float64\] value"
	Add.Call(s, AddIn{A: dsl.Const("5")})        // want "dsl.Param\[string\]\) as dsl.Param\[float64\] value"
	Add.Call(s, AddIn{A: in.Env})                // want "dsl.Param\[string\]\) as dsl.Param\[float64\] value"
	Add.Call(s, AddIn{Dividend: dsl.Const(5.0)}) // want "unknown field Dividend"
	Add.Call(s, DivmodIn{})                      // want "DivmodIn{} .* as AddIn value"
	Train.Call(s, TrainIn{Rate: dsl.Const(1)})   // want "dsl.Param\[int\]\) as dsl.Param\[float64\] value"
	model := Train.Call(s, TrainIn{}).Out.Model
	Evaluate.Call(s, EvaluateIn{Model: data.Out.Train})                  // want "dsl.Dataset\) as dsl.Model value"
	Evaluate.Call(s, EvaluateIn{Digits: in.URL})                         // want "in.URL .* dsl.Param\[string\]\) as dsl.Dataset value"
	Evaluate.Call(s, EvaluateIn{Digits: data})                           // want "cannot use data .* as dsl.Dataset value"
	Evaluate.Call(s, EvaluateIn{Digits: data.Out.Pictures})              // want "data.Out.Pictures undefined"
	Pick.Call(s, PickIn{Models: model})                                  // want "dsl.Model\) as dsl.List\[dsl.Model\] value"
	Pick.Call(s, PickIn{Models: dsl.CollectedArtifacts(data.Out.Train)}) // want "dsl.List\[.*\] value"
	_ = dsl.CollectedArtifacts(in.Threshold)                             // want "missing method artifact"
	_ = dsl.List[string]{}                                               // want "string does not satisfy"
	_ = dsl.Import[dsl.Param[int]](s, in.URL)                            // want "missing method artifact"
	_ = dsl.Import[dsl.Model](s, 5)                                      // want "int does not satisfy dsl.Text"
	_ = dsl.Model(data.Out.Train)                                        // want "cannot convert data.Out.Train"
	dsl.LogMetric(model, "loss", 1)                                      // want "dsl.Model\) as dsl.Metrics value"

	// A reference is not a value: Go's own operators and statements reject it.
	acc := Evaluate.Call(s, EvaluateIn{}).Out.Accuracy
	_ = acc == acc      // want "cannot be compared"
	_ = acc > 0.9       // want "invalid operation: acc > 0.9"
	_ = acc * 2         // want "cannot convert 2|mismatched types|invalid operation"
	if dsl.Gt(acc, 1) { // want "non-boolean condition in if statement"
	}
	for range in.Sweep { // want "cannot range over in.Sweep"
	}

	// Conditions compare like with like, and only what has an order.
	_ = dsl.Ge(acc, "0.9")             // want "(cannot use|default type string of) .0.9."
	_ = dsl.Ge(acc, in.Threshold)      // want "type dsl.Param\[float64\] of in.Threshold does not match|as float64 value"
	_ = dsl.GeRef(acc, 0.9)            // want "does not match dsl.Param\[T\]|as dsl.Param\[float64\] value"
	_ = dsl.GeRef(acc, in.Env)         // want "does not match inferred type dsl.Param\[float64\]"
	_ = dsl.Eq(in.Sweep, nil)          // want "does not satisfy dsl.Scalar"
	_ = dsl.Lt(dsl.Const(true), false) // want "bool does not satisfy dsl.Ordered"
	_ = dsl.In(in.Env, "a", 2)         // want "mismatched types|cannot use 2|default type int"
	_ = dsl.False(in.Env)              // want "dsl.Param\[string\]\) as dsl.Param\[bool\] value"
	_ = dsl.True(in.Env)               // want "dsl.Param\[string\]\) as dsl.Param\[bool\] value"
	_ = dsl.Given("env")               // want "string does not implement dsl.Input"
	_ = dsl.And(true)                  // want "as dsl.Cond value"

	// Every branch of a OneOf returns the same type, and it needs an Else.
	_ = dsl.OneOf(s, dsl.Eq(in.Env, "x"), func(s *dsl.Scope) dsl.Param[float64] {
		return Add.Call(s, AddIn{}).Out.Sum
	}).Else(func(s *dsl.Scope) dsl.Param[string] { return in.Env }) // want "as func\(\*dsl.Scope\) dsl.Param\[float64\] value"
	var n dsl.Param[int] = dsl.OneOf(s, dsl.Eq(in.Env, "x"), func(s *dsl.Scope) dsl.Param[int] { return dsl.Const(1) }) // want "dsl.Choice\[dsl.Param\[int\]\]\) as dsl.Param\[int\] value"
	_ = n

	// A loop's item has the type of the list, its fields are those of the
	// struct, and its outputs are not values until they are collected.
	dsl.ParallelFor(s, in.Sweep, func(s *dsl.Scope, c dsl.Param[string]) AddOut { return AddOut{} }) // want "does not match inferred type"
	dsl.ParallelFor(s, in.Env, func(s *dsl.Scope, c dsl.Param[string]) AddOut { return AddOut{} })   // want "does not match dsl.Param\[\[\]T\]"
	dsl.ForEach(s, in.Sweep, func(s *dsl.Scope, c dsl.Param[string]) {})                             // want "does not match inferred type"
	dsl.ForEach(s, in.Sweep, func(s *dsl.Scope, c dsl.Param[Config]) AddOut { return AddOut{} })     // want "does not match inferred type"
	sums := dsl.ParallelFor(s, in.Sweep, func(s *dsl.Scope, item dsl.Param[Config]) AddOut {
		_ = item.Rate                           // want "item.Rate undefined"
		_ = PickIn{Losses: dsl.Collected(item)} // want "Config\]\) as dsl.Param\[\[\]float64\] value"
		_ = dsl.Fields(item).Speed              // want "Speed undefined"
		_ = AddIn{A: dsl.Fields(item).Epochs}   // want "dsl.Param\[int\]\) as dsl.Param\[float64\] value"
		return AddOut{}
	})
	Pick.Call(s, PickIn{Losses: sums.Each.Sum})                                                   // want "dsl.Param\[float64\]\) as dsl.Param\[\[\]float64\] value"
	Download.Call(s, DownloadIn{URL: dsl.Collected(sums.Each.Sum)})                               // want "dsl.Param\[\[\]float64\]\) as dsl.Param\[string\] value"
	_ = dsl.Field(dsl.Const(dsl.FinalStatus{}), func(f *dsl.FinalStatus) *int { return f.State }) // want "cannot use f.State .* as \*int value"

	// Options.
	Add.Call(s, AddIn{}, dsl.CPU(4))                 // want "int does not satisfy dsl.Text"
	Add.Call(s, AddIn{}, dsl.GPU("1"))               // want "string does not satisfy dsl.Count"
	Add.Call(s, AddIn{}, dsl.Retry(acc))             // want "does not satisfy dsl.Count"
	Add.Call(s, AddIn{}, dsl.Timeout("5m"))          // want "Duration value"
	Add.Call(s, AddIn{}, k8s.MountPVC(acc, "/data")) // want "does not satisfy dsl.Text"
	Add.Call(s, AddIn{}, dsl.Parallelism(2))         // want "dsl.LoopOption\) as dsl.Option value"
	Add.Call(s, AddIn{}, dsl.After(acc))             // want "does not implement dsl.Handle"
	return PipelineOut{Model: data.Out.Train}        // want "dsl.Dataset\) as dsl.Model value"
})

// The arguments of runs and schedules are typed too.
var _ = dsl.NewSchedule("bad", Pipeline, dsl.When{Cron: "0 3 * * *"}, SumIn{})                        // want "type SumIn of SumIn{} does not match"
var _ = dsl.NewSchedule("bad", Pipeline, dsl.When{Every: "1h"}, PipelineIn{})                         // want "Duration value"
var _ = dsl.NewSchedule("bad", Pipeline, "0 3 * * *", PipelineIn{})                                   // want "as dsl.When value"
var _ = dsl.NewSchedule("bad", Pipeline, dsl.When{Every: time.Hour}, PipelineIn{Env: dsl.FireTime()}) // want "Time\]\) as dsl.Param\[string\] value"
var _ = dsl.NewSchedule("bad", Pipeline, dsl.When{Every: time.Hour}, PipelineIn{Day: dsl.FireDate()}) // want "string\]\) as dsl.Param\[.time..Time\] value"
