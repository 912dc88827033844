package kfp_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

type (
	fileIn struct {
		Data dsl.Dataset `kfp:",optional"`
	}
	fileOut struct{ Data dsl.Dataset }
)

var makes = dsl.Func("makes", func(context.Context, dsl.None, *fileOut) error { return nil })

// TestGiven: an optional input that a run isn't given isn't handed to what is inside of
// pipelines, branches and loops, where the servers lose it; what needs it is refused.
func TestGiven(t *testing.T) {
	type in struct {
		A dsl.Param[string] `kfp:",optional"`
	}
	type out struct{ A dsl.Param[string] }
	step := dsl.Func("step", func(context.Context, in, *out) error { return nil })
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, p in) dsl.None {
		step.Call(s, p)
		return dsl.None{}
	})
	asks := dsl.Pipeline("asks", func(s *dsl.Scope, p in) dsl.None {
		dsl.If(s, dsl.Or(dsl.Ne(p.A, "x"), dsl.Not(dsl.Given(p.A))), func(s *dsl.Scope) { step.Call(s, p) })
		return dsl.None{}
	})
	type pair struct {
		A dsl.Param[string] `kfp:",optional"`
		B dsl.Param[string]
	}
	twice := dsl.Func("twice", func(context.Context, pair, *out) error { return nil })
	pipeline := func(build func(s *dsl.Scope, p in)) dsl.Definition {
		return dsl.Pipeline("given", func(s *dsl.Scope, p in) dsl.None {
			build(s, p)
			return dsl.None{}
		})
	}
	loop := func(s *dsl.Scope, body func(s *dsl.Scope)) {
		dsl.ParallelFor(s, dsl.Const([]int{1}), func(s *dsl.Scope, _ dsl.Param[int]) dsl.None {
			body(s)
			return dsl.None{}
		})
	}
	for name, c := range map[string]struct {
		p     dsl.Definition
		holds []string // of the IR without the input
	}{
		"direct": {pipeline(func(s *dsl.Scope, p in) { step.Call(s, p) }), nil},
		"nested": {pipeline(func(s *dsl.Scope, p in) { inner.Call(s, p) }), nil},
		"branch": {pipeline(func(s *dsl.Scope, p in) {
			dsl.If(s, dsl.Given(p.A), func(s *dsl.Scope) { step.Call(s, in{dsl.Sprintf("<%v>", p.A)}) })
		}), []string{"condition: 'false'"}},
		"else": {pipeline(func(s *dsl.Scope, p in) {
			dsl.If(s, dsl.Eq(p.A, "x"), func(s *dsl.Scope) { step.Call(s, in{}) }).Elif(dsl.Given(p.A), func(s *dsl.Scope) { step.Call(s, p) }).Else(func(s *dsl.Scope) { step.Call(s, p) })
		}), []string{"condition: 'false'"}},
		"loop": {pipeline(func(s *dsl.Scope, p in) { loop(s, func(s *dsl.Scope) { step.Call(s, p) }) }), nil},
		"loop in loop": {pipeline(func(s *dsl.Scope, p in) {
			loop(s, func(s *dsl.Scope) { loop(s, func(s *dsl.Scope) { asks.Call(s, p) }) })
		}), nil},
		"text": {pipeline(func(s *dsl.Scope, p in) {
			loop(s, func(s *dsl.Scope) { step.Call(s, in{dsl.Sprintf("<%v>", p.A)}, dsl.Env("A", p.A)) })
		}), []string{"constant: '<>'"}},
		"text beside it": {pipeline(func(s *dsl.Scope, p in) {
			twice.Call(s, pair{p.A, dsl.Sprintf("<%v>", p.A)})
		}), []string{"constant: '<>'"}},
		"here and there": {pipeline(func(s *dsl.Scope, p in) {
			made := step.Call(s, p).Out.A
			asks.Call(s, p)
			asks.Call(s, in{dsl.Const("x")})
			dsl.If(s, dsl.Eq(made, "a"), func(s *dsl.Scope) { asks.Call(s, in{made}) })
		}), []string{"comp-asks-2:", "inputs.parameter_values[''pipelinechannel--a''] != ''x''"}},
	} {
		for _, server := range []int{4, 17} {
			for what, given := range map[string]map[string]bool{"given": {"a": true}, "not given": {}, "not known": nil} {
				yaml, err := try(t, c.p, kfp.Options{Image: "app:1", Exact: true, Given: given, Server: &server})
				if err != nil {
					t.Errorf("%s, %s: %v", name, what, err)
					continue
				}
				lost := loses(t, yaml)
				if root := strings.Contains(string(yaml), "#    a: str"); root != (what != "not given") {
					t.Errorf("%s, %s: the input is there: %v", name, what, root)
				}
				if what == "not given" && len(lost) > 0 || what == "not known" && len(lost) == 0 && name != "direct" {
					t.Errorf("%s, %s: a task takes what is lost: %q\n%s", name, what, lost, yaml)
				}
				for _, text := range c.holds {
					if what == "not given" && !strings.Contains(string(yaml), text) {
						t.Errorf("%s: there is no %s in\n%s", name, text, yaml)
					}
				}
			}
		}
	}
	// A branch that is known not to run here, and runs there.
	file := dsl.Func("file", func(context.Context, fileIn, *dsl.None) error { return nil })
	opens := dsl.Pipeline("opens", func(s *dsl.Scope, p fileIn) dsl.None {
		dsl.If(s, dsl.Given(p.Data), func(s *dsl.Scope) { file.Call(s, p) })
		return dsl.None{}
	})
	both := dsl.Pipeline("both", func(s *dsl.Scope, _ dsl.None) dsl.None {
		opens.Call(s, fileIn{makes.Call(s, dsl.None{}).Out.Data})
		opens.Call(s, fileIn{})
		return dsl.None{}
	})
	for _, given := range []map[string]bool{{}, nil} {
		if yaml, err := try(t, both, kfp.Options{Image: "app:1", Exact: true, Given: given}); err != nil || strings.Count(string(yaml), "condition: 'false'") != 1 {
			t.Errorf("%v\n%s", err, yaml)
		}
	}
	type listIn struct{ List dsl.Param[[]string] }
	list := dsl.Func("list", func(context.Context, listIn, *dsl.None) error { return nil })
	texts := pipeline(func(s *dsl.Scope, p in) {
		loop(s, func(s *dsl.Scope) { list.Call(s, listIn{dsl.Items(p.A)}) })
	})
	if _, err := try(t, texts, kfp.Options{Image: "app:1", Exact: true, Given: map[string]bool{}}); err == nil || !strings.Contains(err.Error(), "input a isn't given") {
		t.Errorf("a list in a loop: %v", err)
	}

	// A file stays as it is, so a run of it is refused.
	ir, err := try(t, pipeline(func(s *dsl.Scope, p in) { inner.Call(s, p) }), kfp.Options{Image: "app:1"})
	if err != nil {
		t.Fatal(err)
	}
	read, err := kfpread.Read("p.yaml", ir)
	if err != nil {
		t.Fatal(err)
	}
	for given, want := range map[bool]string{true: "", false: "task step: input a isn't given, and KFP's servers"} {
		_, err := kfp.Write(read, kfp.Options{Exact: true, Given: map[string]bool{"a": given}})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("a file, given %v: %v", given, err)
		}
	}
}

