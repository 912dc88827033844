package mistakes

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

type refusal struct {
	what string
	Mistake
}

// TestJoin: those that embed a Mistake are sorted and told once too, and found again.
func TestJoin(t *testing.T) {
	at := func(line, col int, msg string) refusal { return refusal{"x", Mistake{"f.yaml", line, col, msg}} }
	given := []refusal{at(3, 1, "c"), at(2, 9, "b"), at(2, 1, "a"), at(0, 0, "whole"), at(2, 9, "b")}
	err := Join("f.yaml", given)
	if got, want := fmt.Sprint(err), "f.yaml: whole\nf.yaml:2:1: a\nf.yaml:2:9: b\nf.yaml:3:1: c"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if given[0].Msg != "c" {
		t.Error("the caller's list was sorted")
	}
	if r, ok := errors.AsType[refusal](err); !ok || r.what != "x" {
		t.Errorf("no refusal in %v", err)
	}
	if err := Join[Mistake]("f.yaml", nil); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}

// TestMost: the 51st and all after it are told as more.
func TestMost(t *testing.T) {
	var all []Mistake
	for i := range 60 {
		all = append(all, Mistake{"f.yaml", i + 1, 1, "bad"})
	}
	lines := strings.Split(Join("f.yaml", all).Error(), "\n")
	if len(lines) != 51 || lines[49] != "f.yaml:50:1: bad" || lines[50] != "f.yaml: and more mistakes" {
		t.Errorf("%d lines, which end in %q", len(lines), lines[len(lines)-2:])
	}
	if n := len(strings.Split(Join("f.yaml", all[:50]).Error(), "\n")); n != 50 {
		t.Errorf("of 50: %d lines", n)
	}
}
