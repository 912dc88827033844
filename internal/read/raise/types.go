package raise

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// A typ is the type of one or more parameters that are passed to each other, and
// so need one Go type. IR says STRING or LIST; what a list is of, and which fields
// a struct has, follows from how it is used.
type typ struct {
	up       *typ // what it was merged with
	ir       string
	elem     *typ            // of a LIST
	fields   map[string]*typ // of a STRUCT that is taken apart
	some     map[string]bool // fields that a sample lacks
	samples  []json.RawMessage
	open     bool              // its type is unknown or ambiguous: any
	fixed    string            // its Go type, of a ready-made component
	hint     string            // a name for a struct
	goName   string            // of a struct
	goFields map[string]string // by name
	pushed   int               // samples that the parts have
	usable   bool              // the type of a port or member, rather than of a part
}

func (t *typ) root() *typ {
	for t.up != nil {
		t = t.up
	}
	return t
}

// declared returns a new type of a port.
func (b *builder) declared(g graph.Type) *typ {
	t := &typ{ir: g.Name, usable: true}
	if g.Name == kfptype.List {
		t.elem = &typ{}
		if g.Elem != nil {
			t.elem = b.declared(*g.Elem)
		}
	}
	if g.Name == kfptype.Struct && len(g.Fields) > 0 {
		t.fields = map[string]*typ{}
		for _, f := range g.Fields {
			t.fields[f.Name] = b.declared(f.Type)
		}
	}
	if g.Name == kfptype.Struct && g.Elem != nil {
		if name := scalarName(g.Elem.Name); name != "" {
			t.fixed = "map[string]" + name
		}
	}
	return t
}

// list returns the element of a list type.
func (t *typ) list() *typ {
	t = t.root()
	if t.elem == nil {
		t.elem = &typ{}
	}
	return t.elem
}

// field returns the type of a field of a struct.
func (t *typ) field(name string) *typ {
	t = t.root()
	if t.fields == nil {
		t.fields = map[string]*typ{}
	}
	if t.fields[name] == nil {
		t.fields[name] = &typ{hint: name, usable: true}
	}
	return t.fields[name]
}

// unify makes one type of two, or reports that they differ.
func unify(a, b *typ) bool {
	a, b = a.root(), b.root()
	if a == b {
		return true
	}
	if a.ir != "" && b.ir != "" && a.ir != b.ir || a.fixed != "" && b.fixed != "" && a.fixed != b.fixed {
		return false
	}
	if a.open != b.open && (a.ir != "" || b.ir != "") {
		return false
	}
	if a.holds(b) || b.holds(a) { // no type is a list of itself
		return false
	}
	if a.open || b.open {
		a.open, b.open = true, true
	}
	if b.fixed != "" || a.ir == "" && b.ir != "" {
		a, b = b, a
	}
	b.up = a
	a.samples = append(a.samples, b.samples...)
	a.usable = a.usable || b.usable
	if a.hint == "" {
		a.hint = b.hint
	}
	if b.elem != nil {
		if a.elem == nil {
			a.elem = b.elem
		} else if !unify(a.elem, b.elem) {
			a.elem.root().open = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b.fields)) {
		if a.fields[name] == nil {
			a.field(name)
			a.fields[name] = b.fields[name]
		} else if !unify(a.fields[name], b.fields[name]) {
			a.fields[name].root().open = true
		}
	}
	return true
}

// holds reports whether a type is a part of another.
func (t *typ) holds(part *typ) bool {
	t = t.root()
	if t.elem != nil && (t.elem.root() == part || t.elem.holds(part)) {
		return true
	}
	for _, f := range t.fields {
		if f.root() == part || f.holds(part) {
			return true
		}
	}
	return false
}

