package gocode

import (
	"io"
	"strings"
	"testing"
)

// TestDownloads: what go downloads is shown, and all that it writes is kept.
func TestDownloads(t *testing.T) {
	var shown strings.Builder
	d := downloads{to: &shown}
	const said = "go: downloading gopkg.in/yaml.v3 v3.0.1\nok  \texample.com/p\t0.1s\n"
	if _, err := io.WriteString(&d, said); err != nil {
		t.Fatal(err)
	}
	if shown.String() != "go: downloading gopkg.in/yaml.v3 v3.0.1\n" || d.all.String() != said {
		t.Errorf("shown %q, kept %q", shown.String(), d.all.String())
	}
}
