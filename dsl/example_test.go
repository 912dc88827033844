package dsl_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type AddIn struct {
	A dsl.Param[float64]
	B dsl.Param[float64] `default:"4" doc:"what is added"`
}

type AddOut struct {
	Sum dsl.Param[float64]
}

var Add = dsl.Func("add", func(_ context.Context, in AddIn, out *AddOut) error {
	out.Sum.Set(in.A.Get() + in.B.Get())
	return nil
})

// A Go function, which runs in the image of the program. A test runs it as it is.
func ExampleFunc() {
	out, err := Add.Run(context.Background(), AddIn{A: dsl.Const(3.5)})
	fmt.Println(out.Sum.Get(), err)
	// Output: 7.5 <nil>
}

type CountIn struct {
	Text dsl.Dataset
	Skip dsl.Param[int] `kfp:",optional"`
}

type CountOut struct {
	Report dsl.Markdown
	Lines  dsl.Param[int]
}

// Artifacts are files: an input has a path, and an output is created.
func ExampleArtifact() {
	count := dsl.Func("count", func(_ context.Context, in CountIn, out *CountOut) error {
		f, err := in.Text.Open()
		if err != nil {
			return err
		}
		defer f.Close()
		b, err := io.ReadAll(f)
		if err != nil {
			return err
		}
		lines := 0
		for _, c := range b {
			if c == '\n' {
				lines++
			}
		}
		if skip, ok := in.Skip.Lookup(); ok {
			lines -= skip
		}
		out.Lines.Set(lines)
		out.Report.SetMetadata("lines", lines)
		report, err := out.Report.Create()
		if err != nil {
			return err
		}
		fmt.Fprintf(report, "# %d lines\n", lines)
		return report.Close()
	})
	out, err := count.Run(context.Background(), CountIn{Text: dsl.File[dsl.Dataset]("testdata/three.txt")})
	fmt.Println(out.Lines.Get(), err)
	// Output: 3 <nil>
}

type TrainIn struct {
	Data   dsl.Dataset
	Epochs dsl.Param[int]     `default:"5"`
	Rate   dsl.Param[float64] `default:"0.1"`
	Notes  dsl.Param[string]  `kfp:",optional"`
}

type TrainOut struct {
	Model dsl.Model
	Loss  dsl.Param[float64]
}

// A command in an image: KFP's ContainerOp. The image writes the loss at a path
// of its own, and gets --notes only if there are some.
var Train = dsl.Container("train", func(in TrainIn, out TrainOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   "ghcr.io/acme/train:1.4",
		Command: []string{"train"},
		Args: dsl.Args(
			"--data", in.Data.Path(), "--epochs", in.Epochs, fmt.Sprintf("--rate=%v", in.Rate),
			dsl.IfPresent(in.Notes, "--notes", in.Notes),
			"--model", out.Model.Path(),
		),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Loss, "/results/loss.txt")},
	}
})

func ExampleContainer() {
	fmt.Println(Train.Check())
	// Output: <nil>
}

type EvaluateIn struct {
	Model   dsl.Model
	Classes dsl.Param[int] `default:"10"`
}

type EvaluateOut struct {
	Accuracy dsl.Param[float64] `kfp:"Output"`
}

var Evaluate = dsl.Func("evaluate", func(_ context.Context, in EvaluateIn, out *EvaluateOut) error {
	out.Accuracy.Set(0.97)
	return nil
})

type JobIn struct {
	Name     dsl.Param[string]
	Parallel dsl.Param[int] `default:"1"`
}

type JobOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// An operation on a Kubernetes object: KFP's ResourceOp.
func ExampleResource() {
	runJob := dsl.Resource("run-job", func(in JobIn, _ JobOut) dsl.ResourceSpec {
		return dsl.ResourceSpec{
			Action: dsl.Create,
			Manifest: fmt.Sprintf(`
apiVersion: batch/v1
kind: Job
metadata:
  generateName: "%[1]v-"
spec:
  parallelism: %[2]v
  template:
    spec:
      restartPolicy: Never
      containers:
      - name: main
        image: "%[3]v"
        command: [/app, work]
`, in.Name, in.Parallel, dsl.ProgramImage),
			Success: "status.succeeded > 0",
			Failure: "status.failed > 3",
		}
	}).OnLocal(func(_ context.Context, in JobIn, out *JobOut) error {
		out.Name.Set(in.Name.Get() + "-local")
		return nil
	})
	out, err := runJob.Run(context.Background(), JobIn{Name: dsl.Const("index")})
	fmt.Println(out.Name.Get(), err, runJob.Check())
	// Output: index-local <nil> <nil>
}

