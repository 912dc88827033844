// Package params reads what a person gives for the inputs of a pipeline, k=v on
// the command line and a YAML file, and checks it against the types of the inputs.
package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// Options are the given parameters.
type Options struct {
	Flags []string // name=value, from -p
	File  string   // name of a YAML file, for messages
	YAML  []byte   // its content

	Partial bool // required inputs may be left out

	Base map[string]json.RawMessage // of inputs that aren't given otherwise, as those of a schedule
}

// Read returns the values for the inputs, as JSON by name. Values on the command
// line win over those in the file. An input that isn't among them wasn't given:
// it has a default or is optional. The error lists all mistakes.
func Read(inputs []program.Port, o Options) (map[string]json.RawMessage, error) {
	if len(o.Base) > 0 {
		inputs = slices.Clone(inputs)
		for i, in := range inputs {
			if v, ok := o.Base[in.Name]; ok {
				inputs[i].Default = v
			}
		}
	}
	values, err := read(inputs, o)
	for name, v := range o.Base {
		if _, ok := values[name]; !ok && values != nil {
			values[name] = v
		}
	}
	return values, err
}

// Check returns the errors in values that were not read here, such as those of an
// earlier run or of a program: of a name that no input has, or of another type.
func Check(inputs []program.Port, values map[string]json.RawMessage) error {
	r := &reader{inputs: inputs, tried: map[string]bool{}}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		in, v := r.input("", name), bytes.TrimSpace(values[name])
		if in == nil || in.Type.Artifact || string(v) == "null" && in.Optional {
			continue
		}
		err := fmt.Errorf("%s is not JSON", shorten(string(v)))
		if json.Valid(v) {
			err = check(v, in.Type, "", string(v))
		}
		if err != nil {
			r.errorf("parameter %s: %w", name, err)
		}
	}
	return errors.Join(r.errs...)
}

func read(inputs []program.Port, o Options) (map[string]json.RawMessage, error) {
	r := &reader{inputs: inputs, values: map[string]json.RawMessage{}, tried: map[string]bool{}}
	r.flags(o.Flags)
	if o.YAML != nil {
		r.file(o.File, o.YAML)
	}
	for i := range inputs {
		if in := &inputs[i]; in.Required() && !o.Partial && !r.tried[in.Name] {
			r.errorf("parameter %s is required; give it with -p %s=%s, %s", in.Name, in.Name, placeholder(in.Type), wanted(in.Type))
		}
	}
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return r.values, nil
}

type reader struct {
	inputs []program.Port
	values map[string]json.RawMessage
	tried  map[string]bool // given, rightly or not
	errs   []error
}

func (r *reader) errorf(format string, args ...any) {
	r.errs = append(r.errs, fmt.Errorf(format, args...))
}

// input returns the input with a name, or reports that there is none.
func (r *reader) input(at, name string) *program.Port {
	i := slices.IndexFunc(r.inputs, func(p program.Port) bool { return p.Name == name })
	if i >= 0 {
		return &r.inputs[i]
	}
	names := make([]string, len(r.inputs))
	for i, p := range r.inputs {
		names[i] = p.Name
	}
	if near := nearest(name, names); near != "" {
		r.errorf("%sthere is no parameter %s; did you mean %s?", at, name, near)
		r.tried[near] = true // one mistake, one message
		return nil
	}
	if len(names) == 0 {
		r.errorf("%sthere is no parameter %s; the pipeline has none", at, name)
		return nil
	}
	slices.Sort(names)
	r.errorf("%sthere is no parameter %s; the pipeline has %s", at, name, strings.Join(names, ", "))
	return nil
}

func (r *reader) flags(flags []string) {
	seen := map[string]bool{}
	for _, f := range flags {
		name, value, ok := strings.Cut(f, "=")
		if !ok || name == "" {
			r.errorf("-p %s: give it as name=value", f)
			r.tried[f] = true
			continue
		}
		in := r.input("", name)
		if in == nil {
			continue
		}
		if seen[name] {
			r.errorf("parameter %s is given twice", name)
			continue
		}
		seen[name], r.tried[name] = true, true
		b, err := fromText(value, in)
		if err != nil {
			r.errorf("parameter %s: %w", name, err)
			continue
		}
		r.values[name] = b
	}
}

// Value reads the value of a port from a string, as on the command line.
func Value(text string, port *program.Port) (json.RawMessage, error) {
	b, err := fromText(text, port)
	if err == nil && port.Enum != nil && !slices.Contains(port.Enum, text) {
		return nil, fmt.Errorf("%q is not one of %s", text, strings.Join(port.Enum, ", "))
	}
	return b, err
}

// Wanted names the values that a port takes, such as "a whole number".
func Wanted(port *program.Port) string {
	if port.Enum != nil {
		return "one of " + strings.Join(port.Enum, ", ")
	}
	return wanted(port.Type)
}

// fromText reads a value from the command line: a string is as it was typed, and
// anything else is JSON.
func fromText(value string, in *program.Port) (json.RawMessage, error) {
	if in.Type.Artifact {
		return artifact(value, in)
	}
	given := fmt.Sprintf("%q", value)
	if !utf8.ValidString(value) { // encode would change it
		return nil, notUTF8(given)
	}
	if in.Type.Name == kfptype.String {
		b := atMidnight(jsontext.String(value), in.Type)
		return b, check(b, in.Type, "", given)
	}
	b := json.RawMessage(strings.TrimSpace(value))
	if !json.Valid(b) {
		if in.Type.Name == kfptype.List || in.Type.Name == kfptype.Struct {
			return nil, fmt.Errorf("%s is not JSON; wanted %s", given, wanted(in.Type))
		}
		return nil, fmt.Errorf("%s is not %s", given, wanted(in.Type))
	}
	if string(b) == "null" {
		return nil, fmt.Errorf("null is not a value; leave the parameter out, or give %s", wanted(in.Type))
	}
	return b, check(b, in.Type, "", given)
}

// atMidnight returns the date of an input that takes a time as the time at which it
// begins, in UTC, and other values as they are.
func atMidnight(b json.RawMessage, t graph.Type) json.RawMessage {
	var s string
	if t.Go != "time.Time" || json.Unmarshal(b, &s) != nil {
		return b
	}
	day, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return b
	}
	return jsontext.String(day.Format(time.RFC3339))
}

// artifact reads an artifact that exists already: its URI, or a file of this machine.
func artifact(value string, in *program.Port) (json.RawMessage, error) {
	if in.Type.List {
		return nil, errors.New("a list of artifacts can't be given to a run; import them in the pipeline")
	}
	if value == "" {
		return nil, errors.New("an artifact is given by its URI or file name; this one is empty")
	}
	given := fmt.Sprintf("%q", value)
	if !utf8.ValidString(value) {
		return nil, notUTF8(given)
	}
	return jsontext.String(value), text(jsontext.String(value), given)
}
