package lower

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// settings sets the options of a task, in order, so that a later one wins.
func (p *pipelineLowering) settings(g *group, gt *graph.Task, t *program.Task) {
	s := &t.Settings
	for _, o := range gt.Options {
		args := operands{p, g, t, o}
		switch o.Name {
		case "cpu":
			s.CPULimit = args.ref(0)
		case "cpu-request":
			s.CPURequest = args.ref(0)
		case "memory":
			s.MemoryLimit = args.ref(0)
		case "memory-request":
			s.MemoryRequest = args.ref(0)
		case "accelerator":
			s.Accelerators = args.accelerator(s.Accelerators)
		case "env":
			name := args.text(0)
			s.Env = slices.DeleteFunc(s.Env, func(e program.Env) bool { return e.Name == name })
			s.Env = append(s.Env, program.Env{Name: name, Value: args.value(1)})
		case "image":
			s.Image = args.ref(0)
		case "name":
			t.Title = args.text(0)
		case "no-cache", "cache": // see cachingOf
		case "cache-key":
			s.CacheKey = args.text(0)
		case "timeout":
			d, _ := time.ParseDuration(args.text(0))
			s.TimeoutSecs = int64(math.Ceil(d.Seconds()))
		case "retry":
			s.Retry = args.retry()
		case "ignore-upstream-failure":
			t.Always = true
		case "node-selector":
			s.NodeSelector = args.keyValue(s.NodeSelector)
		case "label":
			s.Labels = args.keyValue(s.Labels)
		case "annotation":
			s.Annotations = args.keyValue(s.Annotations)
		default:
			if !args.kubernetes(&s.Kubernetes) {
				p.errorf(gt.Pos, "task %s: no option %q", t.Name, o.Name)
			}
		}
	}
	p.checkPod(t)
}

// operands are those of one option.
type operands struct {
	*pipelineLowering
	g *group
	t *program.Task
	o graph.Option
}

func (o operands) value(i int) program.Value {
	if i >= len(o.o.Args) {
		o.errorf(o.t.Pos, "task %s: option %s has no operand %d", o.t.Name, o.o.Name, i+1)
		return program.Value{}
	}
	a := o.o.Args[i]
	if a.Value != 0 {
		return o.pipelineLowering.value(o.g, a.Value, o.t)
	}
	return program.Value{Kind: program.Const, Const: a.Const, Type: graph.Type{Name: cmp.Or(kfptype.OfJSON(a.Const), kfptype.String)}}
}

func (o operands) ref(i int) *program.Value { v := o.value(i); return &v }

func (o operands) text(i int) string { v := o.value(i); s, _ := v.Constant(); return s }

func (o operands) decode(i int, into any) {
	v := o.value(i)
	if err := json.Unmarshal(v.Const, into); err != nil {
		o.errorf(o.t.Pos, "task %s: option %s: %v", o.t.Name, o.o.Name, err)
	}
}

// keyValue sets a key of a list.
func (o operands) keyValue(list []program.KeyValue) []program.KeyValue {
	key := o.text(0)
	list = slices.DeleteFunc(list, func(kv program.KeyValue) bool { return kv.Key == key })
	return append(list, program.KeyValue{Key: key, Value: o.value(1)})
}

// accelerator sets the number of a kind of device, in place of an earlier number.
func (o operands) accelerator(list []program.Accelerator) []program.Accelerator {
	a := program.Accelerator{Count: o.value(1)}
	kind := o.value(0)
	if name, ok := kind.Constant(); ok {
		a.Resource = name
	} else {
		a.Type = &kind
	}
	list = slices.DeleteFunc(list, func(old program.Accelerator) bool {
		return old.Resource == a.Resource && reflect.DeepEqual(old.Type, a.Type)
	})
	return append(list, a)
}

func (o operands) retry() *program.Retry {
	r := &program.Retry{Max: o.value(0)}
	if len(o.o.Args) > 1 {
		var b struct {
			Initial, Max time.Duration
			Factor       float64
		}
		o.decode(1, &b)
		r.Factor = b.Factor
		if b.Initial > 0 {
			r.Initial = b.Initial.String()
		}
		if b.Max > 0 {
			r.MaxBackoff = b.Max.String()
		}
	}
	return r
}
