package argo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

// notGiven is what stands for an optional input that isn't given.
const notGiven = "(kfpgo: not given)"

type level string

type pair struct {
	A int    `json:"a"`
	B string `json:"b,omitempty"`
}

type everyIn struct {
	Text     dsl.Param[string]
	Level    dsl.Param[level]
	At       dsl.Param[time.Time]
	N        dsl.Param[int]
	F        dsl.Param[float64]
	B        dsl.Param[bool]
	L        dsl.Param[[]string]
	M        dsl.Param[map[string]int]
	P        dsl.Param[pair]
	Data     dsl.Dataset
	TextDef  dsl.Param[string]    `default:"x"`
	LevelDef dsl.Param[level]     `default:"low"`
	AtDef    dsl.Param[time.Time] `default:"2026-01-02T03:04:05Z"`
	NDef     dsl.Param[int]       `default:"1"`
	FDef     dsl.Param[float64]   `default:"1.5"`
	BDef     dsl.Param[bool]      `default:"true"`
	LDef     dsl.Param[[]string]
	MDef     dsl.Param[map[string]int]
	PDef     dsl.Param[pair]
	TextOpt  dsl.Param[string]         `kfp:",optional"`
	LevelOpt dsl.Param[level]          `kfp:",optional"`
	AtOpt    dsl.Param[time.Time]      `kfp:",optional"`
	NOpt     dsl.Param[int]            `kfp:",optional"`
	FOpt     dsl.Param[float64]        `kfp:",optional"`
	BOpt     dsl.Param[bool]           `kfp:",optional"`
	LOpt     dsl.Param[[]string]       `kfp:",optional"`
	MOpt     dsl.Param[map[string]int] `kfp:",optional"`
	POpt     dsl.Param[pair]           `kfp:",optional"`
	DataOpt  dsl.Dataset               `kfp:",optional"`
}

var takeEvery = dsl.Func("take-every", func(context.Context, everyIn, *dsl.None) error { return nil })

// every has an input of each type: required, with a default and optional.
var every = dsl.Pipeline("every", func(s *dsl.Scope, in everyIn) dsl.None {
	takeEvery.Call(s, in)
	return dsl.None{}
}).Defaults(everyIn{LDef: dsl.Const([]string{}), MDef: dsl.Const(map[string]int{}), PDef: dsl.Const(pair{A: 1})})

// forms are the ends of the names of inputs: required, with a default, optional.
var forms = []string{"", "_def", "_opt"}

// take runs every with some arguments beside those that must be. It returns what
// the step is given, as JSON, and all errors.
func take(t *testing.T, w *wfv1.Workflow, more map[string]string) (got map[string]string, wrong string) {
	t.Helper()
	args := map[string]string{"text": "", "level": "low", "at": "2026-01-02T03:04:05Z", "n": "1", "f": "1", "b": "true", "l": "[]", "m": "{}", "p": "{}", "data": "s3://b/k"}
	maps.Copy(args, more)
	s := newSim(t, w, args)
	s.wrong = func(err error) { wrong += err.Error() + "\n" }
	got = map[string]string{}
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		for _, base := range []string{"text", "level", "at", "n", "f", "b", "l", "m", "p", "data"} {
			for _, form := range forms {
				v := in(x, base+form)
				if base == "data" {
					v = at(x, "inputs", "artifacts", base+form, "artifacts", "0", "uri")
				}
				got[base+form] = carrier(v)
			}
		}
		return nil, nil
	}
	if n := s.run(); n.phase != "Succeeded" && wrong == "" {
		t.Errorf("%v: %s", more, n.phase)
	}
	return got, wrong
}

// typed are texts for inputs that are JSON: what arrives, or "" for an error that
// names the input.
var typed = map[string]map[string]string{
	"n": {
		"0": "0", "-7": "-7", " 5\n": "5", "9007199254740993": "9007199254740993",
		"null": "", "": "", "1e3": "", "1.0": "", "9223372036854775808": "", "1_000": "", "0x1": "", "true": "", `"1"`: "", "hi": "", "1, \"x\": 2": "", "1 2": "", "{{x}}": "", "$": "", "٣": "", "[1]": "", "{}": "",
	},
	"f": {
		"0": "0", "1e3": "1e3", "-0.5": "-0.5", " 2.5 ": "2.5", "1E-7": "1E-7",
		"null": "", "": "", "NaN": "", "Infinity": "", ".5": "", "1.": "", "0x1": "", "true": "", `"1"`: "", "hi": "", "1, \"x\": 2": "", "{{x}}": "", "[1]": "", "{}": "",
	},
	"b": {"true": "true", "false": "false", " true ": "true", "null": "", "": "", "True": "", "1": "", `"true"`: "", "hi": "", "{{x}}": "", "{}": ""},
	"l": {
		"[]": "[]", `["a", "b{{x}}$(A)é\n"]`: carrier([]string{"a", "b{{x}}$(A)é\n"}), "\n[\n]\n": "[]",
		"null": "", "": "", "{}": "", "hi": "", "a,b": "", `"[]"`: "", "1": "", "true": "", "['a']": "", "[1], 2": "", "{{x}}": "",
	},
	"m": {
		"{}": "{}", `{"{{x}}": 3, "it's": 9007199254740993}`: carrier(map[string]int{"{{x}}": 3, "it's": 9007199254740993}),
		"null": "", "": "", "[]": "", "hi": "", `"{}"`: "", "1": "", "{a: 1}": "", "{{x}}": "",
	},
	"p": {`{"a": 1, "b": "\u007b{"}`: `{"a":1,"b":"{\u007b"}`, "null": "", "": "", "[1]": "", "hi": "", "{": ""},
}

