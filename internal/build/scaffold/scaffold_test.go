package scaffold_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/scaffold"
	"github.com/kfpgo/kfpgo/internal/testing/hostile"
)

// TestHostile: what would be more than a word in go.mod, a Makefile or a workflow
// is refused, and nothing is written.
func TestHostile(t *testing.T) {
	good := scaffold.Project{Template: "train", Name: "p", Module: "example.com/p", Go: "1.26", Version: "v1.2.3"}
	if err := scaffold.Write(filepath.Join(t.TempDir(), "p"), &good); err != nil {
		t.Fatal(err)
	}
	for what, put := range map[string]func(*scaffold.Project, string){
		"name":     func(p *scaffold.Project, s string) { p.Name = s },
		"module":   func(p *scaffold.Project, s string) { p.Module = s },
		"checkout": func(p *scaffold.Project, s string) { p.Checkout = "/" + s },
		"go":       func(p *scaffold.Project, s string) { p.Go = s },
		"version":  func(p *scaffold.Project, s string) { p.Version = s },
	} {
		for _, text := range hostile.Texts {
			if text == "end" || text == "-rf" && what != "name" && what != "module" {
				continue // words
			}
			p := good
			put(&p, text)
			dir := filepath.Join(t.TempDir(), "p")
			if err := scaffold.Write(dir, &p); err == nil {
				t.Errorf("%s %q: no error", what, text)
			}
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s %q: something was written", what, text)
			}
		}
	}
}
