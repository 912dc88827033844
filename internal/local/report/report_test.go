package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	texts "github.com/kfpgo/kfpgo/internal/testing/hostile"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

func parse(t *testing.T, dir string) (*html.Node, string) {
	t.Helper()
	if err := Write(dir); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return doc, string(page)
}

// find returns the elements with a name and a class; "" is any.
func find(n *html.Node, name, class string) []*html.Node {
	var all []*html.Node
	for c := range n.Descendants() {
		if c.Type == html.ElementNode && (name == "" || c.Data == name) && (class == "" || strings.Contains(" "+attr(c, "class")+" ", " "+class+" ")) {
			all = append(all, c)
		}
	}
	return all
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && (c.Parent.Data != "style" && c.Parent.Data != "title") {
			b.WriteString(c.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// TestGolden holds the texts of the page in order, the picture's in their order of
// drawing: what it says, not where.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	sample(t, dir)
	doc, _ := parse(t, dir)
	var got strings.Builder
	for _, n := range find(doc, "", "") {
		switch n.Data {
		case "h1", "h2", "h3", "h4", "tr", "summary", "pre", "dl", "li", "a", "svg":
			if n.Data == "svg" && attr(n, "class") != "roc" && !strings.Contains(attr(n, "class"), "picture") {
				continue
			}
			fmt.Fprintf(&got, "%s: %s\n", n.Data, strings.ReplaceAll(content(n), filepath.ToSlash(dir), "RUN"))
		}
	}
	golden.Check(t, filepath.Join("testdata", "sample.golden"), []byte(got.String()))
}

func TestMatrixCells(t *testing.T) {
	dir := t.TempDir()
	sample(t, dir)
	doc, _ := parse(t, dir)
	tables := find(doc, "table", "matrix")
	if len(tables) != 1 {
		t.Fatalf("%d tables of a matrix, want 1", len(tables))
	}
	cells := find(tables[0], "td", "")
	if len(cells) != 100 {
		t.Fatalf("%d cells, want 100", len(cells))
	}
	for i, c := range cells {
		n, err := strconv.Atoi(content(c))
		if want := rows()[i/10][i%10]; err != nil || n != want {
			t.Errorf("cell %d,%d is %q, want %d", i/10, i%10, content(c), want)
		}
	}
}

// TestNothingRuns: whatever a user wrote, it is text on the page, and the page
// asks for nothing.
func TestNothingRuns(t *testing.T) {
	hostile := hostile + "\x1b]0;owned\x07\x1b[2J\r\u202etxt\u2066\u009b2J\u200b\x7f"
	dir := t.TempDir()
	r := sample(t, dir)
	for _, task := range r.Tasks { // every text of the record
		task.Title, task.Reason, task.Error, task.Component = hostile, hostile, hostile, hostile
		task.Inputs = map[string]json.RawMessage{hostile: raw(hostile)}
		task.Writes = map[string][]run.Artifact{hostile: {{
			Name: hostile, Type: hostile, URI: "javascript:alert(1)", Metadata: map[string]any{
				hostile: hostile, "evaluationSlices": []any{map[string]any{"slice": hostile, "sliceClassificationMetrics": map[string]any{
					"confusionMatrix": map[string]any{"struct": map[string]any{
						"annotationSpecs": []any{map[string]any{"displayName": hostile}}, "rows": []any{map[string]any{"row": []any{1}}}}}}}},
			}}, {Type: "system.Metrics", Metadata: map[string]any{hostile: hostile}}}}
		task.Logs = append(task.Logs, "../"+hostile)
	}
	r.Pipeline, r.Title, r.ID, r.Error = hostile, hostile, hostile, hostile
	write(t, filepath.Join(dir, "run.json"), raw(r))
	var p map[string]any
	program, err := os.ReadFile(filepath.Join(dir, "program.json"))
	if err != nil {
		t.Fatal(err)
	}
	program = bytes.ReplaceAll(program, []byte(`"tensorflow"`), raw(hostile))
	if err := json.Unmarshal(program, &p); err != nil {
		t.Fatal(err)
	}
	p["title"], p["doc"] = hostile, hostile
	for _, c := range p["components"].([]any) {
		if dag, ok := c.(map[string]any)["dag"].(map[string]any); ok {
			for _, task := range dag["tasks"].([]any) {
				task.(map[string]any)["title"] = hostile
			}
		}
	}
	write(t, filepath.Join(dir, "program.json"), raw(p))
	doc, page := parse(t, dir)
	if n := len(find(doc, "table", "matrix")); n == 0 {
		t.Error("no matrix is shown")
	}
	if n := len(find(doc, "svg", "kfpgo-picture")); n != 2 {
		t.Errorf("%d pictures, want one for wide and one for narrow pages", n)
	}
	inert(t, doc, page)
	if !strings.Contains(page, `\u202etxt`) {
		t.Error("what nobody can see is not shown as it is written")
	}
}

// TestTexts: what tries to be more than text isn't, as any text of a step.
func TestTexts(t *testing.T) {
	for i, text := range texts.Texts {
		dir := t.TempDir()
		r := &run.Run{
			Schema: run.Schema, ID: text, Pipeline: text, Title: text, State: run.Failed, Error: text, Params: map[string]json.RawMessage{text: raw(text)}, Outputs: map[string]json.RawMessage{text: raw([]string{text})},
			Tasks: []*run.Task{{Path: text, Name: text, Title: text, Component: text, Kind: "go", State: run.Failed, Reason: text, Error: text, Inputs: map[string]json.RawMessage{text: raw(map[string]string{text: text})},
				Logs: []string{"log"}, Writes: map[string][]run.Artifact{text: {{Name: text, Type: text, URI: text, Metadata: map[string]any{text: text}}, {Type: "system.Metrics", Metadata: map[string]any{text: text}}}}}},
		}
		write(t, filepath.Join(dir, "log"), []byte(text))
		write(t, filepath.Join(dir, "run.json"), raw(r))
		doc, page := parse(t, dir)
		if inert(t, doc, page); t.Failed() {
			t.Fatalf("text %d, %q", i, text)
		}
	}
}

// inert complains about what isn't markup of the page's own.
func inert(t *testing.T, doc *html.Node, page string) {
	t.Helper()
	for _, n := range find(doc, "", "") {
		switch n.Data {
		case "script", "img", "iframe", "object", "embed", "form", "base", "pwned":
			t.Errorf("the page has an element %s", n.Data)
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") {
				t.Errorf("an element %s has %s=%q", n.Data, a.Key, a.Val)
			}
			if (a.Key == "href" || a.Key == "src") && !regexp.MustCompile(`^(#|\./|data:,$)`).MatchString(a.Val) {
				t.Errorf("an element %s leads to %q", n.Data, a.Val)
			}
		}
	}
	if printable.Text(page) != page {
		t.Errorf("there is what nobody can see in\n%q", page)
	}
	if strings.Contains(page, "ZgotmplZ") {
		t.Error("the template refused a value")
	}
	if !strings.Contains(page, `default-src &#39;none&#39;`) && !strings.Contains(page, `default-src 'none'`) {
		t.Error("the page allows more than it needs")
	}
}

func TestWithoutProgram(t *testing.T) {
	dir := t.TempDir()
	sample(t, dir)
	for name, content := range map[string]string{"none": "", "broken": "{", "empty": `{"schema":1}`, "main is a step": `{"main":"a","components":[{"name":"a","exec":{}}]}`} {
		path := filepath.Join(dir, "program.json")
		if content == "" {
			os.Remove(path)
		} else {
			write(t, path, []byte(content))
		}
		doc, page := parse(t, dir)
		if !strings.Contains(page, "There is no picture: ") || len(find(doc, "table", "matrix")) != 1 {
			t.Errorf("%s: the page doesn't say that it has no picture, or lacks the rest", name)
		}
	}
}

func TestErrors(t *testing.T) {
	for _, test := range []struct{ name, run, want string }{
		{"none", "", "run.json: there is no such file; name the folder of a run"},
		{"broken", `{"schema":1,`, "run.json: this is not the record of a run: unexpected EOF"},
		{"a list", `[]`, "run.json: this is not the record of a run: json: cannot unmarshal array"},
		{"null", `{"schema":1,"tasks":[{},null]}`, "run.json: this is not the record of a run: tasks[1] is null, where an object belongs"},
		{"newer", `{"schema":7}`, "run.json: its schema is 7, and this version of kfpgo reads 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			if test.run != "" {
				write(t, filepath.Join(dir, "run.json"), []byte(test.run))
			}
			write(t, filepath.Join(dir, "report.html"), []byte("the one before"))
			err := Write(dir)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one with %q", err, test.want)
			}
			if page, _ := os.ReadFile(filepath.Join(dir, "report.html")); string(page) != "the one before" {
				t.Error("the page that was there is gone")
			}
		})
	}
	if err := Write(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no error for a folder that isn't there")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "run.json"), []byte(`{"schema":1,"id":"x","pipeline":"p","state":"PENDING","tasks":[]}`))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "report.html"), 0o755), Write(dir)); err == nil {
		t.Error("no error for a page that can't be written")
	}
}

// TestEmptyRun: a run that was only just started has a page too.
func TestEmptyRun(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "run.json"), []byte(`{"schema":1,"id":"x","pipeline":"p","state":"PENDING","tasks":[{"path":"a","state":"NEW"}]}`))
	doc, _ := parse(t, dir)
	if got := content(find(doc, "span", "pill")[0]); got != "pending" {
		t.Errorf("the state is %q", got)
	}
}
