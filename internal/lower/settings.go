package lower

import (
	"cmp"
	"encoding/json"
	"math"
	"reflect"
	"slices"
	"strings"
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
		case "accelerator":
			s.Accelerators = args.accelerator(s.Accelerators)
		case "name":
			t.Title = args.text(0)
		case "no-cache", "cache": // see cachingOf
		case "timeout":
			d, _ := time.ParseDuration(args.text(0))
			s.TimeoutSecs = int64(math.Ceil(d.Seconds()))
		case "retry":
			s.Retry = args.retry()
		case "ignore-upstream-failure":
			t.Always = true
		default:
			if opt := program.OptionOf(o.Name); opt != nil {
				args.set(opt)
			} else {
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

// set sets the field of an option. To a list it adds an element.
func (o operands) set(opt *program.Option) {
	f := opt.In(&o.t.Settings)
	raw, isRaw := f.Addr().Interface().(*json.RawMessage)
	switch {
	case isRaw:
		*raw = o.value(0).Const
	case f.Kind() == reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
		o.fill(f.Elem(), opt)
	case f.Kind() == reflect.Slice:
		e := reflect.New(f.Type().Elem()).Elem()
		o.fill(e, opt)
		list := reflect.MakeSlice(f.Type(), 0, f.Len()+1)
		by, _ := e.Interface().(program.Replaces)
		for i := range f.Len() {
			if by == nil || !by.Replaces(f.Index(i).Interface()) {
				list = reflect.Append(list, f.Index(i))
			}
		}
		f.Set(reflect.Append(list, e))
	default:
		o.fill(f, opt)
	}
}

// fill sets a value to the operands: a struct from JSON that is the only operand,
// or field by field.
func (o operands) fill(v reflect.Value, opt *program.Option) {
	switch {
	case v.Kind() != reflect.Struct || v.Type() == valueType:
		o.operand(0, v)
	case opt.JSON:
		v.FieldByName("JSON").Set(reflect.ValueOf(o.ref(0)))
	case len(o.o.Args) == 1 && strings.HasPrefix(string(o.o.Args[0].Const), "{"):
		o.operand(0, v)
	default:
		n := 0
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if fixed, ok := f.Tag.Lookup("fixed"); ok {
				v.Field(i).SetString(fixed)
			} else if n < len(o.o.Args) || !strings.HasSuffix(f.Tag.Get("json"), ",omitempty") {
				o.operand(n, v.Field(i))
				n++
			}
		}
	}
}

// operand sets a value to an operand.
func (o operands) operand(i int, v reflect.Value) {
	switch into := v.Addr().Interface().(type) {
	case *program.Value:
		*into = o.value(i)
	case *string:
		*into = o.text(i)
	default:
		o.decode(i, into)
	}
}

var valueType = reflect.TypeFor[program.Value]()

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
