package ui

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/hostile"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// TestTexts: what tries to be more than text isn't, as any text of a run, a task, a
// file's name or a schedule's.
func TestTexts(t *testing.T) {
	h := home{t.TempDir(), t}
	v := visit(t, Options{Home: h.dir, Command: []string{"kfpgo"}})
	for i, text := range hostile.Texts {
		r := &run.Run{
			ID: "a-1", Pipeline: text, Title: text, State: run.Failed, Error: text, Params: map[string]json.RawMessage{text: raw(text)}, Schedule: text, Source: &run.Source{Pipeline: text, Dir: h.dir},
			Tasks: []*run.Task{{Path: text, Name: text, Title: text, Component: text, Kind: "go", State: run.Failed, Reason: text, Error: text, Inputs: map[string]json.RawMessage{text: raw([]string{text})},
				Logs: []string{"log"}, Writes: map[string][]run.Artifact{text: {{Name: text, Type: text, URI: h.uri("a-1", "f"), Metadata: map[string]any{text: text}}}}}},
		}
		h.record(r)
		for _, name := range []string{"log", "artifacts/f/notes.md", "artifacts/f/rows.csv", "artifacts/f/text.txt"} {
			h.file("a-1", name, []byte(text))
		}
		path, port := "?path="+url.QueryEscape(text), "&port="+url.QueryEscape(text)
		for _, at := range []string{"/?q=" + url.QueryEscape(text), "/compare?run=a-1", "/runs/a-1", "/runs/a-1/start", "/runs/a-1/task" + path, "/runs/a-1/log" + path, "/runs/a-1/artifact" + path + port,
			"/runs/a-1/artifact" + path + port + "&file=rows.csv", "/runs/a-1/artifact" + path + port + "&file=text.txt&as=text", "/runs/a-1/artifact" + path + port + "&file=" + url.QueryEscape(text), "/runs/" + url.PathEscape(text), "/starts/" + url.PathEscape(text),
		} {
			w := v.page("GET", at)
			if w.Code != http.StatusOK && strings.HasPrefix(at, "/runs/a-1") && utf8.ValidString(text) || w.Code >= 500 || printable.Text(w.Body.String()) != w.Body.String() {
				t.Errorf("%s: %d\n%q", at, w.Code, w.Body)
			}
			v.links(at, w.Body.String())
		}
		md := v.page("GET", "/runs/a-1/files/artifacts/f/notes.md?as=page").Body.String()
		if doc, err := html.Parse(strings.NewReader(md)); err != nil {
			t.Error(err)
		} else {
			for n := range doc.Descendants() {
				if n.Data == "script" || n.Data == "pwned" || slices.ContainsFunc(n.Attr, func(a html.Attribute) bool {
					return strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Val, "javascript:")
				}) {
					t.Errorf("Markdown became <%s %v>", n.Data, n.Attr)
				}
			}
		}
		if t.Failed() {
			t.Fatalf("text %d, %q", i, text)
		}
	}
}
