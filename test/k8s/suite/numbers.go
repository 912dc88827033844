package suite

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

type NumbersIn struct {
	Least dsl.Param[int64]
	Most  dsl.Param[int64]
	Tiny  dsl.Param[float64]
	Huge  dsl.Param[float64]
	Day   dsl.Param[time.Time]
}

var numbers = dsl.Func("numbers", func(_ context.Context, in NumbersIn, out *NumbersIn) error {
	out.Least.Set(in.Least.Get())
	out.Most.Set(in.Most.Get())
	out.Tiny.Set(in.Tiny.Get())
	out.Huge.Set(in.Huge.Get())
	out.Day.Set(in.Day.Get().Add(time.Hour))
	return nil
})

// Numbers passes the ends of what numbers can be, and a time.
var Numbers = dsl.Pipeline("numbers-of-all-sizes", func(s *dsl.Scope, _ dsl.None) NumbersIn {
	first := numbers.Call(s, NumbersIn{dsl.Const(int64(math.MinInt64)), dsl.Const(int64(math.MaxInt64)), dsl.Const(5e-324), dsl.Const(math.MaxFloat64),
		dsl.Const(time.Date(2026, 2, 28, 23, 30, 0, 5, time.UTC))})
	return numbers.Call(s, first.Out).Out
})

// Typed returns its inputs, of each type, as a run was given them.
var Typed = dsl.Pipeline("typed", func(s *dsl.Scope, in All) All { return same.Call(s, in).Out })

// Long passes a string that is too long for an argument of a command.
var Long = dsl.Pipeline("long", func(s *dsl.Scope, _ dsl.None) LongOut {
	text := Repeat.Call(s, Text{dsl.Const("0123456789äbcdef'\"")}).Out.Text
	return LongOut{Length.Call(s, Text{text}).Out.N}
})

type LongOut struct{ Length dsl.Param[int] }

// Repeat returns its text 10,000 times.
var Repeat = dsl.Func("repeat", func(_ context.Context, in Text, out *Text) error {
	out.Text.Set(strings.Repeat(in.Text.Get(), 10_000))
	return nil
})

// Length counts the bytes of a string.
var Length = dsl.Func("length", func(_ context.Context, in Text, out *Int) error {
	out.N.Set(len(in.Text.Get()))
	return nil
})

type PartsOut struct {
	Text  dsl.Param[string] `kfp:",optional"`
	Other dsl.Param[string] `kfp:",optional"`
}

// half sets one of its outputs.
var half = dsl.Func("half", func(_ context.Context, in Text, out *PartsOut) error {
	out.Text.Set(in.Text.Get())
	return nil
})

type AbsentOut struct{ Text, Other dsl.Param[string] }

// Absent has an output that its step doesn't set, and a step that reads it.
var Absent = dsl.Pipeline("absent", func(s *dsl.Scope, _ dsl.None) AbsentOut {
	out := half.Call(s, Text{dsl.Const("null")}).Out
	return AbsentOut{Maybe.Call(s, MaybeIn{out.Text}).Out.Text, Maybe.Call(s, MaybeIn{out.Other}).Out.Text}
})

type ShowIn struct{ Value dsl.Param[map[string]any] }

// Show prints a value as Go does, with sorted keys.
var Show = dsl.Func("show", func(_ context.Context, in ShowIn, out *Text) error {
	out.Text.Set(fmt.Sprint(in.Value.Get()))
	return nil
})

type part struct {
	Name dsl.Param[string]   `json:"name"`
	N    dsl.Param[int]      `json:"n"`
	List dsl.Param[[]string] `json:"list"`
}

type ComposedOut struct {
	Text dsl.Param[string]
	List dsl.Param[[]int]
}

