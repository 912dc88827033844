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
)

type (
	handIn struct {
		N   dsl.Param[int]
		Cfg dsl.Param[handRow]
	}
	handRow   struct{ Names []string }
	handFile  struct{ Data dsl.Dataset }
	handFiles struct {
		Data dsl.Dataset
		All  dsl.List[dsl.Dataset] `kfp:",optional"`
	}
	handText struct{ Text dsl.Param[string] }
	handList struct{ Texts dsl.Param[[]string] }
)

var (
	handMake  = dsl.Func("make", func(context.Context, handText, *handIn) error { return nil })
	handWrite = dsl.Func("write", func(context.Context, handText, *handFile) error { return nil })
	handRead  = dsl.Func("read", func(context.Context, handFiles, *handText) error { return nil })
	handSay   = dsl.Func("say", func(context.Context, handText, *handText) error { return nil })
	handJoin  = dsl.Func("hand-on-list", func(context.Context, handList, *dsl.None) error { return nil }) // whose name is taken then

	saidEach = func(s *dsl.Scope, name dsl.Param[string]) handText { return handSay.Call(s, handText{name}).Out }
	namesOf  = func(p dsl.Param[handRow]) dsl.Param[[]string] {
		return dsl.Field(p, func(r *handRow) *[]string { return &r.Names })
	}
)

// handLoops are loops over lists that KFP's servers take from steps only.
var handLoops = dsl.Pipeline("hand-on", func(s *dsl.Scope, in handIn) dsl.None {
	made := handMake.Call(s, handText{dsl.Const("x")}).Out
	each := dsl.ParallelFor(s, dsl.Items(dsl.Const("a"), dsl.Sprintf("%v", made.N), handSay.Call(s, handText{dsl.Const("b")}).Out.Text), saidEach)
	handJoin.Call(s, handList{dsl.Collected(each.Each.Text)})
	dsl.ParallelFor(s, namesOf(in.Cfg), saidEach)
	dsl.ParallelFor(s, dsl.Items(made.Cfg, in.Cfg), func(s *dsl.Scope, row dsl.Param[handRow]) dsl.None {
		dsl.ParallelFor(s, namesOf(row), func(s *dsl.Scope, name dsl.Param[string]) dsl.None {
			dsl.If(s, dsl.Eq(name, "a"), func(s *dsl.Scope) {
				dsl.ParallelFor(s, namesOf(row), saidEach)
			})
			return dsl.None{}
		})
		return dsl.None{}
	})
	return dsl.None{}
})

// TestHandOnChoice: a loop collects what one of several branches has made by way of a step.
func TestHandOnChoice(t *testing.T) {
	choose := func(s *dsl.Scope, name dsl.Param[string]) handText {
		say := func(s *dsl.Scope) dsl.Param[string] { return handSay.Call(s, handText{name}).Out.Text }
		return handText{dsl.OneOf(s, dsl.Eq(name, "a"), say).Elif(dsl.Eq(name, "b"), say).Else(say)}
	}
	p := dsl.Pipeline("p", func(s *dsl.Scope, in handIn) dsl.None {
		names := dsl.Const([]string{"a", "b", "c"})
		handJoin.Call(s, handList{dsl.Collected(dsl.ParallelFor(s, names, choose).Each.Text)})
		maybe := dsl.ParallelFor(s, names, func(s *dsl.Scope, name dsl.Param[string]) handText { // some items have none
			return handText{dsl.OneOf(s, dsl.Ne(name, "c"), func(s *dsl.Scope) dsl.Param[string] { return choose(s, name).Text }).Optional()}
		})
		handJoin.Call(s, handList{dsl.Collected(maybe.Each.Text)})
		return dsl.None{}
	})
	got, err := try(t, p, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "hand-on-choice.yaml"), got)
	returned := dsl.Pipeline("p", func(s *dsl.Scope, in handIn) handList {
		return handList{dsl.Collected(dsl.ParallelFor(s, dsl.Const([]string{"a"}), choose).Each.Text)}
	})
	if got, err := try(t, returned, kfp.Options{Image: "prog", Exact: true}); err != nil || strings.Contains(string(got), contract.HandOn) {
		t.Errorf("no task takes it: %v\n%s", err, got)
	}
	calls := dsl.Pipeline("calls", func(s *dsl.Scope, in handIn) dsl.None {
		handJoin.Call(s, returned.Call(s, in).Out)
		return dsl.None{}
	})
	if got, err := try(t, calls, kfp.Options{Image: "prog", Exact: true}); err != nil || !strings.Contains(string(got), contract.HandOn) {
		t.Errorf("a task takes it from a pipeline: %v\n%s", err, got)
	}
	usual, err := try(t, p, kfp.Options{Image: "prog", Version: "0.1.0"})
	if err != nil || strings.Contains(string(usual), contract.HandOn) {
		t.Errorf("as KFP's SDK does, it has a step that it hasn't there: %v\n%s", err, usual)
	}
}

