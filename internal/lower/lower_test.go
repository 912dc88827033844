package lower_test

import (
	"bytes"
	"context"
	"encoding/json"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type config struct {
	Epochs dsl.Param[int]     `json:"epochs"`
	Rate   dsl.Param[float64] `json:"rate"`
}

type trainIn struct {
	Data   dsl.Dataset
	Epochs dsl.Param[int]
	Rate   dsl.Param[float64]
}

type trainOut struct {
	Model    dsl.Model
	Accuracy dsl.Param[float64]
}

type downloadIn struct{ Source dsl.Param[string] }
type downloadOut struct{ Data dsl.Dataset }

type pickIn struct {
	Models     dsl.List[dsl.Model]
	Accuracies dsl.Param[[]float64]
}

type reportIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Note   dsl.Param[string] `kfp:",optional"`
}

type serveIn struct {
	Name  dsl.Param[string]
	Model dsl.Model
}

func step[In, Out any](name string) *dsl.Component[In, Out] {
	return dsl.Func(name, func(context.Context, In, *Out) error { return nil })
}

var (
	download = step[downloadIn, downloadOut]("download")
	trainGo  = step[trainIn, trainOut]("train-go")
	trainTF  = step[trainIn, trainOut]("train-tf")
	pick     = step[pickIn, trainOut]("pick")
	report   = step[reportIn, dsl.None]("report")
	serve    = step[serveIn, dsl.None]("serve")
)

type mnistIn struct {
	Source    dsl.Param[string]
	Trainer   dsl.Param[string]   `default:"go"`
	Sweep     dsl.Param[[]config] `kfp:"sweep"`
	Threshold dsl.Param[float64]  `default:"0.95"`
	Volume    dsl.Param[string]   `default:"mnist-data"`
}

// mnist has an exit handler, a volume, and sweeps in the branches of a one-of.
var mnist = dsl.Pipeline("mnist", func(s *dsl.Scope, in mnistIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		report.Call(s, reportIn{Status: status})
		k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: in.Volume})
	})
	volume := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: in.Volume, Size: dsl.Const("1Gi")})
	mount := k8s.MountPVC(volume.Out.Name, "/cache")
	data := download.Call(s, downloadIn{in.Source}, mount)
	sweep := func(s *dsl.Scope, train *dsl.Component[trainIn, trainOut], n int) trainOut {
		all := dsl.ParallelFor(s, in.Sweep, func(s *dsl.Scope, item dsl.Param[config]) trainOut {
			c := dsl.Fields(item)
			return train.Call(s, trainIn{Data: data.Out.Data, Epochs: c.Epochs, Rate: c.Rate}, mount).Out
		}, dsl.Parallelism(n))
		return pick.Call(s, pickIn{Models: dsl.CollectedArtifacts(all.Each.Model), Accuracies: dsl.Collected(all.Each.Accuracy)}).Out
	}
	best := dsl.OneOf(s, dsl.Eq(in.Trainer, "tensorflow"), func(s *dsl.Scope) trainOut {
		return sweep(s, trainTF, 1)
	}).Else(func(s *dsl.Scope) trainOut {
		return sweep(s, trainGo, 2)
	})
	dsl.If(s, dsl.GeRef(best.Accuracy, in.Threshold), func(s *dsl.Scope) {
		serve.Call(s, serveIn{Name: dsl.Sprintf("mnist-%v", in.Trainer), Model: best.Model})
	})
	return dsl.None{}
})

type numIn struct{ N dsl.Param[int] }
type numOut struct{ N dsl.Param[int] }
type listsIn struct {
	Lists dsl.Param[[][]int]
	Limit dsl.Param[int] `kfp:",optional"`
}
type listsOut struct{ All dsl.Param[[][]int] }

var double = step[numIn, numOut]("double")

