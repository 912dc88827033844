package kfpread_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestPairs reads the IR of Go pipelines and finds the programs that it is of:
// kinds of DAGs, conditions as trees, values, exit handlers and settings.
func TestPairs(t *testing.T) {
	for _, pair := range pairs.All() {
		if pair.Definition == nil {
			continue
		}
		t.Run(pair.Name, func(t *testing.T) {
			g := recorded.Graph(pair.Definition)
			want, err := lower.Lower(g, g.Component(1))
			if err != nil {
				t.Fatal(err)
			}
			file, err := kfp.Write(want, kfp.Options{Image: "prog", Version: "0.1.0"})
			if err != nil {
				t.Fatal(err)
			}
			got, err := kfpread.Read(pair.Name+".yaml", file)
			if err != nil {
				t.Fatal(err)
			}
			same(t, file, got)
			if len(got.Residue) > 0 {
				t.Errorf("residue of our own file: %v", got.Residue)
			}
			for _, c := range want.Components {
				if c.DAG == nil {
					continue
				}
				d := got.Component(c.Name)
				if c.Name == want.Main {
					d = got.Component(got.Main)
				}
				if d == nil || d.DAG == nil {
					t.Errorf("no component %s", c.Name)
					continue
				}
				compareDAGs(t, c, d)
			}
		})
	}
}

func compareDAGs(t *testing.T, want, got *program.Component) {
	if got.DAG.Kind != want.DAG.Kind {
		t.Errorf("%s is a %s, want %s", want.Name, got.DAG.Kind, want.DAG.Kind)
	}
	if a, b := fmt.Sprint(got.DAG.Outputs), fmt.Sprint(want.DAG.Outputs); a != b && len(want.DAG.Outputs) > 0 {
		t.Errorf("%s: outputs %s, want %s", want.Name, a, b)
	}
	for _, w := range want.DAG.Tasks {
		g := got.DAG.Task(w.Name)
		if g == nil {
			t.Errorf("%s: no task %s", want.Name, w.Name)
			continue
		}
		if a, b := about(g), about(w); a != b {
			t.Errorf("%s: task %s:\n got %s\nwant %s", want.Name, w.Name, a, b)
		}
	}
}

// about says what a task does, without the Go types and positions that only the
// language has.
func about(t *program.Task) string {
	c := *t
	c.Component, c.Pos.File, c.Pos.Line = "", "", 0
	byKey := func(a, b program.KeyValue) int { return cmp.Compare(a.Key, b.Key) }
	c.Settings.Labels, c.Settings.Annotations = slices.SortedFunc(slices.Values(c.Settings.Labels), byKey), slices.SortedFunc(slices.Values(c.Settings.Annotations), byKey)
	c.Settings.NodeSelector = slices.SortedFunc(slices.Values(c.Settings.NodeSelector), byKey)
	if i := c.Settings.Image; i != nil && i.Kind == program.Const {
		c.Settings.Image = nil // the image of the executor
	}
	if strings.HasSuffix(t.Component, "pvc") {
		c.Settings.NoCache = false // the writer says it of all
	}
	j, _ := json.Marshal(c)
	var v any
	json.Unmarshal(j, &v)
	j, _ = json.Marshal(strip(v))
	return string(j)
}

// strip drops types from a tree, since IR has less of them, and what is empty.
func strip(v any) any {
	switch v := v.(type) {
	case map[string]any:
		delete(v, "type")
		if of, _ := v["of"].([]any); len(of) == 1 && fmt.Sprint(v["text"]) == "[ ]" && of[0].(map[string]any)["kind"] == "run" {
			return strip(of[0]) // a text that is only what the run knows
		}
		for k, e := range v {
			if m, ok := e.(map[string]any); ok && len(m) == 0 {
				delete(v, k)
				continue
			}
			v[k] = strip(e)
		}
	case []any:
		for i, e := range v {
			v[i] = strip(e)
		}
	}
	return v
}

// refused are files that Python compiled and no server runs.
var refused = map[string]string{
	"pod-loops.yaml": `the component around the task has no input parameter "pipelinechannel--n"`, // a setting in a loop, from outside of it
	"deeper.yaml":    `the component around the task has no input parameter "loop-item-param-2"`,  // a field of a loop's item in an f-string
}

// TestPython reads what Python makes of the pairs, and writes the same again.
func TestPython(t *testing.T) {
	files, err := filepath.Glob("../../testing/pairs/python/*.yaml")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data := load(t, file)
			// A text to PyYAML, and a number to other readers.
			data = bytes.ReplaceAll(data, []byte("value: 1e3\n"), []byte("value: '1e3'\n"))
			p, err := kfpread.Read(file, data)
			if why := refused[filepath.Base(file)]; why != "" {
				if err == nil || !strings.Contains(err.Error(), why) {
					t.Errorf("got %v, want %s", err, why)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			same(t, data, p)
			for _, c := range p.Residue {
				if c.Form() == "" {
					t.Errorf("the program has no word for %s: %s", c.Path, c.Set)
				}
			}
		})
	}
}
