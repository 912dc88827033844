package kfp_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

type exactIn struct {
	Text  dsl.Param[string]
	N     dsl.Param[int]
	Note  dsl.Param[string]   `kfp:",optional"`
	Texts dsl.Param[[]string] `kfp:",optional"`
}

type exactText struct{ Text dsl.Param[string] }

type exactStruct struct {
	N     dsl.Param[int]      `json:"n"`
	Text  dsl.Param[string]   `json:"text"`
	Texts dsl.Param[[]string] `json:"texts"`
}

type exactBare struct {
	List   dsl.Param[[]any]
	Struct dsl.Param[exactStruct]
}

var (
	exactGo = dsl.Func("go", func(_ context.Context, in exactIn, out *exactText) error {
		out.Text.Set(in.Text.Get())
		return nil
	})
	exactPython = dsl.Python[exactIn, dsl.None]("python", dsl.PythonSource{Image: "python:3.12", Function: "f", Source: "def f(text, n, note, texts): pass"})
	exactSDK    = dsl.Python[exactIn, dsl.None]("sdk", dsl.PythonSource{Image: "python:3.12", Function: "f", Source: "def f(text: str, n: int, note: str = None, texts: list = None): pass", SDK: dsl.PythonSDK{InImage: true}})
	exactTool   = dsl.Container("tool", func(in exactIn, _ dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"echo", "text=" + in.Text.String()},
			Args: dsl.Args(in.Text, in.N, in.Texts, dsl.Concat("<", in.Text, ">"), dsl.IfPresent(in.Note, "--note", in.Note).Else("--none"))}
	})
	exactAll = dsl.Container("all", func(exactText, dsl.None) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"echo", dsl.ExecutorInput}}
	})
	exactList  = dsl.Func("list", func(context.Context, exactBare, *dsl.None) error { return nil })
	exactInner = dsl.Pipeline("inner", func(s *dsl.Scope, in exactText) dsl.None {
		exactAll.Call(s, in)
		return dsl.None{}
	})
	exactPipeline = dsl.Pipeline("exact", func(s *dsl.Scope, in exactIn) dsl.None {
		text := exactGo.Call(s, exactIn{Text: dsl.Sprintf("%v of %v", in.N, in.Text), N: in.N, Texts: dsl.Items(in.Text, dsl.Sprintf("<%v>", in.N))}, dsl.Env("A", dsl.Sprintf("a %v", in.N))).Out.Text
		exactPython.Call(s, exactIn{Text: dsl.Sprintf("%v and %v", text, in.Text), N: in.N})
		exactList.Call(s, exactBare{List: dsl.Values([]any{in.N, "}", in.Texts, in.Note}), Struct: dsl.Values(exactStruct{in.N, dsl.Sprintf("%v \"", in.N), in.Texts})})
		exactTool.Call(s, exactIn{Text: in.Text, N: in.N, Note: in.Note}) // the usual form, with a Concat that is known
		exactTool.Call(s, exactIn{Text: dsl.Sprintf("a \"%v\" %v", text, in.N), N: in.N, Note: dsl.Sprintf("n%v", in.N), Texts: dsl.Items(dsl.Sprintf("<%v>", text))})
		exactTool.Call(s, exactIn{Text: dsl.Sprintf("%v|%v", dsl.RunName(), in.N), N: in.N})
		exactTool.Call(s, exactIn{Text: dsl.Sprintf("%v", text), N: in.N, Note: in.Note})
		return dsl.None{}
	})
)

// TestExact keeps IR in which no text is left to chance, and reads it: it is the
// same program.
func TestExact(t *testing.T) {
	got, err := try(t, exactPipeline, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "exact.yaml"), withoutRuntime(got))
	p, err := kfpread.Read("exact.yaml", got)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := kfp.Write(p, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true}); err != nil || string(again) != string(got) {
		t.Errorf("written again: %v\n%s", err, again)
	}
	task := p.Component(p.Main).DAG.Task("go")
	for name, want := range map[string]string{"text": `"{input n} of {input text}"`, "texts": `<{input n}>`} {
		if v := task.Args[name]; !strings.Contains(v.String(), want) {
			t.Errorf("%s is read as %s", name, v)
		}
	}
}

