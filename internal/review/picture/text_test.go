package picture

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/picture/graphviz"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// hostile are texts that would be something else in the languages of pictures.
var hostile = []string{`"]; x -> y [label="`, "a\nb\r\nend", `back\slash\`, "</title><script>alert(1)</script>", "#quot;&amp;<br/>", "end", "ü — 漢字 \U0001F600", "\x1b[31m", "%% note", "\u202etxt\u2066\r\u009b2J\u200b\x7f"}

func hostileProgram() *program.Program {
	p := &program.Program{Name: "hostile", Title: hostile[0], Doc: strings.Join(hostile, "\n"), Main: "hostile"}
	main := &program.Component{Name: "hostile", DAG: &program.DAG{Kind: program.Pipeline}}
	step := &program.Component{Name: "step", Exec: &program.Executor{Container: &program.Container{Image: "x:1"}}}
	group := &program.Component{Name: "group", DAG: &program.DAG{Kind: program.Loop, Tasks: []*program.Task{{Name: "in", Title: hostile[3], Component: "step"}}}}
	p.Components = []*program.Component{main, group, step}
	before := ""
	for i, title := range hostile {
		t := &program.Task{Name: "t" + string(rune('a'+i)), Title: title, Component: []string{"step", "group"}[i%2]}
		if before != "" {
			t.After = []string{before}
		}
		before = t.Name
		main.DAG.Tasks = append(main.DAG.Tasks, t)
		main.Inputs = append(main.Inputs, program.Port{Name: title, Doc: title})
	}
	return p
}

func TestText(t *testing.T) {
	dot, err := DOT(mnist(t), Right)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "mnist.dot"), dot)
	mmd, err := Mermaid(mnist(t), Down)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "mnist.mmd"), mmd)
	txt, err := Outline(mnist(t), Right)
	if err != nil {
		t.Fatal(err)
	}
	golden.Check(t, filepath.Join("testdata", "mnist.txt"), txt)
}

// TestTextReads has Graphviz read its language, and looks that each label is one.
func TestTextReads(t *testing.T) {
	for _, p := range []*program.Program{mnist(t), hostileProgram(), wide(300)} {
		dot, err := DOT(p, Right)
		if err != nil {
			t.Fatal(err)
		}
		read, err := graphviz.Layout(t.Context(), string(dot))
		if err != nil {
			t.Fatalf("%s: %v\n%s", p.Name, err, dot)
		}
		var g struct{ Objects []struct{ Pos string } }
		if err := json.Unmarshal(read, &g); err != nil {
			t.Fatal(err)
		}
		boxes := 0
		for _, o := range g.Objects {
			if o.Pos != "" { // frames have none
				boxes++
			}
		}
		root, err := build(p)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		root.walk(func(n *node) {
			if !n.group() {
				want++
			}
		})
		if boxes != want {
			t.Errorf("%s: Graphviz reads %d boxes, want %d", p.Name, boxes, want)
		}
	}
	mmd, err := Mermaid(hostileProgram(), Right)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(mmd)) {
		if strings.Count(line, `"`)%2 != 0 || strings.Contains(line, "<script") || strings.ContainsAny(line, "\x1b\r") {
			t.Errorf("Mermaid gets %q", line)
		}
	}
}

// TestNothingActs: in no form of a picture is there what acts on a terminal or can't be seen.
func TestNothingActs(t *testing.T) {
	p := hostileProgram()
	last := hostile[len(hostile)-1]
	main := p.Component(p.Main)
	main.DAG.Tasks = append(main.DAG.Tasks, &program.Task{Name: "n" + last, Component: "c" + last, Args: map[string]program.Value{"a" + last: {Kind: program.Const, Const: json.RawMessage("\"x\u202e\"")}}})
	p.Components = append(p.Components, &program.Component{Name: "c" + last, Exec: &program.Executor{Container: &program.Container{Image: "x:1"}}, Inputs: []program.Port{{Name: "a" + last}}})
	for name, form := range map[string]func(*program.Program, Direction) ([]byte, error){
		"dot": DOT, "mmd": Mermaid, "txt": Outline, "html": HTML, "svg": func(p *program.Program, to Direction) ([]byte, error) { return SVG(p, nil, to) },
	} {
		b, err := form(p, Right)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if text := string(b); printable.Text(text) != text || !strings.Contains(text, "u202etxt") {
			t.Errorf("%s is\n%q", name, text)
		}
	}
}

// TestPage: the page is well-formed, and texts of the pipeline are only text in it.
func TestPage(t *testing.T) {
	page, err := HTML(hostileProgram(), Right)
	if err != nil {
		t.Fatal(err)
	}
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	inputs := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok {
			if slices.Contains([]string{"script", "br", "iframe", "img"}, e.Name.Local) {
				t.Errorf("the page has an element %s", e.Name.Local)
			}
			if e.Name.Local == "tr" {
				inputs++
			}
		}
	}
	if inputs != len(hostile)+1 {
		t.Errorf("%d rows for %d inputs", inputs, len(hostile))
	}
}

func FuzzDraw(f *testing.F) {
	seed, err := os.ReadFile("../../local/report/testdata/program.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"main":"a","components":[{"name":"a","dag":{"kind":"loop","tasks":[{"name":"a","component":"a","after":["a"]}]}}]}`))
	f.Add([]byte(`{"main":"a","components":[{"name":"a","dag":{"tasks":[{"name":"x","component":"b","each":{},"when":{"op":"in"}}]}},{"name":"b"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, ok := decode(data)
		if !ok {
			return
		}
		if dot, err := DOT(p, Narrow); err == nil && len(dot) == 0 {
			t.Error("an empty picture")
		}
		if _, err := Mermaid(p, Down); err == nil {
			Words(p)
		}
	})
}

// decode returns a program that holds no nil, which a reader never makes.
func decode(data []byte) (*program.Program, bool) {
	p := &program.Program{}
	if json.Unmarshal(data, p) != nil || slices.Contains(p.Components, nil) {
		return nil, false
	}
	for _, c := range p.Components {
		if c.DAG != nil && slices.Contains(c.DAG.Tasks, nil) {
			return nil, false
		}
	}
	return p, true
}
