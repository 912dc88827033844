package gocode

import (
	"bytes"
	"testing"

	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestImportTells: where a package differs from the file that it was made of is told,
// but not what nobody sees.
func TestImportTells(t *testing.T) {
	pair, err := pairs.Named("loops")
	if err != nil {
		t.Fatal(err)
	}
	g := recorded.Graph(pair.Definition)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	main := func(p *program.Program) *program.Component { return p.Component(p.Main) }
	for _, c := range []struct {
		name   string
		change func(*program.Program)
		want   string
	}{
		{"nothing", func(*program.Program) {}, ""},
		{"empty lines", func(p *program.Program) { p.Doc = "\n" + p.Doc + "\n\n" }, ""},
		{"description", func(p *program.Program) { p.Doc = "Other." }, "warning: dir differs from f.yaml: pipeline: description: no longer Other.\n"},
		{"a setting", func(p *program.Program) {
			main(p).DAG.Tasks[0].Settings.Retry = &program.Retry{Max: program.Value{Kind: program.Const, Const: []byte("3")}}
		},
			"warning: dir differs from f.yaml: " + main(p).DAG.Tasks[0].Name + ": retry times: no longer 3\n"},
	} {
		read := p.Clone()
		c.change(read)
		check := importCheck{read: read, file: "f.yaml", dir: "dir"}
		check.changes = check.compare(p)
		var b bytes.Buffer
		check.report(&b)
		if b.String() != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, &b, c.want)
		}
	}
}