var inner = dsl.Pipeline("inner", func(s *dsl.Scope, in numIn) numOut {
	first := double.Call(s, in, dsl.Retry(2), dsl.CPU("2"))
	return double.Call(s, numIn{first.Out.N}).Out
})

// nested has loops in loops, over a constant too, nested pipelines, and else-less conditions.
var nested = dsl.Pipeline("Nested Things", func(s *dsl.Scope, in listsIn) listsOut {
	outer := dsl.ParallelFor(s, in.Lists, func(s *dsl.Scope, list dsl.Param[[]int]) dsl.Param[[]int] {
		each := dsl.ParallelFor(s, list, func(s *dsl.Scope, n dsl.Param[int]) dsl.Param[int] {
			return inner.Call(s, numIn{n}, dsl.NoCache()).Out.N
		})
		return dsl.Collected(each.Each)
	})
	consts := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) dsl.Param[int] {
		dsl.If(s, dsl.And(dsl.Given(in.Limit), dsl.Lt(n, 2)), func(s *dsl.Scope) {
			dsl.If(s, dsl.Gt(n, 0), func(s *dsl.Scope) { inner.Call(s, numIn{in.Limit}) })
		})
		return double.Call(s, numIn{n}).Out.N
	})
	_ = consts
	return listsOut{dsl.Collected(outer.Each)}
})

func TestGolden(t *testing.T) {
	for _, d := range []dsl.Definition{mnist, nested, double} {
		p := lowered.Program(t, d)
		var got bytes.Buffer
		fprint(&got, p)
		golden.Check(t, filepath.Join("testdata", p.Name+".golden"), got.Bytes())
		roundTrip(t, p)
	}
}

// roundTrip writes a program as JSON and reads it back.
func roundTrip(t *testing.T, p *program.Program) {
	t.Helper()
	b, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var back program.Program
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	again, _ := json.Marshal(&back)
	if !bytes.Equal(b, again) || !reflect.DeepEqual(back.Main, p.Main) {
		t.Errorf("%s: the JSON form changed on the way", p.Name)
	}
}

// TestTopology checks what the back ends rely on: tasks come after what they
// wait for, and name siblings and components that exist.
func TestTopology(t *testing.T) {
	for _, d := range []dsl.Definition{mnist, nested, double} {
		g := recorded.Graph(d)
		p, err := lower.Lower(g, g.Component(1))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range p.Components {
			if c.DAG == nil {
				continue
			}
			seen := map[string]bool{}
			for _, task := range c.DAG.Tasks {
				for _, a := range task.After {
					if !seen[a] {
						t.Errorf("%s: task %s is before %s, which it waits for", c.Name, task.Name, a)
					}
				}
				if seen[task.Name] || p.Component(task.Component) == nil {
					t.Errorf("%s: task %s twice, or without component %q", c.Name, task.Name, task.Component)
				}
				seen[task.Name] = true
			}
		}
	}
}

func TestErrors(t *testing.T) {
	outside := dsl.Pipeline("outside", func(s *dsl.Scope, in numIn) numOut {
		before := double.Call(s, in)
		n := dsl.OneOf(s, dsl.Gt(in.N, 1), func(s *dsl.Scope) dsl.Param[int] { return before.Out.N }).
			Else(func(s *dsl.Scope) dsl.Param[int] { return double.Call(s, in).Out.N })
		return double.Call(s, numIn{n}).Out
	})
	options := dsl.Pipeline("options", func(s *dsl.Scope, in numIn) numOut {
		return inner.Call(s, in, dsl.CPU("1")).Out
	})
	empty := dsl.Pipeline("empty", func(s *dsl.Scope, in numIn) dsl.None { return dsl.None{} })
	for want, d := range map[string]dsl.Definition{
		"returns double.n, which is made outside of it": outside,
		"task inner: option cpu is for single steps":    options,
		"pipeline empty has no task":                    empty,
	} {
		g := recorded.Graph(d)
		_, err := lower.Lower(g, g.Component(1))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "lower_test.go:") {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
