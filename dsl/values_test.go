package dsl_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

// TestValuesMisuse: what can't go into dsl.Values and dsl.Items, or be asked of them.
func TestValuesMisuse(t *testing.T) {
	type pair struct {
		Text dsl.Param[string] `json:"text"`
		N    dsl.Param[int]    `json:"n"`
	}
	type pairIn struct{ Pair dsl.Param[pair] }
	type anyIn struct{ Any dsl.Param[map[string]any] }
	type textsIn struct{ Texts dsl.Param[[]string] }
	takePair := dsl.Container("take-pair", func(in pairIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(in.Pair)}
	})
	takeAny := dsl.Container("take-any", func(in anyIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(in.Any)}
	})
	takeTexts := dsl.Container("take-texts", func(in textsIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(in.Texts)}
	})
	for want, body := range map[string]func(s *dsl.Scope, in pair){
		"a field has no value":            func(s *dsl.Scope, in pair) { takePair.Call(s, pairIn{dsl.Values(pair{Text: in.Text})}) },
		"a constant holds only constants": func(s *dsl.Scope, in pair) { takePair.Call(s, pairIn{dsl.Const(in)}) },
		"takes %v or %s without a width":  func(s *dsl.Scope, in pair) { takeTexts.Call(s, textsIn{dsl.Items(in.Text, dsl.Sprintf("%5v", in.N))}) },
		"use dsl.Sprintf in place of fmt.Sprintf": func(s *dsl.Scope, in pair) {
			takeAny.Call(s, anyIn{dsl.Values(map[string]any{"a": in.N.String(), "b": in.N})})
		},
		"json: unsupported type: chan int": func(s *dsl.Scope, in pair) {
			takeAny.Call(s, anyIn{dsl.Values(map[string]any{"a": make(chan int), "b": in.N})})
		},
		"a string holds {{kfpgo.hole": func(s *dsl.Scope, in pair) {
			takeAny.Call(s, anyIn{dsl.Values(map[string]any{"a": "{{kfpgo.hole 0}}", "b": in.N})})
		},
		"argument 1 is a list or struct":           func(s *dsl.Scope, in pair) { show.Call(s, showIn{dsl.Sprintf("%v", dsl.Values(in))}) },
		"is not readable outside the for":          func(s *dsl.Scope, in pair) { takeTexts.Call(s, textsIn{dsl.Items(inLoop(s))}) },
		"it must be the output of a task":          func(s *dsl.Scope, in pair) { oneOfValues(s, in.Text) },
		"field text of a list or struct with refe": func(s *dsl.Scope, in pair) { show.Call(s, showIn{dsl.Fields(dsl.As[pair](dsl.Values(in))).Text}) },
		"Items: chan int can't be a parameter":     func(s *dsl.Scope, in pair) { takeTexts.Call(s, textsIn{dsl.As[[]string](dsl.Items[chan int]())}) },
		"a list or struct with references in it; put": func(s *dsl.Scope, in pair) {
			dsl.Import[dsl.Model](s, "x", dsl.ImportConfig{Metadata: map[string]any{"a": dsl.Items(in.Text)}})
		},
	} {
		p := dsl.Pipeline("p", func(s *dsl.Scope, in pair) dsl.None { body(s, in); return dsl.None{} })
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

func inLoop(s *dsl.Scope) dsl.Param[string] {
	return dsl.ParallelFor(s, dsl.Const([]string{"a"}), func(_ *dsl.Scope, item dsl.Param[string]) dsl.Param[string] { return item }).Each
}

func oneOfValues(s *dsl.Scope, text dsl.Param[string]) {
	dsl.OneOf(s, dsl.Eq(text, "a"), func(s *dsl.Scope) dsl.Param[[]string] { return dsl.Items(text) }).
		Else(func(s *dsl.Scope) dsl.Param[[]string] { return dsl.Items(text) })
}

// TestItemsKnown: of constants only, the list is one.
func TestItemsKnown(t *testing.T) {
	if got := dsl.Items(dsl.Const(1), dsl.Const(2)).Get(); len(got) != 2 || got[1] != 2 {
		t.Error(got)
	}
	if got := dsl.Fields(dsl.Values(struct{ A dsl.Param[string] }{dsl.Const("x")})).A.Get(); got != "x" {
		t.Error(got)
	}
}
