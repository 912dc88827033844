package local_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

type wordIn struct{ Word dsl.Param[string] }

type wordOut struct{ Word dsl.Param[string] }

// TestWorkspaceAndRun: tasks share the workspace, and are told what the run knows
// of itself.
func TestWorkspaceAndRun(t *testing.T) {
	var got []string
	put := dsl.Func("put", func(_ context.Context, in wordIn, _ *dsl.None) error {
		return os.WriteFile(filepath.Join(in.Word.Get(), "note"), []byte("from put"), 0o644)
	})
	take := dsl.Func("take", func(_ context.Context, in wordIn, out *wordOut) error {
		b, err := os.ReadFile(in.Word.Get())
		out.Word.Set(string(b))
		return err
	})
	tell := dsl.Func("tell", func(_ context.Context, in wordIn, _ *dsl.None) error {
		got = strings.Fields(in.Word.Get())
		return nil
	})
	p := dsl.Pipeline("shared", func(s *dsl.Scope, _ dsl.None) wordOut {
		first := put.Call(s, wordIn{dsl.WorkspacePath()})
		tell.Call(s, wordIn{dsl.Sprintf("%s %s %s %s %s", dsl.RunID(), dsl.RunName(), dsl.TaskName(), dsl.ArtifactRoot(), dsl.RunCreated())})
		return take.Call(s, wordIn{dsl.Sprintf("%s/note", dsl.WorkspacePath())}, dsl.After(first)).Out
	}, dsl.Config{Workspace: dsl.Workspace{Size: "1Gi"}, Deadline: time.Hour})
	r, err := local.Run(t.Context(), p, dsl.None{}, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if word := r.Out.Word.Get(); word != "from put" {
		t.Errorf("the workspace held %q", word)
	}
	id := filepath.Base(r.Dir)
	if len(got) != 5 || !slices.Equal(got[:4], []string{id, id, "tell", "file://" + filepath.Join(r.Dir, "artifacts")}) {
		t.Errorf("told %q", got)
	} else if _, err := time.Parse(time.RFC3339, got[4]); err != nil {
		t.Error(err)
	}
}

// TestDeadline stops a run that takes too long.
func TestDeadline(t *testing.T) {
	slow := dsl.Func("slow", func(ctx context.Context, _ dsl.None, _ *dsl.None) error {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Minute):
			return nil
		}
	})
	p := dsl.Pipeline("late", func(s *dsl.Scope, _ dsl.None) dsl.None {
		slow.Call(s, dsl.None{})
		return dsl.None{}
	}, dsl.Config{Deadline: time.Second})
	_, err := local.Run(t.Context(), p, dsl.None{}, local.Options{Home: t.TempDir()})
	if err == nil || !strings.Contains(err.Error(), "deadline of 1s") {
		t.Errorf("got %v", err)
	}
}

// TestStatusOf: a task is told that the one before it failed.
func TestStatusOf(t *testing.T) {
	type statusIn struct{ Status dsl.Param[dsl.FinalStatus] }
	fail := dsl.Func("fail", func(context.Context, dsl.None, *dsl.None) error { return errors.New("it broke") })
	got := ""
	tell := dsl.Func("tell-status", func(_ context.Context, in statusIn, _ *dsl.None) error {
		got = in.Status.Get().State + " " + in.Status.Get().PipelineTask
		return nil
	})
	p := dsl.Pipeline("told", func(s *dsl.Scope, _ dsl.None) dsl.None {
		tell.Call(s, statusIn{dsl.StatusOf(fail.Call(s, dsl.None{}))}, dsl.IgnoreUpstreamFailure())
		return dsl.None{}
	})
	if _, err := local.Run(t.Context(), p, dsl.None{}, local.Options{Home: t.TempDir()}); err == nil {
		t.Error("the run succeeded")
	}
	if got != "FAILED fail" {
		t.Errorf("told %q", got)
	}
}

// TestCollect: a value in a condition is collected from the iterations that made
// it, a list for each level of loops, and lists of artifacts become one.
func TestCollect(t *testing.T) {
	type nIn struct{ N dsl.Param[int] }
	type nOut struct {
		N    dsl.Param[int]
		File dsl.Any
	}
	double := dsl.Func("double-it", func(_ context.Context, in nIn, out *nOut) error {
		out.N.Set(2 * in.N.Get())
		return os.WriteFile(out.File.Path(), fmt.Append(nil, in.N.Get()), 0o644)
	})
	type allIn struct {
		Some  dsl.Param[[]int]
		Grid  dsl.Param[[][]int]
		Files dsl.List[dsl.Any]
	}
	show := dsl.Func("show-all", func(_ context.Context, in allIn, out *wordOut) error {
		text := fmt.Sprint(in.Some.Get(), in.Grid.Get())
		for _, f := range in.Files.All() {
			b, err := os.ReadFile(f.Path())
			if err != nil {
				return err
			}
			text += " " + string(b)
		}
		out.Word.Set(text)
		return nil
	})
	type row struct {
		Ns    dsl.Param[[]int]
		Files dsl.List[dsl.Any]
	}
	p := dsl.Pipeline("grid", func(s *dsl.Scope, _ dsl.None) wordOut {
		some := dsl.ParallelFor(s, dsl.Const([]int{1, 2, 3}), func(s *dsl.Scope, n dsl.Param[int]) (out dsl.Param[int]) {
			dsl.If(s, dsl.Ne(n, 2), func(s *dsl.Scope) { out = double.Call(s, nIn{n}).Out.N })
			return out
		}).Each
		rows := dsl.ParallelFor(s, dsl.Const([][]int{{1, 2}, {3}}), func(s *dsl.Scope, ns dsl.Param[[]int]) row {
			each := dsl.ParallelFor(s, ns, func(s *dsl.Scope, n dsl.Param[int]) nOut { return double.Call(s, nIn{n}).Out }).Each
			return row{dsl.Collected(each.N), dsl.CollectedArtifacts(each.File)}
		}).Each
		return show.Call(s, allIn{dsl.Collected(some), dsl.Collected(rows.Ns), dsl.CollectedLists(rows.Files)}).Out
	})
	r, err := local.Run(t.Context(), p, dsl.None{}, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Out.Word.Get(); got != "[2 6] [[2 4] [6]] 1 2 3" {
		t.Errorf("got %q", got)
	}
}

// TestImportMetadata: references in the metadata of an import have their values.
func TestImportMetadata(t *testing.T) {
	type fileIn struct{ File dsl.Any }
	read := dsl.Func("read-metadata", func(_ context.Context, in fileIn, out *wordOut) error {
		out.Word.Set(fmt.Sprint(in.File.Metadata("word"), in.File.Metadata("list"), in.File.Metadata("n")))
		return nil
	})
	p := dsl.Pipeline("imported", func(s *dsl.Scope, in wordIn) wordOut {
		return read.Call(s, fileIn{dsl.Import[dsl.Any](s, "file:///etc/hostname", dsl.ImportConfig{Metadata: map[string]any{
			"word": in.Word, "list": []any{"a", dsl.Sprintf("<%s>", in.Word)}, "n": 7,
		}})}).Out
	})
	r, err := local.Run(t.Context(), p, wordIn{dsl.Const("hi")}, local.Options{Home: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Out.Word.Get(); got != "hi[a <hi>] 7" {
		t.Errorf("got %q", got)
	}
}