// withoutRuntime leaves out the runtime of Python steps, which has tests of its own.
func withoutRuntime(b []byte) []byte {
	var out []string
	for line := range strings.Lines(string(b)) {
		if len(line) < 2000 {
			out = append(out, line)
		}
	}
	return []byte(strings.Join(out, ""))
}

// TestExactRefuses: what a server would make something else of is an error.
func TestExactRefuses(t *testing.T) {
	two, old, young := func(in exactIn) dsl.Param[string] { return dsl.Sprintf("%v %v", in.N, in.Text) }, 13, 14
	for _, c := range []struct {
		name string
		call func(s *dsl.Scope, in exactIn)
		o    kfp.Options
		want string
	}{
		{"pipeline", func(s *dsl.Scope, in exactIn) { exactInner.Call(s, exactText{two(in)}) }, kfp.Options{Exact: true}, "input text: KFP puts no values into a string that a pipeline is called with"},
		{"pipeline as by the SDK", func(s *dsl.Scope, in exactIn) { exactInner.Call(s, exactText{two(in)}) }, kfp.Options{}, ""},
		{"sdk before", func(s *dsl.Scope, in exactIn) { exactSDK.Call(s, exactIn{Text: two(in), N: in.N}) }, kfp.Options{Exact: true, Server: &old}, "KFP before 2.14 leaves some of them out by chance"},
		{"sdk after", func(s *dsl.Scope, in exactIn) { exactSDK.Call(s, exactIn{Text: two(in), N: in.N}) }, kfp.Options{Exact: true, Server: &young}, ""},
		{"all before", func(s *dsl.Scope, in exactIn) { exactAll.Call(s, exactText{two(in)}) }, kfp.Options{Exact: true, Server: &old}, "KFP before 2.14"},
		{"one value", func(s *dsl.Scope, in exactIn) { exactAll.Call(s, exactText{in.Text}) }, kfp.Options{Exact: true, Server: &old}, ""},
	} {
		p := dsl.Pipeline("p", func(s *dsl.Scope, in exactIn) dsl.None {
			c.call(s, in)
			return dsl.None{}
		})
		c.o.Image = "prog"
		_, err := try(t, p, c.o)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestExactPairs: where no text has references in it, the IR is that of KFP's SDK.
func TestExactPairs(t *testing.T) {
	other := 0
	refused := map[string]string{ // what no server gets right
		"texts-deep":    "KFP puts no values into a string that a pipeline is called with",
		"ignoring":      "would run only one of them",
		"options":       "would start it once after each of them",
		"pod-more":      "it came after 2.17",
		"elements":      "MetadataJSON in a container and would pass on the placeholder",
		"import-config": "ImportConfig.Metadata with references and would give",
		"importers":     "dsl.Import of a URI that is neither a constant nor an input",
		"placeholders":  "dsl.ArtifactRoot and would pass on the placeholder",
	}
	for _, p := range pairs.All() {
		if p.Definition == nil {
			continue
		}
		usual := write(t, p.Definition)
		got, err := try(t, p.Definition, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true})
		switch {
		case err != nil && refused[p.Name] != "" && strings.Contains(err.Error(), refused[p.Name]):
			delete(refused, p.Name)
		case err != nil:
			t.Errorf("%s: %v", p.Name, err)
		case withoutIntact(got) == string(usual):
		case p.Name == "texts-odd" && strings.Contains(string(got), "$$"): // of its variables
		case strings.Contains(string(got), contract.HandOn) && !strings.Contains(string(usual), contract.HandOn):
		case p.Name == "target-image": // a container is given its default
		case p.Name == "small-config" && strings.Contains(string(got), "accessModes"): // of its workspace
		case !strings.Contains(string(usual), "pipelinechannel--") && !strings.Contains(string(usual), "Concat") && !strings.Contains(string(usual), "IfPresent"):
			t.Errorf("%s: it is another IR, with nothing in it that is exact", p.Name)
		default:
			other++
			if read, err := kfpread.Read(p.Name, got); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			} else if again, err := kfp.Write(read, kfp.Options{Exact: true}); err != nil || body(again) != body(got) {
				t.Errorf("%s: written again: %v\n%s\nfor\n%s", p.Name, err, again, got)
			}
		}
	}
	if len(refused) > 0 {
		t.Errorf("not refused: %v", refused)
	}
	if other == 0 {
		t.Error("no pair has a text with references")
	}
	t.Log(other, "pairs are other IR when it is exact")
}

