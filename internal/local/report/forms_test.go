package report

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

func decode(t *testing.T, text string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestMatrixForms(t *testing.T) {
	for _, test := range []struct{ name, json, want string }{
		{"KFP's", `{"annotationSpecs":[{"displayName":"cat"},{"displayName":"dog"}],"rows":[{"row":[3,1]},{"row":[0,4.0]}]}`, "cat: 3 1 dog: 0 4"},
		{"struct", `{"struct":{"annotationSpecs":[{"displayName":"cat"}],"rows":[{"row":[3]}]}}`, "cat: 3"},
		{"structValue with lists", `{"structValue":{"struct":{"annotationSpecs":{"list":[{"displayName":"cat"}]},"rows":{"list":[{"row":{"list":[3]}}]}}}}`, "cat: 3"},
		{"no labels", `{"rows":[{"row":[1,2]},{"row":[3,4]}]}`, "0: 1 2 1: 3 4"},
		{"plain rows", `{"rows":[[1,2],[3,4]]}`, "0: 1 2 1: 3 4"},
		{"not square", `{"annotationSpecs":[{"displayName":"a"}],"rows":[{"row":[1,2,3]},{"row":[]}]}`, "a: 1 2 3 1:"},
		{"zeros", `{"rows":[[0,0],[0,0]]}`, "0: 0 0 1: 0 0"},
		{"shares", `{"rows":[[0.123456,-1],[0,1]]}`, "0: 0.1235 -1 1: 0 1"},
		{"numbers as text", `{"rows":[["7"]]}`, "0: 7"},
		{"words", `{"rows":[["x"]]}`, "none"},
		{"text", `"matrix"`, "none"},
		{"null", `null`, "none"},
		{"no rows", `{"annotationSpecs":[{"displayName":"a"}],"rows":[]}`, "none"},
		{"too large", `{"rows":[` + strings.Repeat("[],", maxClasses) + `[]]}`, "none"},
	} {
		m := newMatrix(decode(t, test.json))
		got := "none"
		if m != nil {
			var parts []string
			for _, r := range m.Rows {
				parts = append(parts, r.Label+":")
				for _, c := range r.Cells {
					parts = append(parts, c.Text)
				}
			}
			got = strings.Join(parts, " ")
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCurveForms(t *testing.T) {
	for _, test := range []struct{ name, json, want string }{
		{"KFP's", `[{"confidenceThreshold":1,"falsePositiveRate":0,"recall":0},{"falsePositiveRate":0,"recall":1},{"falsePositiveRate":1,"recall":1}]`, "M0.0 240.0L0.0 0.0L240.0 0.0 1.000"},
		{"unsorted, in a list", `{"list":[{"falsePositiveRate":1,"recall":1},{"falsePositiveRate":0,"recall":0}]}`, "M0.0 240.0L240.0 0.0 0.500"},
		{"a part", `[{"falsePositiveRate":0.2,"recall":0.2},{"falsePositiveRate":0.5,"recall":0.5}]`, "M48.0 192.0L120.0 120.0 "},
		{"out of bounds", `[{"falsePositiveRate":-1,"recall":0},{"falsePositiveRate":2,"recall":7}]`, "M0.0 240.0L240.0 0.0 0.500"},
		{"one point", `[{"falsePositiveRate":0,"recall":0}]`, "none"},
		{"words", `[{"falsePositiveRate":"a","recall":"b"},{}]`, "none"},
		{"text", `"x"`, "none"},
	} {
		got := "none"
		if c := newCurve(decode(t, test.json)); c != nil {
			got = c.Path + " " + c.AUC
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestValues(t *testing.T) {
	for _, test := range []struct {
		json string
		want Value
	}{
		{`"text"`, Value{Text: "text"}},
		{`""`, Value{Note: "an empty string"}},
		{`" \n"`, Value{Text: `" \n"`, Note: "only white space"}},
		{`"a\nb"`, Value{Text: "a\nb", Block: true}},
		{`9007199254740993`, Value{Text: "9007199254740993"}},
		{`false`, Value{Text: "false"}},
		{`null`, Value{Text: "null"}},
		{"[\n  1,\n  2\n]", Value{Text: "[1,2]"}},
		{`{"first":"` + strings.Repeat("x", 60) + `","second":[1, 2]}`, Value{Text: "{\n  \"first\": \"" + strings.Repeat("x", 60) + "\",\n  \"second\": [1,2]\n}", Block: true}},
	} {
		if diff := cmp.Diff(test.want, NewValue("", json.RawMessage(test.json))); diff != "" {
			t.Errorf("%s: %s", test.json, diff)
		}
	}
	long := NewValue("", raw(strings.Repeat("é", maxValue)))
	if len(long.Text) > maxValue || long.Note != fmt.Sprintf("the first %d of %d bytes", maxValue, 2*maxValue) {
		t.Errorf("a long value: %d bytes, %q", len(long.Text), long.Note)
	}
}

func TestLogs(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "outside"), []byte("secret"))
	inside := filepath.Join(dir, "run")
	var many strings.Builder
	for i := range 100000 {
		fmt.Fprintf(&many, "line %d\n", i)
	}
	write(t, filepath.Join(inside, "many"), []byte(many.String()))
	write(t, filepath.Join(inside, "line"), []byte(strings.Repeat("x", 2*maxLog)))
	write(t, filepath.Join(inside, "bars"), []byte("start\r\n 10%\r 50%\r100%\n\x1b[31mred\x1b[0m \x1b]0;title\x07\x00end \xff\n"))
	write(t, filepath.Join(inside, "empty"), nil)
	if err := os.Symlink("../outside", filepath.Join(inside, "link")); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(inside)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, test := range []struct{ file, text, note string }{
		{"bars", "start\n100%\nred \\x00end \\xff", ""},
		{"empty", "", "it said nothing"},
		{"line", "", "too long to show"},
		{"none", "", "its log can't be read"},
		{"../outside", "", "its log can't be read"},
		{"link", "", "its log can't be read"},
		{".", "", "its log can't be read"},
	} {
		v := &View{root: root, dir: inside, logs: maxLogs}
		l := v.newLog(&run.Task{Logs: []string{test.file}})
		if l.Text != test.text || l.Note != test.note {
			t.Errorf("%s: %q, note %q; want %q, note %q", test.file, l.Text, l.Note, test.text, test.note)
		}
	}
	v := &View{root: root, dir: inside, logs: maxLogs}
	l := v.newLog(&run.Task{Logs: []string{"none", "many"}})
	lines := strings.Split(l.Text, "\n")
	if len(lines) != maxLines || lines[maxLines-1] != "line 99999" || l.Note != "the end of it" || len(l.Files) != 2 {
		t.Errorf("%d lines, the last %q, note %q, %d files", len(lines), lines[len(lines)-1], l.Note, len(l.Files))
	}
	if v.logs = 0; v.newLog(&run.Task{Logs: []string{"many"}}).Text != "" {
		t.Error("a log is shown though there have been enough of them")
	}
}

func TestHref(t *testing.T) {
	dir := t.TempDir()
	v := &View{dir: dir}
	base := "file://" + filepath.ToSlash(dir)
	for uri, want := range map[string]string{
		base + "/artifacts/a/model": "./artifacts/a/model", base + "/a%20b/%3Cx%3E": "./a%20b/%3Cx%3E", base + "/../other": "",
		"file:///etc/passwd": "", "javascript:alert(1)": "", "gs://bucket/model": "", "%": "", "": "",
	} {
		if got := v.href(uri); got != want {
			t.Errorf("href(%q) = %q, want %q", uri, got, want)
		}
	}
}

// TestManyTasks: the page stays one that a browser can show, and has what failed.
func TestManyTasks(t *testing.T) {
	dir := t.TempDir()
	s := &sampleRun{dir: dir, run: &run.Run{Schema: 1, Pipeline: "p", State: run.Failed, Started: start, Ended: start.Add(1)}}
	for i := range 3000 {
		s.task(fmt.Sprintf("t-%d", i), "go", run.Succeeded, 0, 1, "")
	}
	s.task("last", "go", run.Failed, 0, 1, "").Error = "broken"
	write(t, filepath.Join(dir, "run.json"), raw(s.run))
	doc, page := parse(t, dir)
	if n := len(find(doc, "details", "")); n != maxTasks+1 {
		t.Errorf("%d tasks are shown, want %d and the one that failed", n, maxTasks)
	}
	if !strings.Contains(page, "2000 more are in") || !strings.Contains(page, "<pre>broken</pre>") || len(page) > 4<<20 {
		t.Errorf("the page has %d bytes and lacks what failed, or how many tasks it leaves out", len(page))
	}
}
