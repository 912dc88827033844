package feature

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestWays: each row that a target refuses says what somebody can do who holds the
// file: no names of Go are in it.
func TestWays(t *testing.T) {
	for i := range Table {
		r := &Table[i]
		for target, s := range r.Support {
			if s.OK {
				continue
			}
			if _, ok := ways[r.ID]; !ok {
				t.Errorf("row %s: target %s refuses it, and nothing says what to do with a file", r.ID, target)
				continue
			}
			write, why := r.said(target, true)
			for _, text := range []string{write, why} {
				for _, name := range []string{"dsl.", "k8s.", "pod.Patch", "OnLocal", "Go or", "leave Root out"} {
					if strings.Contains(text, name) {
						t.Errorf("row %s, target %s: %q names %s to somebody who holds a file", r.ID, target, text, name)
					}
				}
			}
			if !strings.Contains(why, "file") {
				t.Errorf("row %s, target %s: %q doesn't say what to do with the file", r.ID, target, why)
			}
			if write, why := r.said(target, false); write != Bare(r.Write) || why != s.Note {
				t.Errorf("row %s: %q, %q to who holds the program", r.ID, write, why)
			}
		}
	}
	for id := range ways {
		if r := RowOf(id); r == nil || r.Support[KFP].OK && r.Support[Argo].OK && r.Support[Local].OK {
			t.Errorf("way of %s: no target refuses such a row", id)
		}
	}
	for _, c := range []struct {
		file string
		ir   *program.IR
		want bool
	}{{"p.yaml", nil, true}, {"p.JSON", nil, true}, {"p.go", nil, false}, {"", nil, false}, {"", &program.IR{}, true}} {
		if got := FromFile(&program.Program{IR: c.ir}, graph.Pos{File: c.file}); got != c.want {
			t.Errorf("%q: from a file is %v", c.file, got)
		}
	}
}
