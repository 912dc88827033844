package paging

import (
	"context"
	"fmt"
	"strings"
	"testing"
)

func TestTrail(t *testing.T) {
	var trail Trail
	for _, token := range []string{"a", "b", ""} {
		if err := trail.Follow(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	if err := trail.Follow(t.Context(), "b"); err == nil || !strings.Contains(err.Error(), `the server names the page "b" again, after 3 others`) {
		t.Error(err)
	}
	if err := new(Trail).Follow(t.Context(), "\x1b[2J"); err != nil {
		t.Error(err)
	}
	if err := trail.Follow(t.Context(), strings.Repeat("\x1b", 1000)); err != nil {
		t.Error(err)
	}
	if err := trail.Follow(t.Context(), strings.Repeat("\x1b", 1000)); err == nil || len(err.Error()) > 500 || strings.Contains(err.Error(), "\x1b") {
		t.Error(err)
	}
}

func TestTrailEnds(t *testing.T) {
	var trail Trail
	for i := range maxPages {
		if err := trail.Follow(t.Context(), fmt.Sprint(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := trail.Follow(t.Context(), "one more"); err == nil || !strings.Contains(err.Error(), "more than 100000 pages") {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := new(Trail).Follow(ctx, "a"); err != context.Canceled {
		t.Error(err)
	}
}
