package components

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// fill compares a component with the file that it is from, and gives it what
// the file knows better.
func fill(r *record.Component, leaf *program.Component, file string, in, out reflect.Type) {
	for _, d := range []struct {
		what   string
		fields []graph.Field
		ports  []program.Port
		of     reflect.Type
	}{{"input", r.Inputs, leaf.Inputs, in}, {"output", r.Outputs, leaf.Outputs, out}} {
		for _, p := range d.ports {
			i := slices.IndexFunc(d.fields, func(f graph.Field) bool { return f.Name == p.Name })
			if i < 0 {
				r.Errorf(r.Pos, "component %s: %s has no field for the %s %s of %s%s; add: %s", r.Name, d.of, d.what, p.Name, file, meant(p.Name, d.fields, d.ports), line(p))
				continue
			}
			f := &d.fields[i]
			if !fits(f.Type, p.Type) {
				r.Errorf(r.Pos, "component %s: %s %s is %s, and in %s %s; write: %s", r.Name, d.what, p.Name, goName(f.Type), file, named(p.Type), line(p))
			}
			if f.Default == nil && !f.Optional {
				f.Default, f.Optional = p.Default, p.Optional && p.Default == nil
			}
			if f.Doc == "" {
				f.Doc = p.Doc
			}
			f.Path = p.Path
		}
		for _, f := range d.fields {
			if !slices.ContainsFunc(d.ports, func(p program.Port) bool { return p.Name == f.Name }) {
				r.Errorf(r.Pos, "component %s: %s has the field %s, and %s no such %s%s", r.Name, d.of, f.Name, file, d.what, of(d.ports))
			}
		}
	}
	if slices.ContainsFunc(r.Errors, func(e *graph.Error) bool { return strings.Contains(e.Msg, " of "+file) }) {
		r.Errorf(r.Pos, "component %s: kfpgo gen %s writes the structs", r.Name, file)
	}
}

// fits reports whether a field of a Go struct is what a file says.
func fits(have, want graph.Type) bool {
	switch {
	case have.Artifact != want.Artifact || have.List != want.List:
		return false
	case want.Artifact: // KFP takes system.Artifact for any
		return have.Name == want.Name || want.Name == "system.Artifact"
	}
	return have.Name == want.Name || have.Name == "" && (want.Name == kfptype.List || want.Name == kfptype.Struct)
}

// meant says which field may have been meant.
func meant(name string, fields []graph.Field, ports []program.Port) string {
	for _, f := range fields {
		if slices.ContainsFunc(ports, func(p program.Port) bool { return p.Name == f.Name }) {
			continue
		}
		if most := 2 + len(name)/4; near.Distance(f.Name, name, most) < most {
			return fmt.Sprintf(" (it has %s: a tag kfp:%q would name it)", f.Name, name)
		}
	}
	return ""
}

// of lists what a file has.
func of(ports []program.Port) string {
	if len(ports) == 0 {
		return "; it has none"
	}
	var names []string
	for _, p := range ports {
		names = append(names, p.Name)
	}
	return "; it has " + strings.Join(names, ", ")
}

// goTypes are the Go types of parameters.
var goTypes = map[string]string{
	kfptype.String: "string", kfptype.Integer: "int", kfptype.Double: "float64", kfptype.Boolean: "bool",
	kfptype.List: "[]any", kfptype.Struct: "map[string]any", kfptype.FinalStatus: "dsl.FinalStatus", kfptype.TaskConfig: "dsl.TaskConfig",
}

func named(t graph.Type) string {
	s := t.Name
	if t.Artifact {
		s = "an artifact, " + s
	}
	if t.List {
		s = "a list of artifacts, " + t.Name
	}
	return s
}

func goName(t graph.Type) string {
	if t.Artifact || t.Go == "" {
		return named(t)
	}
	return t.Go
}

// line returns the field of a struct that an input or output needs.
func line(p program.Port) string {
	var field strings.Builder
	for _, w := range strings.FieldsFunc(p.Name, func(r rune) bool { return r == '_' || r == '-' }) {
		field.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	typ := "dsl.Param[" + goTypes[p.Type.Name] + "]"
	if p.Type.Artifact {
		if _, kind, ok := strings.Cut(p.Type.Name, "system."); ok && kind != "Artifact" {
			typ = "dsl." + kind
		} else {
			typ = "dsl.Any"
		}
	}
	if p.Type.List {
		typ = "dsl.List[" + typ + "]"
	}
	return fmt.Sprintf("%s %s `kfp:%q`", field.String(), typ, p.Name)
}
