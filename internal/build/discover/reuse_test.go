package discover_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/build/discover"
)

// A module is a module in a folder of its own, outside this repository.
type module struct {
	t     *testing.T
	dir   string
	cache string
}

const pipeline = `package sum

import (
	"context"
	_ "embed"

	"github.com/kfpgo/kfpgo/dsl"
	"example.com/other"
)

//go:embed data
var data string

//go:embed more/*.txt
var more embed.FS

type In struct{ X dsl.Param[int] }

type Out struct{ Y dsl.Param[int] }

var Step = dsl.Func(other.Name, func(_ context.Context, in In, out *Out) error {
	out.Y.Set(in.X.Get() + 1)
	return nil
})

var Pipeline = dsl.Pipeline("sum", func(s *dsl.Scope, in In) Out { return Step.Call(s, in).Out })
`

func newModule(t *testing.T) *module {
	repo, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "")
	m := &module{t: t, dir: t.TempDir(), cache: t.TempDir()}
	m.write("go.mod", "module example.com/sum\n\ngo 1.26.0\n\nrequire (\n\tgithub.com/kfpgo/kfpgo v0.0.0\n\texample.com/other v0.0.0\n)\n\n"+
		"replace github.com/kfpgo/kfpgo => "+repo+"\n\nreplace example.com/other => ./other\n")
	m.write("other/go.mod", "module example.com/other\n\ngo 1.26.0\n")
	m.write("other/other.go", "package other\n\nconst Name = \"step\"\n")
	m.write("sum/sum.go", strings.Replace(pipeline, `_ "embed"`, `"embed"`, 1))
	m.write("sum/data", "one\n")
	m.write("sum/more/a.txt", "a\n")
	m.write("sum/sum_linux_test.go", "package sum\n")
	return m
}

func (m *module) write(name, text string) {
	m.t.Helper()
	file := filepath.Join(m.dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		m.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		m.t.Fatal(err)
	}
}

// settle makes all files older than any build from now on, as they are when a
// person has edited them.
func (m *module) settle() { time.Sleep(50 * time.Millisecond) }

func (m *module) build() *discover.Program {
	m.t.Helper()
	p, err := m.tryBuild()
	if err != nil {
		m.t.Fatal(err)
	}
	return p
}

func (m *module) tryBuild() (*discover.Program, error) {
	return discover.BuildIn(m.t.Context(), m.cache, m.dir, "./sum")
}

// fresh builds until the program is reused: a file that go itself writes while
// it builds, go.sum, makes the first one unsure.
func (m *module) fresh() *discover.Program {
	m.t.Helper()
	m.settle()
	for range 3 {
		if p := m.build(); p.Reused {
			return p
		}
		m.settle()
	}
	m.t.Fatal("the program is never reused")
	return nil
}

// TestReuse changes one thing after the other, and looks whether the program is
// built again.
func TestReuse(t *testing.T) {
	m := newModule(t)
	first := m.fresh()
	t.Run("without go", func(t *testing.T) {
		// PATH without go would be another environment; a manifest that holds
		// is all that is looked at, so a context that is over does no harm.
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if p, err := discover.BuildIn(ctx, m.cache, m.dir, "./sum"); err != nil || !p.Reused || p.File != first.File {
			t.Errorf("got %+v, %v", p, err)
		}
		if p, err := discover.BuildIn(ctx, m.cache, filepath.Join(m.dir, "sum"), "."); err != nil || !p.Reused {
			t.Errorf("from the folder itself: got %+v, %v", p, err)
		}
	})
	for _, c := range []struct {
		name   string
		change func()
		reused bool
	}{
		{"a file", func() { m.write("sum/sum.go", strings.Replace(pipeline, `_ "embed"`, `"embed"`, 1)+"\n// more\n") }, false},
		{"a new file", func() { m.write("sum/new.go", "package sum\n") }, false},
		{"a removed file", func() { os.Remove(filepath.Join(m.dir, "sum/new.go")) }, false},
		{"compiled YAML", func() { m.write("sum/sum.yaml", "a: b\n") }, true},
		{"an embedded file", func() { m.write("sum/data", "two two\n") }, false},
		{"a file that a pattern embeds", func() { m.write("sum/more/b.txt", "b\n") }, false},
		{"another module", func() { m.write("other/other.go", "package other\n\nconst Name = \"stride\"\n") }, false},
		{"go.mod", func() { m.write("other/go.mod", "module example.com/other\n\ngo 1.26.0\n\n// more\n") }, false},
		{"a workspace", func() { m.write("go.work", "go 1.26.0\n\nuse .\n") }, false},
		{"no workspace any more", func() { os.Remove(filepath.Join(m.dir, "go.work")) }, true},
		{"the environment", func() { t.Setenv("GOFLAGS", "-mod=mod -tags=other") }, false},
		{"nothing", func() {}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			m.t = t
			c.change()
			m.settle()
			p, err := discover.BuildIn(t.Context(), m.cache, m.dir, "./sum")
			if c.name == "a workspace" { // -mod=mod can't be used in one
				if err == nil {
					t.Fatalf("reused: %v", p.Reused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Reused != c.reused {
				t.Errorf("reused %v, want %v", p.Reused, c.reused)
			}
			m.fresh()
		})
	}
	m.t = t
	g, err := m.build().Graph(t.Context())
	if err != nil || g.Components[1].Name != "stride" {
		t.Errorf("got %+v, %v", g, err)
	}
	if _, err := os.Stat(first.File); err != nil {
		t.Errorf("the program of a run that may still go on is gone: %v", err)
	}
}

// TestConcurrent builds the same package many times at once.
func TestConcurrent(t *testing.T) {
	m := newModule(t)
	m.settle()
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			p, err := discover.BuildIn(t.Context(), m.cache, m.dir, "./sum")
			if err != nil {
				t.Error(err)
				return
			}
			if g, err := p.Graph(t.Context()); err != nil || len(g.Errors) > 0 {
				t.Error(g, err)
			}
		})
	}
	wg.Wait()
}

// TestOtherModule gives the folder of a module that isn't the one around the
// working directory.
func TestOtherModule(t *testing.T) {
	m := newModule(t)
	wd := t.TempDir()
	p, err := discover.BuildIn(t.Context(), m.cache, wd, filepath.Join(m.dir, "sum"))
	if err != nil {
		t.Fatal(err)
	}
	if g, err := p.Graph(t.Context()); err != nil || g.Program != "example.com/sum/sum" {
		t.Errorf("got %+v, %v", g, err)
	}
	m.write("sum/bad.go", "package sum\n\nvar X int = \"five\"\n")
	_, err = discover.BuildIn(t.Context(), m.cache, m.dir, "./sum")
	if err == nil || !strings.Contains(err.Error(), filepath.Join("sum", "bad.go")+":3:13: cannot use") {
		t.Errorf("got %v", err)
	}
	_, err = discover.BuildIn(t.Context(), m.cache, filepath.Join(m.dir, "sum", "more"), m.dir+"/sum")
	if err == nil || !strings.Contains(err.Error(), "../bad.go:3:13: cannot use") {
		t.Errorf("got %v", err)
	}
	rel, _ := filepath.Rel(wd, filepath.Join(m.dir, "sum", "bad.go"))
	_, err = discover.BuildIn(t.Context(), m.cache, wd, filepath.Join(m.dir, "sum"))
	if err == nil || !strings.Contains(err.Error(), rel+":3:13: cannot use") {
		t.Errorf("got %v, want %s", err, rel)
	}
}