// loses returns the tasks of IR that take an optional input of the pipeline, or one of a
// DAG that its caller doesn't give a value.
func loses(t *testing.T, ir []byte) (all []string) {
	t.Helper()
	p, err := kfpread.Read("p.yaml", ir)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(c *program.Component, has map[string]bool)
	walk = func(c *program.Component, has map[string]bool) {
		for _, task := range c.DAG.Tasks {
			gets, runs := map[string]bool{}, !task.When.Is(false)
			for name, v := range task.Args {
				if gets[name] = v.Kind != program.Input || has[v.Name]; !gets[name] && runs {
					all = append(all, c.Name+"/"+task.Name+" "+name)
				}
			}
			if task.Each != nil {
				gets[task.Each.Item] = true
			}
			if sub := p.Component(task.Component); sub.DAG != nil && runs {
				walk(sub, gets)
			}
		}
	}
	walk(p.Component(p.Main), map[string]bool{})
	return all
}

// TestTrims: a container whose command is a shell leaves the end of the line out of its
// parameters where the IR goes to a server, with the same exit code.
func TestTrims(t *testing.T) {
	type out struct {
		Text dsl.Param[string]
		Data dsl.Dataset
	}
	tool := func(command ...string) dsl.Definition {
		c := dsl.Container("tool", func(_ dsl.None, out out) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: "busybox", Command: command, Args: dsl.Args(out.Text.Path())}
		})
		return dsl.Pipeline("trims", func(s *dsl.Scope, _ dsl.None) dsl.None {
			c.Call(s, dsl.None{})
			return dsl.None{}
		})
	}
	file := filepath.Join(t.TempDir(), "it's text")
	for _, c := range []struct {
		command []string
		exact   bool
		want    string
		code    int
	}{
		{[]string{"sh", "-c", `printf 'a\n\n' >"$0"`}, true, "a\n", 0},
		{[]string{"/bin/sh", "-ec", `printf ' it'\''s $x "\n' >"$0"`}, true, ` it's $x "`, 0},
		{[]string{"sh", "-c", `printf '%s' 'ü\n.' >"$0"`}, true, `ü\n.`, 0},
		{[]string{"sh", "-c", `printf '\n' >"$0"`}, true, "", 0},
		{[]string{"sh", "-c", `echo a >"$0"; exit 7`}, true, "a\n", 7},
		{[]string{"sh", "-c", `echo a >"$0"`}, false, "a\n", 0},
		{[]string{"env", "sh", "-c", `echo a >"$0"`}, true, "a\n", 0},
	} {
		yaml, err := try(t, tool(c.command...), kfp.Options{Exact: c.exact})
		if err != nil {
			t.Fatal(err)
		}
		p, err := kfpread.Read("trims.yaml", yaml)
		if err != nil {
			t.Fatal(err)
		}
		x := p.Component("tool").Exec.Container
		var argv []string
		for _, a := range append(x.Command, x.Args...) {
			argv = append(argv, strings.ReplaceAll(a, "{{$.outputs.parameters['text'].output_file}}", file))
		}
		cmd := exec.Command(argv[0], argv[1:]...)
		err = cmd.Run()
		if got := cmd.ProcessState.ExitCode(); got != c.code {
			t.Errorf("%q: exit code %d, want %d: %v", c.command, got, c.code, err)
		}
		if got, _ := os.ReadFile(file); string(got) != c.want {
			t.Errorf("%q: %q, want %q", c.command, got, c.want)
		}
	}
}

// TestGivenDeep: pipelines that each call the next one twice are asked about in no more
// steps than there are of them.
func TestGivenDeep(t *testing.T) {
	type in struct {
		A dsl.Param[string] `kfp:",optional"`
	}
	p := dsl.Pipeline("p0", func(s *dsl.Scope, p in) dsl.None {
		dsl.Func("step", func(context.Context, in, *dsl.None) error { return nil }).Call(s, p)
		return dsl.None{}
	})
	for i := range 60 {
		inner := p
		p = dsl.Pipeline(fmt.Sprint("p", i+1), func(s *dsl.Scope, p in) dsl.None {
			inner.Call(s, p)
			inner.Call(s, p)
			return dsl.None{}
		})
	}
	if _, err := try(t, p, kfp.Options{Image: "app:1", Exact: true, Given: map[string]bool{"a": true}}); err != nil {
		t.Error(err)
	}
	if ir, err := try(t, p, kfp.Options{Image: "app:1", Exact: true, Given: map[string]bool{}}); err != nil || len(ir) > 200_000 {
		t.Errorf("%d bytes, %v", len(ir), err)
	}
}
