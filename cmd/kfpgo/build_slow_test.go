//go:build slow

package main

import (
	"bytes"
	"io"
	"log"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
)

// TestCalcImage prints how large the image of examples/calc is and how long it takes
// to build and push it once more; it must stay small and be the same each time.
func TestCalcImage(t *testing.T) {
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer s.Close()
	ref := strings.TrimPrefix(s.URL, "http://") + "/calc:1"
	build := func() (name, said string, took time.Duration) {
		var out, errs bytes.Buffer
		cmd := newRoot()
		cmd.SetArgs([]string{"build", "./examples/calc", "--push", ref})
		cmd.SetOut(&out)
		cmd.SetErr(&errs)
		start := time.Now()
		if err := cmd.ExecuteContext(t.Context()); err != nil {
			t.Fatal(err, &errs)
		}
		return strings.TrimSpace(out.String()), errs.String(), time.Since(start)
	}
	t.Chdir("../..")
	first, said, cold := build()
	again, _, warm := build()
	if first != again {
		t.Errorf("two builds are %s and %s", first, again)
	}
	m := regexp.MustCompile(`([0-9.]+) MB`).FindStringSubmatch(said)
	if m == nil {
		t.Fatalf("no size in %q", said)
	}
	size, err := strconv.ParseFloat(m[1], 64)
	if err != nil || size >= 15 {
		t.Errorf("%.1f MB compressed, and 15 are allowed; %v", size, err)
	}
	t.Logf("image of examples/calc: %.1f MB compressed; built and pushed in %.2f s, again in %.2f s; both are %s", size, cold.Seconds(), warm.Seconds(), first)
}
