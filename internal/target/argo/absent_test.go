package argo_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
)

type absentIn struct {
	Text dsl.Param[string] `kfp:",optional"`
	N    dsl.Param[int]    `kfp:",optional"`
}

type seenIn struct {
	Text dsl.Param[string] `kfp:",optional"`
	N    dsl.Param[int]    `kfp:",optional"`
	Def  dsl.Param[string] `default:"d"`
	List dsl.Param[[]any]
	Map  dsl.Param[map[string]any]
}

var seenTool = dsl.Container("seen", func(in seenIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: dsl.Args("tool", in.Text, dsl.Concat("<", in.Text, ">"), in.Def, in.List, in.Map), Args: dsl.Args(
		dsl.IfPresent(in.Text, "--text", in.Text), dsl.IfPresent(in.N, "--n", in.N).Else("--no-n"), "last")}
})

// absent has each construct in which a value may not be there.
var absent = dsl.Pipeline("absent", func(s *dsl.Scope, in absentIn) dsl.None {
	nested := dsl.Pipeline("absent-nested", func(s *dsl.Scope, in absentIn) dsl.None {
		seenTool.Call(s, seenIn{Text: in.Text, N: in.N, Def: in.Text, List: dsl.Values([]any{in.Text, in.N}), Map: dsl.Values(map[string]any{"text": in.Text, "n": in.N})},
			dsl.Env("FIRST", "1"), dsl.Env("TEXT", in.Text), dsl.Env("BOTH", dsl.Sprintf("%v|%v", in.Text, in.N)), dsl.Env("LAST", "$(FIRST)"))
		return dsl.None{}
	})
	nested.Call(s, in)
	dsl.If(s, dsl.Given(in.Text), func(s *dsl.Scope) { echo.Call(s, textIn{Text: dsl.Sprintf("given: %v", in.Text)}) })
	dsl.If(s, dsl.Eq(in.Text, ""), func(s *dsl.Scope) { echo.Call(s, textIn{Text: dsl.Const("empty")}) })
	return dsl.None{}
})

// TestAbsent: what is absent, empty and given in each construct, with the rules of
// runs on this machine: a variable and an IfPresent aren't there, a text has nothing
// in its place, also as an item of a list or struct, where other types are null, and a
// default steps in.
func TestAbsent(t *testing.T) {
	w := workflow(t, absent, options)
	for _, c := range []struct {
		name       string
		args       map[string]string
		argv       string
		text       any
		both, list string
		object     string
		echoed     string
	}{
		{"absent", nil, `["tool" "" "<>" "d" L M "--no-n" "last"]`, nil, "|", `["",null]`, `{"n":null,"text":""}`, ""},
		{"empty", map[string]string{"text": "", "n": "0"}, `["tool" "" "<>" "" L M "--text" "" "--n" "0" "last"]`, "", "|0", `["",0]`, `{"n":0,"text":""}`, "given: ,empty"},
		{"given", map[string]string{"text": "a $(FIRST) {{b}}", "n": "7"}, `["tool" "a $(FIRST) {{b}}" "<a $(FIRST) {{b}}>" "a $(FIRST) {{b}}" L M "--text" "a $(FIRST) {{b}}" "--n" "7" "last"]`,
			"a $(FIRST) {{b}}", "a $(FIRST) {{b}}|7", `["a $(FIRST) {{b}}",7]`, `{"n":7,"text":"a $(FIRST) {{b}}"}`, "given: a $(FIRST) {{b}}"},
		{"null is a text", map[string]string{"text": "null"}, `["tool" "null" "<null>" "null" L M "--text" "null" "--no-n" "last"]`, "null", "null|", `["null",null]`, `{"n":null,"text":"null"}`, "given: null"},
	} {
		s := newSim(t, w, c.args)
		var echoed []string
		s.step = func(_ string, x map[string]any) (map[string]string, error) {
			echoed = append(echoed, fmt.Sprint(in(x, "text")))
			return write(x, map[string]any{"text": "x"}), nil
		}
		s.container = func(_ string, argv []string, env map[string]string) map[string]string {
			got := func(name string) any {
				if v, ok := env[name]; ok {
					return v
				}
				return nil
			}
			if got("TEXT") != c.text || got("BOTH") != c.both || got("FIRST") != "1" || got("LAST") != "1" {
				t.Errorf("%s: variables %v", c.name, env)
			}
			for i, want := range []string{c.list, c.object} {
				var a, b any
				if json.Unmarshal([]byte(argv[4+i]), &a) != nil || json.Unmarshal([]byte(want), &b) != nil || fmt.Sprint(a) != fmt.Sprint(b) {
					t.Errorf("%s: %s, want %s", c.name, argv[4+i], want)
				}
			}
			rest := fmt.Sprintf("%q", append(append([]string{}, argv[:4]...), argv[6:]...))
			if want := strings.Replace(c.argv, " L M", "", 1); rest != want {
				t.Errorf("%s: %s, want %s", c.name, rest, want)
			}
			return nil
		}
		if n := s.run(); n.phase != "Succeeded" || strings.Join(echoed, ",") != c.echoed {
			t.Errorf("%s: %s, echoed %q, want %q", c.name, n.phase, echoed, c.echoed)
		}
	}
}