// spread gives the parts of the samples to the parts of the type.
func (t *typ) spread() {
	t = t.root()
	for ; t.pushed < len(t.samples); t.pushed++ {
		s := t.samples[t.pushed]
		switch t.ir {
		case kfptype.List:
			var items []json.RawMessage
			if json.Unmarshal(s, &items) != nil {
				continue
			}
			for _, item := range items {
				t.list().see(item)
			}
		case kfptype.Struct:
			if t.fields == nil { // they may come with what it is merged with
				return
			}
			var members map[string]json.RawMessage
			if json.Unmarshal(s, &members) != nil || members == nil {
				continue
			}
			for _, k := range slices.Sorted(maps.Keys(members)) {
				t.field(k).see(members[k])
			}
		}
	}
	if t.elem != nil {
		t.elem.spread()
	}
	for _, name := range slices.Sorted(maps.Keys(t.fields)) {
		t.fields[name].spread()
	}
}

// see adds a sample of a part, which may determine its type.
func (t *typ) see(sample json.RawMessage) {
	t = t.root()
	t.samples = append(t.samples, sample)
	switch got := jsonType(sample); {
	case t.ir == "" && !t.open && got != "":
		t.ir = got
	case got == t.ir, t.ir == kfptype.Double && got == kfptype.Integer:
	case t.ir == kfptype.Integer && got == kfptype.Double && !t.usable:
		t.ir = kfptype.Double
	default:
		t.open = true
	}
}

// jsonType returns the parameter type of a JSON value, or "" for null. Whole numbers that no int holds are doubles.
func jsonType(j json.RawMessage) string {
	t := kfptype.OfJSON(j)
	if t == kfptype.Integer {
		if _, ok := wholeNumber(string(bytes.TrimSpace(j))); !ok {
			return kfptype.Double
		}
	}
	return t
}

func scalarName(ir string) string {
	return map[string]string{kfptype.String: "string", kfptype.Integer: "int", kfptype.Double: "float64", kfptype.Boolean: "bool"}[ir]
}

// goType returns the Go type.
func (b *builder) goType(t *typ) string {
	t = t.root()
	switch {
	case t.fixed != "":
		return t.fixed
	case t.open || t.ir == "":
		return "any"
	case scalarName(t.ir) != "":
		return scalarName(t.ir)
	case t.ir == kfptype.List:
		return "[]" + b.goType(t.list())
	case t.ir == kfptype.FinalStatus:
		return "dsl.FinalStatus"
	case t.ir == kfptype.TaskConfig:
		return "dsl.TaskConfig"
	case t.ir == kfptype.Struct && t.fields != nil:
		return b.structType(t)
	case t.ir == kfptype.Struct:
		return "map[string]any"
	}
	return "any"
}

// structType returns the name of the Go type of a struct that is taken apart.
func (b *builder) structType(t *typ) string {
	if t.goName != "" {
		return t.goName
	}
	hint := singular(t.hint)
	if hint == "" {
		hint = t.hint
	}
	t.goName = b.taken.pick(gosrc.Exported(hint, "Item"))
	t.lacking()
	var s strings.Builder
	s.WriteString("type " + t.goName + " struct {\n")
	fields := newNames()
	for _, name := range slices.Sorted(maps.Keys(t.fields)) {
		f := t.fields[name].root()
		field := fields.pick(gosrc.Exported(name, "X"))
		if t.goFields == nil {
			t.goFields = map[string]string{}
		}
		t.goFields[name] = field
		tag := name
		if t.some[name] {
			tag += ",omitzero"
		}
		s.WriteString(field + " dsl.Param[" + b.goType(f) + "] " + gosrc.Tag("json", tag) + "\n")
	}
	s.WriteString("}\n")
	b.decls = append(b.decls, gosrc.Doc("%s is passed as one value.", article(t.goName))+s.String())
	return t.goName
}

// lacking notes the fields that are not in all samples.
func (t *typ) lacking() {
	t.some = map[string]bool{}
	for _, s := range t.samples {
		var members map[string]json.RawMessage
		if json.Unmarshal(s, &members) != nil {
			continue
		}
		for name := range t.fields {
			if _, ok := members[name]; !ok {
				t.some[name] = true
			}
		}
	}
}

func article(name string) string {
	if strings.ContainsRune("AEIOU", rune(name[0])) {
		return "An " + name
	}
	return "A " + name
}
