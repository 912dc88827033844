package kfpread_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// TestCasts: numbers of two types are compared as numbers, though KFP's SDK casts one.
func TestCasts(t *testing.T) {
	b, err := os.ReadFile("../raise/testdata/ir/mixed_numbers.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b = bytes.Replace(b, []byte("< 2.0"), []byte("< double(2)"), 1)
	p, err := kfpread.Read("mixed.yaml", b)
	if err != nil {
		t.Fatal(err)
	}
	same(t, b, p)
	for _, tt := range []struct {
		n, rate string
		want    map[string]bool
	}{
		{"1", "1.5", map[string]bool{"condition-1": false, "condition-2": true, "condition-3": true}},
		{"2", "2.0", map[string]bool{"condition-1": false, "condition-2": true, "condition-3": false}},
		{"-1", "-1.5", map[string]bool{"condition-1": false, "condition-2": false, "condition-3": false}},
	} {
		for _, task := range p.Component(p.Main).DAG.Tasks {
			if task.When == nil {
				t.Fatalf("%s: the condition wasn't taken apart", task.Name)
			}
			got, err := task.When.Eval(func(name string) (json.RawMessage, bool) {
				return json.RawMessage(map[string]string{"pipelinechannel--n": tt.n, "pipelinechannel--rate": tt.rate}[name]), true
			})
			if err != nil || got != tt.want[task.Name] {
				t.Errorf("n=%s rate=%s: %s is %v, %v", tt.n, tt.rate, task.Name, got, err)
			}
		}
	}
	for _, r := range p.Residue {
		if r.Form() == "" {
			t.Errorf("%v makes a difference", r.Path)
		}
	}
}