// TestBoundary sends every type of input as argo submit -p does. A string is as it
// is typed, whatever else it looks like; all else is JSON of its type, or an error
// that names the input. It is the same with and without a default, and optional.
func TestBoundary(t *testing.T) {
	w := workflow(t, every, options)
	for _, text := range slices.Concat(awkward, []string{"hi", `"hi"`, "{}", "1e3", "a\nb", "0", "undefined", "<nil>", "None", "not given", "{{=1+1}}"}) {
		args := map[string]string{}
		for _, form := range forms {
			args["text"+form], args["level"+form], args["at"+form] = text, text, text
			if text != "" && form != "_def" {
				args["data"+form] = text
			}
		}
		got, wrong := take(t, w, args)
		for name := range args {
			if got[name] != carrier(text) || wrong != "" {
				t.Errorf("%s=%q: the step gets %s, %v", name, text, got[name], wrong)
			}
		}
	}
	for n, done := 0, false; !done; n++ { // the n-th text of each type in one run
		args, bad := map[string]string{}, false
		for base, texts := range typed {
			if all := slices.SortedFunc(maps.Keys(texts), func(a, b string) int {
				if x, y := texts[a] == "", texts[b] == ""; x != y && x {
					return 1
				} else if x != y {
					return -1 // what is right comes first
				}
				return strings.Compare(a, b)
			}); n < len(all) {
				for _, form := range forms {
					args[base+form] = all[n]
				}
				bad = bad || texts[all[n]] == ""
			}
		}
		got, wrong := take(t, w, args)
		for name, text := range args {
			base, _, _ := strings.Cut(name, "_")
			want := typed[base][text]
			if want == "" && !strings.Contains(wrong, "'"+name+"'") || want != "" && (strings.Contains(wrong, "'"+name+"'") || !bad && got[name] != want) {
				t.Errorf("%s=%q: the step gets %s; want %s; errors: %s", name, text, got[name], want, wrong)
			}
		}
		done = len(args) == 0
	}
	got, wrong := take(t, w, map[string]string{"text": notGiven}) // the mark is that of optional inputs alone
	if got["text"] != `"`+notGiven+`"` || wrong != "" {
		t.Errorf("a required text is %s, %v", got["text"], wrong)
	}
	for name, want := range map[string]string{
		"text_def": `"x"`, "level_def": `"low"`, "at_def": `"2026-01-02T03:04:05Z"`, "n_def": "1", "f_def": "1.5", "b_def": "true", "l_def": "[]", "m_def": "{}", "p_def": `{"a":1}`,
		"text_opt": "null", "level_opt": "null", "at_opt": "null", "n_opt": "null", "f_opt": "null", "b_opt": "null", "l_opt": "null", "m_opt": "null", "p_opt": "null", "data_opt": "null",
	} {
		if got[name] != want {
			t.Errorf("without %s: the step gets %s; want %s", name, got[name], want)
		}
	}
}

// TestArgumentsBack: what kfpgo sets as arguments, in a Workflow, a template's
// submission or a schedule, is the text that people type, and comes back as the
// same values.
func TestArgumentsBack(t *testing.T) {
	given := map[string]json.RawMessage{}
	set := func(name string, v any) { given[name], _ = json.Marshal(v) }
	for i, text := range []string{"null", `"hi"`, "{}", "", "[1]", "true", "1e3", "it's\n{", "é漢😀"} {
		for _, base := range []string{"text", "level", "data"} {
			set(base, text)
			set(base+"_opt", text+"x"[:i%2])
		}
		set("text_def", text)
		set("at", "2026-01-02T03:04:05Z")
		for _, suffix := range forms {
			set("n"+suffix, i)
			set("f"+suffix, 0.5)
			set("b"+suffix, true)
			set("l"+suffix, []string{text})
			set("m"+suffix, map[string]int{"a": i})
			set("p"+suffix, pair{A: i})
		}
		delete(given, []string{"text_opt", "n_opt", "data_opt", "l_opt", "b_opt", "m_opt", "p_opt", "f_opt", "level_opt"}[i])
		for _, fire := range [][]string{nil, {"at_opt"}} {
			w := workflow(t, every, options)
			if err := argo.SetArguments(&w.Spec.Arguments, given, fire); err != nil {
				t.Fatal(err)
			}
			for _, p := range w.Spec.Arguments.Parameters {
				if strings.HasPrefix(p.Name, "text") && given[p.Name] != nil {
					var want string
					json.Unmarshal(given[p.Name], &want)
					if p.Value.String() != want {
						t.Errorf("%s is sent as %q", p.Name, p.Value.String())
					}
				}
			}
			o := options
			o.Args = given
			compiled := workflow(t, every, o)
			back := argo.Arguments(w)
			if fire != nil {
				if string(back["at_opt"]) != `"{{workflow.scheduledTime}}"` {
					t.Errorf("the fire time is %s", back["at_opt"])
				}
				delete(back, "at_opt")
			} else if !reflect.DeepEqual(w.Spec.Arguments, compiled.Spec.Arguments) {
				t.Errorf("given when compiling %v, when submitting %v", compiled.Spec.Arguments, w.Spec.Arguments)
			}
			for name := range back {
				if given[name] == nil && strings.HasSuffix(name, "_def") {
					delete(back, name)
				}
			}
			if len(back) != len(given) {
				t.Errorf("%d come back of %d", len(back), len(given))
			}
			for name, v := range given {
				var got, want any
				if json.Unmarshal(back[name], &got) != nil || json.Unmarshal(v, &want) != nil || fmt.Sprintf("%#v", got) != fmt.Sprintf("%#v", want) {
					t.Errorf("%s: gave %s, back comes %s", name, v, back[name])
				}
			}
		}
	}
}