// TestOnce: where a task takes what a loop collects that may have no items, the loop is in
// one of a single iteration, which reading takes away again.
func TestOnce(t *testing.T) {
	each := func(s *dsl.Scope, items dsl.Param[[]string]) dsl.Param[[]string] {
		return dsl.Collected(dsl.ParallelFor(s, items, saidEach).Each.Text)
	}
	type deepList struct{ Rows dsl.Param[[][]string] }
	deep := dsl.Func("deep", func(context.Context, deepList, *dsl.None) error { return nil })
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, in handList) handList { return handList{each(s, in.Texts)} })
	for _, c := range []struct {
		name string
		body func(s *dsl.Scope, in handList)
		want int
	}{
		{"taken", func(s *dsl.Scope, in handList) { handJoin.Call(s, handList{each(s, in.Texts)}) }, 1},
		{"some items", func(s *dsl.Scope, _ handList) { handJoin.Call(s, handList{each(s, dsl.Const([]string{"a"}))}) }, 0},
		{"not taken", func(s *dsl.Scope, in handList) { each(s, in.Texts) }, 0},
		{"items with references", func(s *dsl.Scope, _ handList) {
			handJoin.Call(s, handList{each(s, dsl.Items(handSay.Call(s, handText{dsl.Const("x")}).Out.Text))})
		}, 0},
		{"from a pipeline", func(s *dsl.Scope, in handList) { handJoin.Call(s, inner.Call(s, in).Out) }, 1},
		{"in a loop, taken there", func(s *dsl.Scope, in handList) {
			dsl.ParallelFor(s, dsl.Const([][]string{{"a"}}), func(s *dsl.Scope, row dsl.Param[[]string]) dsl.None {
				handJoin.Call(s, handList{each(s, row)})
				return dsl.None{}
			})
		}, 1},
		{"in a loop, taken outside", func(s *dsl.Scope, in handList) { // a step in the loop makes each list
			rows := dsl.ParallelFor(s, dsl.Const([][]string{{"a"}, {}}), func(s *dsl.Scope, row dsl.Param[[]string]) handList {
				return handList{each(s, row)}
			})
			deep.Call(s, deepList{dsl.Collected(rows.Each.Texts)})
		}, 1},
	} {
		p := dsl.Pipeline("p", func(s *dsl.Scope, in handList) dsl.None {
			c.body(s, in)
			return dsl.None{}
		})
		got, err := try(t, p, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true})
		if n := strings.Count(string(got), "itemInput: pipelinechannel--once"); err != nil || n != c.want {
			t.Errorf("%s: %d loops are in one of a single iteration, want %d: %v\n%s", c.name, n, c.want, err, got)
		}
		read, err := kfpread.Read("p.yaml", got)
		if err != nil {
			t.Fatal(err)
		}
		for _, component := range read.Components {
			if strings.Contains(component.Name, "once") {
				t.Errorf("%s: reading keeps %s", c.name, component.Name)
			}
		}
		if again, err := kfp.Write(read, kfp.Options{}); err != nil || string(again) != string(got) {
			t.Errorf("%s: written again: %v\n%s\nfor\n%s", c.name, err, again, got)
		}
		if usual, err := try(t, p, kfp.Options{Image: "prog"}); err != nil || strings.Contains(string(usual), "pipelinechannel--once") {
			t.Errorf("%s: it isn't as by KFP's SDK: %v", c.name, err)
		}
		if c.name == "in a loop, taken outside" {
			golden.Check(t, filepath.Join("testdata", "once.yaml"), got)
		}
	}
}

// TestHandOnArtifacts: a loop over artifacts is one over structs that say where they are, of
// which a step in each iteration makes an artifact again.
func TestHandOnArtifacts(t *testing.T) {
	p := dsl.Pipeline("p", func(s *dsl.Scope, in handIn) handList {
		made := dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, text dsl.Param[string]) handFile {
			return handWrite.Call(s, handText{text}).Out
		})
		all := dsl.CollectedArtifacts(made.Each.Data)
		each := dsl.ParallelForArtifacts(s, all, func(s *dsl.Scope, data dsl.Dataset) handText {
			dsl.If(s, dsl.Gt(in.N, 1), func(s *dsl.Scope) { // takes it from outside
				handRead.Call(s, handFiles{Data: data, All: all})
				dsl.ParallelForArtifacts(s, all, func(s *dsl.Scope, other dsl.Dataset) dsl.None {
					handRead.Call(s, handFiles{Data: other})
					return dsl.None{}
				}, dsl.Parallelism(2))
			})
			return handRead.Call(s, handFiles{Data: data}).Out
		})
		return handList{dsl.Collected(each.Each.Text)}
	})
	got, err := try(t, p, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "hand-on-artifacts.yaml"), got)
	read, err := kfpread.Read("hand-on-artifacts.yaml", got)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := kfp.Write(read, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true}); err != nil || string(again) != string(got) {
		t.Errorf("written again: %v\n%s", err, again)
	}
	if _, err := try(t, p, kfp.Options{Exact: true}); err == nil || !strings.Contains(err.Error(), "there is one in the program's image") {
		t.Errorf("without an image: %v", err)
	}
}

// TestHandOn: what KFP's servers take from a step only comes from one. It keeps the IR, and
// reads it.
func TestHandOn(t *testing.T) {
	got, err := try(t, handLoops, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true})
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "hand-on.yaml"), got)
	p, err := kfpread.Read("hand-on.yaml", got)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := kfp.Write(p, kfp.Options{Image: "prog", Version: "0.1.0", Exact: true}); err != nil || string(again) != string(got) {
		t.Errorf("written again: %v\n%s", err, again)
	}
	if strings.Contains(string(got), "subvar-names:\n              componentInputParameter") {
		t.Errorf("a loop reads a list in a struct:\n%s", got)
	}
	usual, err := try(t, handLoops, kfp.Options{Image: "prog", Version: "0.1.0"})
	if n := strings.Count(string(usual), "name: list-of-"); err != nil || n != 2 {
		t.Errorf("as KFP's SDK does, it has %d steps that hand a list on, want 2: %v", n, err)
	}
	if _, err := try(t, handLoops, kfp.Options{Exact: true}); err == nil || !strings.Contains(err.Error(), "task list-of-for-loop-2: KFP's servers take this value from a step only, for which there is one in the program's image: give the program's image") {
		t.Errorf("without an image: %v", err)
	}
}
