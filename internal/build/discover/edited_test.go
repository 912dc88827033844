package discover_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// logGo has the go command note what it is started for, and returns a function that
// returns that since its last call.
func logGo(t *testing.T) func() []string {
	t.Helper()
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	script := fmt.Sprintf("#!/bin/sh\necho \"$1\" >>%s\nexec %s \"$@\"\n", log, real)
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return func() []string {
		b, _ := os.ReadFile(log)
		os.Remove(log)
		return strings.Fields(string(b))
	}
}

// TestEdited: where only code has changed, go builds the program and isn't asked for
// anything else.
func TestEdited(t *testing.T) {
	m := newModule(t)
	started := logGo(t)
	m.fresh()
	src := strings.Replace(pipeline, `_ "embed"`, `"embed"`, 1)
	step := func(name string) string { return strings.Replace(src, "other.Name", `other.Name+"`+name+`"`, 1) }
	for _, c := range []struct {
		name, file, text string
		only             bool // the build
		want             string
	}{
		{"code", "sum/sum.go", step("-b"), true, "step-b"},
		{"code of another module", "other/other.go", "package other\n\nconst Name = \"stride\"\n", true, "stride-b"},
		{"an import", "sum/sum.go", strings.Replace(step("-c"), `"context"`, "\"context\"\n\t_ \"strings\"", 1), false, "stride-c"},
		{"an embedded file", "sum/sum.go", step("-d") + "\n//go:embed sum.go\nvar Text string\n", false, "stride-d"},
		{"code and a variable", "sum/sum.go", step("-e") + "\n//go:embed sum.go\nvar Text string\n\nvar Other string\n", true, "stride-e"},
		{"a build constraint", "other/other.go", "//go:build !windows\n\npackage other\n\nconst Name = \"stroll\"\n", false, "stroll-e"},
		{"code below a constraint", "other/other.go", "//go:build !windows\n\npackage other\n\nconst Name = \"string\"\n", true, "string-e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m.t = t
			m.write(c.file, c.text)
			m.settle()
			started()
			p := m.build()
			if got := started(); p.Reused || slices.Equal(got, []string{"build"}) != c.only {
				t.Errorf("reused %v, and go was started for %q", p.Reused, got)
			}
			g, err := p.Graph(t.Context())
			if err != nil || g.Components[1].Name != c.want {
				t.Errorf("got %+v, %v", g, err)
			}
			m.fresh()
		})
	}
	m.t = t
	// Without time in between, files may have the same stamps.
	for _, name := range []string{"mile", "yard", "inch"} {
		m.write("other/other.go", "//go:build !windows\n\npackage other\n\nconst Name = \""+name+"\"\n")
		if g, err := m.build().Graph(t.Context()); err != nil || g.Components[1].Name != name+"-e" {
			t.Errorf("got %+v, %v, want %s", g, err, name)
		}
	}
	started()
	m.write("other/other.go", "//go:build !windows\n\npackage other\n\nconst Name = 5 + \"\"\n")
	if p, err := m.tryBuild(); err == nil || !strings.Contains(err.Error(), "other.go:5:14:") {
		t.Errorf("got %+v, %v", p, err)
	}
	if got := started(); !slices.Equal(got, []string{"build"}) {
		t.Errorf("go was started for %q", got)
	}
	m.write("other/other.go", "//go:build !windows\n\npackage other\n\nconst Name = \"foot\"\n")
	if g, err := m.fresh().Graph(t.Context()); err != nil || g.Components[1].Name != "foot-e" {
		t.Errorf("got %+v, %v", g, err)
	}
}
