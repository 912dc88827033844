package pyfunc

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/build/stepfunc"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// TestSDK: a function has the inputs and outputs that KFP's SDK gives it, with their
// types, defaults and descriptions, and the description of its component.
func TestSDK(t *testing.T) {
	dir := "../../testing/pairs/python"
	for _, name := range []string{"described", "models", "python-packages", "python-types"} {
		data, err := os.ReadFile(filepath.Join(dir, name+".yaml"))
		if err != nil {
			t.Fatal(err)
		}
		p, err := kfpread.Read(name, data)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Read(stepfunc.Source{Dir: dir, From: dir}, name+".py", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.steps {
			i := slices.IndexFunc(p.Components, func(c *program.Component) bool {
				return c.Exec != nil && c.Exec.Python != nil && c.Exec.Python.Function == s.fn.Name
			})
			if i < 0 {
				t.Errorf("%s: KFP's SDK compiles no component %s", name, s.fn.Name)
				continue
			}
			c := p.Components[i]
			if got, want := s.compared(t), compared(t, c); got != want {
				t.Errorf("%s: %s: got\n%s\nKFP's SDK has\n%s", name, s.fn.Name, got, want)
			}
			if s.settings.image != c.Exec.Python.Image {
				t.Errorf("%s: %s: the image is %s, and KFP's SDK has %s", name, s.fn.Name, s.settings.image, c.Exec.Python.Image)
			}
		}
	}
}

func compared(t *testing.T, c *program.Component) string {
	var lines []string
	for _, p := range c.Inputs {
		lines = append(lines, line(t, "input", p.Name, p.Type.Name, p.Type.List, p.Optional, p.Default, p.Doc))
	}
	for _, p := range c.Outputs {
		lines = append(lines, line(t, "output", p.Name, p.Type.Name, p.Type.List, false, nil, p.Doc))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func (s *step) compared(t *testing.T) string {
	var lines []string
	for _, q := range s.inputs {
		var value json.RawMessage
		switch {
		case q.literal != "":
			value = json.RawMessage(`{"a": 1, "b": [2.5, 3]}`) // of python-types
		case q.value != nil && q.typ.text == "string":
			value = json.RawMessage(strconv.Quote(*q.value))
		case q.value != nil:
			value = json.RawMessage(*q.value)
		}
		lines = append(lines, line(t, "input", q.name, q.typ.kfp(), q.typ.kind == artifacts, q.optional || q.typ.text == "FinalStatus", value, q.doc))
	}
	for _, q := range s.outputs {
		lines = append(lines, line(t, "output", q.name, q.typ.kfp(), false, false, nil, q.doc))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func line(t *testing.T, what, name, typ string, list, optional bool, value json.RawMessage, doc string) string {
	var v any
	if value != nil {
		if err := json.Unmarshal(value, &v); err != nil {
			t.Fatal(err)
		}
	}
	return fmt.Sprintf("%s %s %s list=%t optional=%t default=%v %q", what, name, typ, list, optional && value == nil, v, doc)
}

// kfp is what KFP calls a type.
func (t typ) kfp() string {
	switch {
	case t.text == "Any":
		return "system.Artifact"
	case t.kind == artifact || t.kind == artifacts:
		return "system." + t.text
	case t.kind == special:
		return kfptype.FinalStatus
	case strings.HasPrefix(t.text, "["):
		return kfptype.List
	case strings.HasPrefix(t.text, "map["):
		return kfptype.Struct
	}
	return map[string]string{"string": kfptype.String, "int": kfptype.Integer, "float64": kfptype.Double, "bool": kfptype.Boolean}[t.text]
}
