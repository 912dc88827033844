package suite

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// awkward is a string that every layer could break.
const awkward = "it's \"x\" {{workflow.name}} {{=1+1}} {{$.x}} $(HOME) $$ #no \\ \n\tü 😀 --rm y"

type Item struct {
	Name string  `json:"name"`
	N    int64   `json:"n"`
	Rate float64 `json:"rate"`
}

type All struct {
	Text  dsl.Param[string]
	Empty dsl.Param[string]
	Large dsl.Param[int64]
	Small dsl.Param[float64]
	Flag  dsl.Param[bool]
	List  dsl.Param[[]float64]
	Map   dsl.Param[map[string]int64]
	Item  dsl.Param[Item]
}

var same = dsl.Func("same", func(_ context.Context, in All, out *All) error {
	out.Text.Set(in.Text.Get())
	out.Empty.Set(in.Empty.Get())
	out.Large.Set(in.Large.Get())
	out.Small.Set(in.Small.Get())
	out.Flag.Set(in.Flag.Get())
	out.List.Set(in.List.Get())
	out.Map.Set(in.Map.Get())
	out.Item.Set(in.Item.Get())
	return nil
})

// Values passes awkward values of each type through two steps.
var Values = dsl.Pipeline("values", func(s *dsl.Scope, _ dsl.None) All {
	first := same.Call(s, All{
		Text: dsl.Const(awkward), Empty: dsl.Const(""), Large: dsl.Const(int64(9007199254740993)), Small: dsl.Const(2e-05), Flag: dsl.Const(false),
		List: dsl.Const([]float64{0.1, 5, 1e21}), Map: dsl.Const(map[string]int64{"it's": -1}), Item: dsl.Const(Item{"a b", 1 << 60, 0.5}),
	})
	return same.Call(s, first.Out).Out
})

// Inputs passes what a run is given.
var Inputs = dsl.Pipeline("inputs", func(s *dsl.Scope, in Text) Text { return Echo.Call(s, in).Out })

// OptionalsIn has an input of each type that may be left out.
type OptionalsIn struct {
	Text dsl.Param[string]         `kfp:",optional"`
	At   dsl.Param[time.Time]      `kfp:",optional"`
	N    dsl.Param[int]            `kfp:",optional"`
	Rate dsl.Param[float64]        `kfp:",optional"`
	Flag dsl.Param[bool]           `kfp:",optional"`
	List dsl.Param[[]string]       `kfp:",optional"`
	Map  dsl.Param[map[string]int] `kfp:",optional"`
	Word dsl.Param[string]         `default:"word"`
}

var tellAll = dsl.Func("tell-all", func(_ context.Context, in OptionalsIn, out *Text) error {
	var all []string
	add := func(v any, ok bool) {
		b, err := json.Marshal(v)
		if !ok || err != nil {
			b = []byte("absent")
		}
		all = append(all, string(b))
	}
	add(lookup(in.Text))
	add(lookup(in.At))
	add(lookup(in.N))
	add(lookup(in.Rate))
	add(lookup(in.Flag))
	add(lookup(in.List))
	add(lookup(in.Map))
	add(lookup(in.Word))
	out.Text.Set(strings.Join(all, " "))
	return nil
})

func lookup[T any](p dsl.Param[T]) (any, bool) { return p.Lookup() }

// Optionals reports which inputs a run was given, and what they are.
var Optionals = dsl.Pipeline("optionals", func(s *dsl.Scope, in OptionalsIn) Text { return tellAll.Call(s, in).Out })

type DefaultsIn struct {
	Text dsl.Param[string] `default:"a, b"`
	N    dsl.Param[int]    `default:"0"`
	Flag dsl.Param[string] `kfp:",optional"`
}

type DefaultsOut struct {
	Text, Given, Absent dsl.Param[string]
	N                   dsl.Param[int]
}

var defaultsInner = dsl.Pipeline("defaults-inner", func(s *dsl.Scope, in DefaultsIn) DefaultsOut {
	return DefaultsOut{
		Text: Echo.Call(s, Text{in.Text}).Out.Text, N: Add1.Call(s, Int{in.N}).Out.N,
		Given: Maybe.Call(s, MaybeIn{Text: in.Text}).Out.Text, Absent: Maybe.Call(s, MaybeIn{Text: in.Flag}).Out.Text,
	}
})

// Defaults leaves inputs out, in a pipeline within a pipeline.
var Defaults = dsl.Pipeline("defaults", func(s *dsl.Scope, in DefaultsIn) DefaultsOut {
	return defaultsInner.Call(s, in).Out
})

type FormatOut struct{ Text, Name, N dsl.Param[string] }

// Format makes strings of references, and takes a struct apart.
var Format = dsl.Pipeline("format", func(s *dsl.Scope, _ dsl.None) FormatOut {
	n := Add1.Call(s, Int{dsl.Const(41)}).Out.N
	text := Echo.Call(s, Text{dsl.Const("{\"a\": 'b'} $(X)")}).Out.Text
	item := same.Call(s, All{Text: dsl.Const(""), Empty: dsl.Const(""), Large: dsl.Const(int64(0)), Small: dsl.Const(0.0), Flag: dsl.Const(true),
		List: dsl.Const([]float64{}), Map: dsl.Const(map[string]int64{}), Item: dsl.Const(Item{"na\"me", 7, 0.25})}).Out.Item
	name := dsl.Field(item, func(i *Item) *string { return &i.Name })
	number := dsl.Field(item, func(i *Item) *int64 { return &i.N })
	return FormatOut{
		Text: Echo.Call(s, Text{dsl.Sprintf("%v: %v{{", n, text)}).Out.Text,
		Name: Echo.Call(s, Text{name}).Out.Text,
		N:    Echo.Call(s, Text{dsl.Sprintf("%v", number)}).Out.Text,
	}
})

// Braces passes what looks like a variable of Argo and isn't one.
var Braces = dsl.Pipeline("braces", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Echo.Call(s, Text{dsl.Const("{{x}} {{ item }} {{.Name}} {{f} }}")}).Out).Out
})

// expressions makes a string that has variables of Argo in it.
var expressions = dsl.Func("expressions", func(_ context.Context, _ dsl.None, out *Text) error {
	out.Text.Set("{{=1+1}} {{workflow.name}} {{ pod.name }}")
	return nil
})

// Expressions passes what a step has made of expressions and variables as Argo has them.
var Expressions = dsl.Pipeline("expressions", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, expressions.Call(s, dsl.None{}).Out).Out
})

// Env sets variables, one from a reference.
var Env = dsl.Pipeline("env", func(s *dsl.Scope, _ dsl.None) Text {
	text := Echo.Call(s, Text{dsl.Const("b $(A) c")}).Out.Text
	return Getenv.Call(s, dsl.None{}, dsl.Env("A", "it's $$ 1"), dsl.Env("B", text)).Out
})