// withoutIntact returns IR without the expressions that fail on a value that Kubernetes would change.
func withoutIntact(ir []byte) string {
	var out strings.Builder
	for line := range strings.Lines(string(ir)) {
		if !strings.Contains(line, contract.Intact) {
			out.WriteString(line)
		}
	}
	return out.String()
}

// body returns IR without its comments, whose defaults a file has in another order.
func body(ir []byte) string {
	_, body, _ := strings.Cut(string(ir), "\ncomponents:\n")
	return body
}

// TestBranchesRun: the last steps in the branches of a OneOf run each time where the IR
// goes to a server, which fails a run that has them from its cache.
func TestBranchesRun(t *testing.T) {
	type in struct{ N dsl.Param[int] }
	first := dsl.Func("first", func(_ context.Context, in in, out *exactText) error { return nil })
	p := dsl.Pipeline("p", func(s *dsl.Scope, in in) exactText {
		say := func(s *dsl.Scope) dsl.Param[string] {
			return exactGo.Call(s, exactIn{Text: first.Call(s, in).Out.Text, N: in.N, Texts: dsl.Const([]string{})}).Out.Text
		}
		return exactText{dsl.OneOf(s, dsl.Eq(in.N, 1), say).Else(say)}
	})
	for exact, want := range map[bool]int{false: 4, true: 2} {
		got, err := try(t, p, kfp.Options{Image: "prog", Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(got), "enableCache: true"); n != want {
			t.Errorf("exact %v: %d steps may come from the cache, want %d", exact, n, want)
		}
	}
}

// TestWholes: where the IR goes to a server, no loop selects a field of what it takes, which
// the driver does again for each iteration; the tasks in it do.
func TestWholes(t *testing.T) {
	type inner struct {
		Texts []string `json:"texts"`
		Text  string   `json:"text"`
	}
	type item struct {
		Inner inner  `json:"inner"`
		Text  string `json:"text"`
	}
	type in struct {
		Item dsl.Param[item]
		Ns   dsl.Param[[]int]
	}
	type text struct{ Text dsl.Param[string] }
	say := dsl.Func("say", func(context.Context, text, *dsl.None) error { return nil })
	p := dsl.Pipeline("wholes", func(s *dsl.Scope, in in) dsl.None {
		of := dsl.Field(in.Item, func(i *item) *inner { return &i.Inner })
		dsl.ParallelFor(s, in.Ns, func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
			say.Call(s, text{dsl.Field(in.Item, func(i *item) *string { return &i.Text })})
			dsl.ParallelFor(s, dsl.Field(of, func(i *inner) *[]string { return &i.Texts }), func(s *dsl.Scope, v dsl.Param[string]) dsl.None {
				dsl.If(s, dsl.Eq(dsl.Field(of, func(i *inner) *string { return &i.Text }), "a"), func(s *dsl.Scope) { say.Call(s, text{v}) })
				return dsl.None{}
			})
			return dsl.None{}
		})
		return dsl.None{}
	})
	for exact, want := range map[bool]bool{true: false, false: true} {
		ir, err := try(t, p, kfp.Options{Image: "app:1", Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		if exact {
			golden.Check(t, "testdata/wholes.yaml", ir)
		}
		back, err := kfpread.Read("p.yaml", ir)
		if err != nil {
			t.Fatal(err)
		}
		selects := false
		for _, task := range back.Tasks() {
			for _, v := range task.Args {
				selects = selects || task.Each != nil && len(v.Field) > 0
			}
		}
		if selects != want {
			t.Errorf("exact %v: a loop selects: %v\n%s", exact, selects, ir)
		}
	}
}