type ModelsIn struct {
	Data      dsl.Dataset
	Rates     dsl.Param[[]float64]
	Large     dsl.Param[bool] `default:"false"`
	Threshold dsl.Param[float64]
	Notes     dsl.Param[string]    `kfp:",optional"`
	Day       dsl.Param[time.Time] `kfp:",optional"`
}

type ModelsOut struct {
	Accuracy dsl.Param[float64]
}

// A pipeline with tasks that pass values on, and options.
func ExamplePipeline() {
	p := dsl.Pipeline("models", func(s *dsl.Scope, in ModelsIn) ModelsOut {
		gpu := dsl.Options(dsl.GPU(1), dsl.Memory("16Gi"), dsl.Retry(2, dsl.Backoff{Initial: time.Minute}))
		train := Train.Call(s, TrainIn{Data: in.Data, Rate: dsl.Const(0.05)}, gpu, dsl.Named("Train it"))
		evaluate := Evaluate.Call(s, EvaluateIn{Model: train.Out.Model})
		return ModelsOut{Accuracy: evaluate.Out.Accuracy}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// Tasks that run only when a condition holds: KFP's dsl.Condition.
func ExampleIf() {
	p := dsl.Pipeline("if", func(s *dsl.Scope, in ModelsIn) dsl.None {
		train := Train.Call(s, TrainIn{Data: in.Data})
		evaluate := Evaluate.Call(s, EvaluateIn{Model: train.Out.Model})
		good := dsl.GeRef(evaluate.Out.Accuracy, in.Threshold)
		dsl.If(s, dsl.And(good, dsl.False(in.Large)), func(s *dsl.Scope) {
			show.Call(s, showIn{Text: dsl.Sprintf("%v is good enough", evaluate.Out.Accuracy)})
		}).Elif(dsl.Given(in.Notes), func(s *dsl.Scope) {
			show.Call(s, showIn{Text: in.Notes})
		}).Else(func(s *dsl.Scope) {
			show.Call(s, showIn{Text: dsl.Const("try again")})
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A value that comes from one of several branches.
func ExampleOneOf() {
	p := dsl.Pipeline("one-of", func(s *dsl.Scope, in ModelsIn) ModelsOut {
		trained := dsl.OneOf(s, dsl.True(in.Large), func(s *dsl.Scope) TrainOut {
			return Train.Call(s, TrainIn{Data: in.Data, Epochs: dsl.Const(50)}, dsl.GPU(4)).Out
		}).Else(func(s *dsl.Scope) TrainOut {
			return Train.Call(s, TrainIn{Data: in.Data}).Out
		})
		evaluate := Evaluate.Call(s, EvaluateIn{Model: trained.Model})
		return ModelsOut{Accuracy: evaluate.Out.Accuracy}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A model that is there only if the branch ran.
func ExampleChoice_Optional() {
	p := dsl.Pipeline("retrain", func(s *dsl.Scope, in ModelsIn) RetrainOut {
		model := dsl.OneOf(s, dsl.True(in.Large), func(s *dsl.Scope) dsl.Model {
			return Train.Call(s, TrainIn{Data: in.Data}).Out.Model
		}).Optional()
		return RetrainOut{Model: model}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A value for the case that no branch runs.
func ExampleChoice_Default() {
	p := dsl.Pipeline("tuned", func(s *dsl.Scope, in ModelsIn) TunedOut {
		accuracy := dsl.OneOf(s, dsl.True(in.Large), func(s *dsl.Scope) dsl.Param[float64] {
			train := Train.Call(s, TrainIn{Data: in.Data})
			return Evaluate.Call(s, EvaluateIn{Model: train.Out.Model}).Out.Accuracy
		}).Default(dsl.Const(0.0))
		return TunedOut{Accuracy: accuracy}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

type TunedOut struct{ Accuracy dsl.Param[float64] }

type RetrainOut struct{ Model dsl.Model }

type BestIn struct {
	Models dsl.List[dsl.Model]
	Losses dsl.Param[[]float64]
}

type BestOut struct {
	Model dsl.Model
}

var Best = dsl.Func("best", func(_ context.Context, in BestIn, out *BestOut) error {
	return nil // it copies the model with the least loss
})

// A task for each item of a list, at most four at once, and what comes of them.
func ExampleParallelFor() {
	p := dsl.Pipeline("sweep", func(s *dsl.Scope, in ModelsIn) dsl.None {
		sweep := dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, rate dsl.Param[float64]) TrainOut {
			return Train.Call(s, TrainIn{Data: in.Data, Rate: rate}).Out
		}, dsl.Parallelism(4))
		Best.Call(s, BestIn{
			Models: dsl.CollectedArtifacts(sweep.Each.Model),
			Losses: dsl.Collected(sweep.Each.Loss),
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

type Setting struct {
	Epochs dsl.Param[int]     `json:"epochs"`
	Rate   dsl.Param[float64] `json:"rate"`
}

// A loop over structs, whose fields the compiler knows.
func ExampleFields() {
	settings := dsl.Const([]Setting{
		{Epochs: dsl.Const(5), Rate: dsl.Const(0.1)},
		{Epochs: dsl.Const(50), Rate: dsl.Const(0.01)},
	})
	p := dsl.Pipeline("settings", func(s *dsl.Scope, in ModelsIn) dsl.None {
		dsl.ForEach(s, settings, func(s *dsl.Scope, item dsl.Param[Setting]) {
			f := dsl.Fields(item)
			Train.Call(s, TrainIn{Data: in.Data, Epochs: f.Epochs, Rate: f.Rate})
		})
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A handler that runs at the end whatever happened, and a claim that it deletes.
func ExampleOnExit() {
	notify := dsl.Func("notify", func(_ context.Context, in struct{ Status dsl.Param[dsl.FinalStatus] }, _ *dsl.None) error {
		if s := in.Status.Get(); s.State != dsl.Succeeded {
			fmt.Println(s.PipelineTask, s.Error.Message)
		}
		return nil
	})
	p := dsl.Pipeline("exit", func(s *dsl.Scope, in ModelsIn) dsl.None {
		dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
			notify.Call(s, struct{ Status dsl.Param[dsl.FinalStatus] }{status})
			k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: dsl.Const("scratch")})
		})
		claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: dsl.Const("scratch"), Size: dsl.Const("10Gi")})
		Train.Call(s, TrainIn{Data: in.Data}, k8s.MountPVC(claim.Out.Name, "/scratch"))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}

// A schedule, which is KFP's recurring run: every weekday at three in Zurich.
func ExampleNewSchedule() {
	p := dsl.Pipeline("nightly-models", func(s *dsl.Scope, in struct {
		Day dsl.Param[time.Time]
	}) dsl.None {
		show.Call(s, showIn{Text: dsl.Sprintf("models of %v", in.Day)})
		return dsl.None{}
	})
	nightly := dsl.NewSchedule("nightly", p, dsl.When{
		Cron: "0 3 * * MON-FRI",
		Zone: "Europe/Zurich",
	}, struct{ Day dsl.Param[time.Time] }{dsl.FireTime()})
	fmt.Println(nightly.Check())
	// Output: <nil>
}

// Mistakes come all at once, each with its line.
func ExampleErrorList() {
	p := dsl.Pipeline("mistaken", func(s *dsl.Scope, in AddIn) dsl.None {
		Add.Call(s, AddIn{})
		Add.Call(s, AddIn{A: in.A}, dsl.Memory("16GB"))
		return dsl.None{}
	})
	var list dsl.ErrorList
	if errors.As(p.Check(), &list) {
		for _, e := range list {
			fmt.Println(e.Msg)
		}
	}
	// Output:
	// task add: input a is required
	// task add-2: memory: "16GB" isn't a quantity of Kubernetes: write 16G or 16Gi
}
