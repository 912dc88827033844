package k8s

import (
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// TestStart measures how long a Go step takes inside its pod, from the start of its
// process to the first instruction of its function. It prints the
// time and has no limit: on a machine that does other work a limit would fail by chance.
func TestStart(t *testing.T) {
	ready(t)
	got := await(t, pipeline{name: "Starts"}.submit(t), nil).outcome(t)
	list, _ := got.outputs["millis"].([]any)
	var millis []float64
	for _, v := range list {
		switch v := v.(type) {
		case int64:
			millis = append(millis, float64(v))
		case float64:
			millis = append(millis, v)
		}
	}
	if len(millis) != 5 {
		t.Fatalf("%s: %v %s", got.state, got.outputs, got.log)
	}
	slices.Sort(millis)
	fmt.Printf("start of a Go step in its pod: %.1f ms, of 5 from %.1f to %.1f\n", millis[2], millis[0], millis[4])
}

// TestImage builds the image of examples/calc twice and pushes it.
func TestImage(t *testing.T) {
	ready(t)
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer s.Close()
	at := strings.TrimPrefix(s.URL, "http://") + "/calc"
	push := func(tag string) (ref string, took time.Duration) {
		began := time.Now()
		ref = strings.TrimSpace(command(t, "", kfpgo, "build", "../../examples/calc", "--push", at+":"+tag))
		return ref, time.Since(began)
	}
	first, _ := push("1")
	second, took := push("2")
	digest := func(ref string) string { return ref[strings.LastIndexByte(ref, '@')+1:] }
	if digest(first) != digest(second) {
		t.Errorf("two builds have the digests %s and %s", digest(first), digest(second))
	}
	ref, err := name.ParseReference(second)
	if err != nil {
		t.Fatal(err)
	}
	image, err := remote.Image(ref)
	if err != nil {
		t.Fatal(err)
	}
	m, err := image.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	size := m.Config.Size
	for _, l := range m.Layers {
		size += l.Size
	}
	fmt.Printf("image of examples/calc: %.2f MB compressed, built and pushed in %.2f s, %s twice\n", float64(size)/1e6, took.Seconds(), digest(second)[:19])
	if size > 15e6 {
		t.Error("want less than 15 MB")
	}
}
