package dsl

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A field is a *Param, *Artifact or *List.
type field interface {
	value() *record.Value
	bind(*record.Value)
	typ() (graph.Type, error)
	load([]byte) error               // at run time
	store() (json.RawMessage, error) // at run time; nil if it was never set
}

// schemaOf describes the fields of an In or Out struct, and where they are. Their
// names must have a form.
func schemaOf(t reflect.Type, index map[string][]int, form func(string) error) (fields []graph.Field, errs []error) {
	if t.Kind() != reflect.Struct {
		return nil, []error{fmt.Errorf("%v is not a struct", t)}
	}
	seen := map[string]bool{}
	for _, sf := range reflect.VisibleFields(t) {
		if sf.Anonymous && sf.Type.Kind() == reflect.Struct {
			continue // its fields are visible
		}
		f, ok := reflect.New(sf.Type).Interface().(field)
		if !ok || !sf.IsExported() {
			errs = append(errs, fmt.Errorf("field %s of %v must be an exported dsl.Param, dsl.Artifact or dsl.List, not %v", sf.Name, t, sf.Type))
			continue
		}
		name, opts, _ := strings.Cut(sf.Tag.Get("kfp"), ",")
		if name == "" {
			name = graph.PortName(sf.Name)
		}
		if seen[name] {
			errs = append(errs, fmt.Errorf("two fields of %v are named %s", t, name))
		}
		seen[name] = true
		index[name] = sf.Index
		typ, err := f.typ()
		if err == nil && typ.Name == "" {
			err = errors.New("any can't be a parameter; use map[string]any or []any, or the type that it has")
		}
		if err == nil {
			err = form(name)
		}
		if opts != "" && opts != "optional" {
			err = fmt.Errorf("unknown tag option %q; there is only optional", opts)
		}
		gf := graph.Field{Name: name, Type: typ, Doc: sf.Tag.Get("doc"), Optional: opts == "optional", JSONPath: sf.Tag.Get("jsonpath")}
		gf.Optional = gf.Optional || typ.Name == kfptype.TaskConfig // the server fills it in
		if text, ok := sf.Tag.Lookup("default"); ok && err == nil {
			if gf.Default, err = parseDefault(typ, reflect.New(sf.Type).Interface().(field), text); err != nil {
				err = fmt.Errorf("default %q: %w", text, err)
			}
		}
		if text, ok := sf.Tag.Lookup("enum"); ok && err == nil {
			gf.Enum = strings.Split(text, ",")
			for _, v := range gf.Enum {
				if _, bad := parseDefault(typ, reflect.New(sf.Type).Interface().(field), v); bad != nil && err == nil {
					err = fmt.Errorf("enum %q: %q: %w", text, v, bad)
				}
			}
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("field %s of %v: %w", sf.Name, t, err))
		}
		fields = append(fields, gf)
	}
	return fields, errs
}

// parseDefault parses a default tag. A list or map in it can only be empty, since the
// compiler sees no type in a tag.
func parseDefault(t graph.Type, f field, text string) (json.RawMessage, error) {
	b := json.RawMessage(text)
	switch t.Name {
	case kfptype.String:
		b, _ = json.Marshal(text)
	case kfptype.Boolean, kfptype.Integer, kfptype.Double:
	default:
		switch {
		case t.Artifact:
			return nil, errors.New("an artifact has no default; use kfp:\",optional\"")
		case t.Name == kfptype.List && text == "[]", t.Name == kfptype.Struct && t.Fields == nil && text == "{}":
		case t.Name == kfptype.List:
			return nil, fmt.Errorf("a %v default is a Go value, or [] in a tag; use Defaults", t.Go)
		default:
			return nil, fmt.Errorf("a %v default is a Go value; use Defaults", t.Go)
		}
	}
	if text == "null" && t.Name != kfptype.String || f.load(b) != nil {
		return nil, fmt.Errorf("not a valid %v", t.Go)
	}
	return f.store()
}

// at returns the field of the struct that v points to.
func at(v any, index []int) field {
	return reflect.ValueOf(v).Elem().FieldByIndex(index).Addr().Interface().(field)
}

// leaves returns the fields in *v, which is a field or a struct of them.
func leaves(v any) []field {
	if f, ok := v.(field); ok {
		return []field{f}
	}
	rv := reflect.ValueOf(v).Elem()
	if rv.Kind() != reflect.Struct {
		return nil
	}
	var fs []field
	for _, sf := range reflect.VisibleFields(rv.Type()) {
		if sf.IsExported() && !sf.Anonymous {
			if f, ok := rv.FieldByIndex(sf.Index).Addr().Interface().(field); ok {
				fs = append(fs, f)
			}
		}
	}
	return fs
}
