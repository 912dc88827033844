package random

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/dsl"
)

// An item is what loops are over beside plain values.
type item struct {
	Text string  `json:"text"`
	N    int     `json:"n"`
	F    float64 `json:"f"`
	B    bool    `json:"b"`
}

type sayIn struct {
	Text   dsl.Param[string]
	N      dsl.Param[int]
	F      dsl.Param[float64]
	B      dsl.Param[bool]
	Maybe  dsl.Param[string] `kfp:",optional"`
	MaybeN dsl.Param[int]    `kfp:",optional"`
	Def    dsl.Param[string]
	DefN   dsl.Param[int]
}

type vals struct {
	Text dsl.Param[string]
	N    dsl.Param[int]
	F    dsl.Param[float64]
	B    dsl.Param[bool]
}

type speakOut struct {
	vals
	Seen dsl.Param[string] // what the step was given, as JSON
}

type sayOut struct {
	vals
	Maybe  dsl.Param[string] `kfp:",optional"`
	MaybeN dsl.Param[int]    `kfp:",optional"`
	Seen   dsl.Param[string]
}

// Say makes values of values. It is a pure function.
var Say = dsl.Func("say", func(_ context.Context, in sayIn, out *sayOut) error {
	n, b, maybe := in.N.Get(), in.B.Get(), in.Maybe.Get()
	text := in.say(&out.vals, &out.Seen, "$")
	if b {
		out.Maybe.Set(maybe + text)
	}
	if n%2 == 0 {
		out.MaybeN.Set(n)
	}
	return nil
}).Defaults(sayIn{Def: dsl.Const("a {{=1}} \"b\" $(C)"), DefN: dsl.Const(math.MaxInt64)})

// Speak is Say without optional outputs.
var Speak = dsl.Func("speak", func(_ context.Context, in sayIn, out *speakOut) error {
	in.say(&out.vals, &out.Seen, "}")
	return nil
}).Defaults(sayIn{Def: dsl.Const("a {{x}} \"b\" #c"), DefN: dsl.Const(7)})

func (in sayIn) say(out *vals, seen *dsl.Param[string], end string) string {
	text, n, f, b := in.Text.Get(), in.N.Get(), in.F.Get(), in.B.Get()
	maybe, given := in.Maybe.Lookup()
	maybeN, givenN := in.MaybeN.Lookup()
	seen.Set(steps.log("say", text, n, f, b, maybe, given, maybeN, givenN, in.Def.Get(), in.DefN.Get()))
	switch abs(n) % 4 {
	case 0:
		text += maybe
	case 1:
		text = "{" + text + end
	case 2:
		text = in.Def.Get()
	}
	if len(text) > 200 {
		text = strings.ToValidUTF8(text[:100], "")
	}
	out.Text.Set(text)
	out.N.Set(n*3 + in.DefN.Get() + maybeN)
	if f /= 3; b {
		f = math.Trunc(f)
	}
	out.F.Set(f)
	out.B.Set(b != (len(text)%2 == 0))
	return text
}

func abs(n int) int { return n & math.MaxInt64 }

type manyIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int]
}

type manyOut struct {
	Texts  dsl.Param[[]string]
	Ns     dsl.Param[[]int]
	Fs     dsl.Param[[]float64]
	Bs     dsl.Param[[]bool]
	Items  dsl.Param[[]item]
	Nested dsl.Param[[][]string]
	Item   dsl.Param[item]
	Seen   dsl.Param[string]
}

// Many makes lists, which may be empty.
var Many = dsl.Func("many", func(_ context.Context, in manyIn, out *manyOut) error {
	text, n := in.Text.Get(), in.N.Get()
	out.Seen.Set(steps.log("many", text, n))
	texts := strings.SplitAfter(text, " ")[:min(abs(n)%4, strings.Count(text, " ")+1)]
	out.Texts.Set(texts)
	var ns []int
	var fs []float64
	var bs []bool
	var items []item
	var nested [][]string
	for i := range abs(n/7) % 4 {
		ns, fs, bs = append(ns, n-i), append(fs, float64(n)/float64(i+3)), append(bs, i%2 == 0)
		items = append(items, item{text, small(n + i), float64(n) / 1e30, i%2 == 1})
		nested = append(nested, texts)
	}
	out.Ns.Set(ns)
	out.Fs.Set(fs)
	out.Bs.Set(bs)
	out.Items.Set(items)
	out.Nested.Set(nested)
	out.Item.Set(item{text, small(n), 0.1, true})
	return nil
})

// small returns a number that a field of a struct may have on Argo.
func small(n int) int { return n % (1 << 53) }

type tellIn struct {
	Texts  dsl.Param[[]string]   `kfp:",optional"`
	Ns     dsl.Param[[]int]      `kfp:",optional"`
	Fs     dsl.Param[[]float64]  `kfp:",optional"`
	Bs     dsl.Param[[]bool]     `kfp:",optional"`
	Items  dsl.Param[[]item]     `kfp:",optional"`
	Nested dsl.Param[[][]string] `kfp:",optional"`
	Item   dsl.Param[item]       `kfp:",optional"`
}

type textOut struct {
	Text dsl.Param[string]
	Seen dsl.Param[string]
}

// Tell says what it was given.
var Tell = dsl.Func("tell", func(_ context.Context, in tellIn, out *textOut) error {
	var all []any
	all = add(all, in.Texts)
	all = add(all, in.Ns)
	all = add(all, in.Fs)
	all = add(all, in.Bs)
	all = add(all, in.Items)
	all = add(all, in.Nested)
	all = add(all, in.Item)
	out.Seen.Set(steps.log("tell", all...))
	j, err := json.Marshal(all)
	if len(j) > 100 {
		j = j[:100]
	}
	out.Text.Set(strings.ToValidUTF8(string(j), ""))
	return err
})

func add[T any](all []any, p dsl.Param[T]) []any {
	v, ok := p.Lookup()
	return append(all, v, ok)
}

type riskIn struct {
	Text dsl.Param[string]
	Fail dsl.Param[bool]
}

// Risk fails when its input says so.
var Risk = dsl.Func("risk", func(_ context.Context, in riskIn, out *textOut) error {
	out.Seen.Set(steps.log("risk", in.Text.Get(), in.Fail.Get()))
	out.Text.Set(in.Text.Get())
	if in.Fail.Get() {
		return errors.New("it was to fail: " + in.Text.Get())
	}
	return nil
})

type seenOut struct{ Seen dsl.Param[string] }

type reportIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Text   dsl.Param[string]
}

// Report is what exit handlers run.
var Report = dsl.Func("report", func(_ context.Context, in reportIn, out *seenOut) error {
	out.Seen.Set(steps.log("report", in.Status.Get().State, in.Text.Get()))
	return nil
})

// A record is what the steps of a run were given.
type record struct {
	mu  sync.Mutex
	got []string
}

var steps record

// log keeps what a step was given, and returns it as a string.
func (r *record) log(step string, args ...any) string {
	j, _ := json.Marshal(args)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got = append(r.got, step+" "+string(j))
	return string(j)
}

// Steps returns what steps of this process were given since it was last called, in the
// order of the strings.
func Steps() []string {
	steps.mu.Lock()
	defer steps.mu.Unlock()
	got := steps.got
	steps.got = nil
	slices.Sort(got)
	return got
}