// Composed passes lists and structs with references in them.
var Composed = dsl.Pipeline("composed", func(s *dsl.Scope, _ dsl.None) ComposedOut {
	n := Add1.Call(s, Int{dsl.Const(1)}).Out.N
	text := Echo.Call(s, Text{dsl.Const("it's \"{{x}}\" $(A)")}).Out.Text
	value := dsl.Values(map[string]any{"n": n, "part": part{text, n, dsl.Items(text, dsl.Const("}}"))}, "text": dsl.Sprintf("<%v>", n), "null": nil})
	list := numbersOf.Call(s, SumIn{dsl.Items(n, dsl.Const(-1), n)}).Out
	return ComposedOut{Show.Call(s, ShowIn{value}).Out.Text, list.Ns}
})

var numbersOf = dsl.Func("numbers-of", func(_ context.Context, in SumIn, out *SumIn) error {
	out.Ns.Set(in.Ns.Get())
	return nil
})

type Deep struct {
	Inner Inner   `json:"inner"`
	Rate  float64 `json:"rate"`
}

type Inner struct {
	List []int          `json:"list"`
	Flag bool           `json:"flag"`
	Map  map[string]int `json:"map"`
}

type DeepIn struct{ Deep dsl.Param[Deep] }

var deep = dsl.Func("deep", func(_ context.Context, _ dsl.None, out *DeepIn) error {
	var d Deep
	d.Inner.List, d.Inner.Flag, d.Inner.Map, d.Rate = []int{3, 4}, true, map[string]int{"a}}": 5}, 1e-7
	out.Deep.Set(d)
	return nil
})

type FieldsOut struct {
	Sum  dsl.Param[int]
	Text dsl.Param[string]
}

// Fields takes a struct in a struct apart.
var Fields = dsl.Pipeline("fields", func(s *dsl.Scope, _ dsl.None) FieldsOut {
	d := deep.Call(s, dsl.None{}).Out.Deep
	inner := dsl.Field(d, func(d *Deep) *Inner { return &d.Inner })
	list := dsl.Field(inner, func(i *Inner) *[]int { return &i.List })
	flag := dsl.Field(inner, func(i *Inner) *bool { return &i.Flag })
	of := dsl.Field(inner, func(i *Inner) *map[string]int { return &i.Map })
	rate := dsl.Field(d, func(d *Deep) *float64 { return &d.Rate })
	return FieldsOut{Sum.Call(s, SumIn{list}).Out.N, Echo.Call(s, Text{dsl.Sprintf("%v %v %v", flag, of, rate)}).Out.Text}
})

type FiredIn struct{ At dsl.Param[time.Time] }

var at = dsl.Func("at", func(_ context.Context, in FiredIn, out *Text) error {
	out.Text.Set(in.At.Get().UTC().Format(time.RFC3339))
	return nil
})

// Fired returns the time that it is given, out of a branch and a string too.
var Fired = dsl.Pipeline("fired", func(s *dsl.Scope, in FiredIn) Text {
	first := at.Call(s, in).Out.Text
	dsl.If(s, dsl.Ne(first, ""), func(s *dsl.Scope) { at.Call(s, in) })
	return Text{Echo.Call(s, Text{dsl.Sprintf("%v of %v", first, in.At)}).Out.Text}
})

// Often starts it.
var Often = dsl.NewSchedule("often", Fired, dsl.When{Every: 40 * time.Second, MaxConcurrency: 10}, FiredIn{At: dsl.FireTime()})

type NotedIn struct {
	Word dsl.Param[string]
	At   dsl.Param[time.Time]
	Day  dsl.Param[string]
}

var note = dsl.Func("note", func(_ context.Context, in NotedIn, out *Text) error {
	out.Text.Set(fmt.Sprintf("%s at %s on %s", in.Word.Get(), in.At.Get().Format(time.RFC3339), in.Day.Get()))
	return nil
})

// Noted returns what it is given, the time in its zone.
var Noted = dsl.Pipeline("noted", func(s *dsl.Scope, in NotedIn) Text { return note.Call(s, in).Out })

// Nights starts it, in a zone whose day isn't that of UTC.
var Nights = dsl.NewSchedule("nights", Noted, dsl.When{Cron: "30 0 * * *", Zone: "Pacific/Kiritimati"},
	NotedIn{Word: dsl.Const("it's {{x}}"), At: dsl.FireTime(), Day: dsl.FireDate()})
