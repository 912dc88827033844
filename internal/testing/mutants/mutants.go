// Package mutants makes broken files of a good one, for tests of what reads them.
package mutants

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"gopkg.in/yaml.v3"
)

// values are what each value of a file is replaced with, in turn.
var values = []any{nil, "x", []any{}, map[string]any{}, []any{nil}, map[string]any{"x": nil}}

// Each calls read with each file that differs from a good one, YAML or JSON, in
// one value: it is null, a scalar, an empty list or object, one that holds null,
// or is left out. The files are JSON, which YAML's readers read too. A panic of
// read is an error of the test, which names the place and the value.
func Each(t *testing.T, good []byte, read func(bad []byte)) {
	t.Helper()
	docs := parse(t, good)
	n := 0
	try := func(where string, v any) {
		n++
		Try(t, fmt.Sprintf("%s = %s", where, text(t, v)), write(t, docs), read)
	}
	for i := range docs {
		walk(fmt.Sprintf("document %d: ", i), docs[i], func(v any) { docs[i] = v }, try)
	}
	if n < 30 {
		t.Errorf("%d files; the good one says too little to break", n)
	}
}

// Try calls read with a file. A panic is an error of the test.
func Try(t *testing.T, name string, file []byte, read func([]byte)) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: panic: %v\n%s", name, p, stack())
		}
	}()
	read(file)
}

// stack returns the first places of kfpgo below a panic.
func stack() string {
	var places []string
	_, after, _ := strings.Cut(string(debug.Stack()), "panic(")
	for _, line := range strings.Split(after, "\n") {
		if strings.HasPrefix(line, "\t") && len(places) < 5 {
			places = append(places, line)
		}
	}
	return strings.Join(places, "\n")
}

func parse(t *testing.T, good []byte) (docs []any) {
	t.Helper()
	d := yaml.NewDecoder(bytes.NewReader(good))
	for {
		var v any
		if err := d.Decode(&v); errors.Is(err, io.EOF) {
			return docs
		} else if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, v)
	}
}

func text(t *testing.T, v any) []byte {
	t.Helper()
	if _, absent := v.(left); absent {
		return []byte("(left out)")
	}
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func write(t *testing.T, docs []any) []byte {
	t.Helper()
	var all [][]byte
	for _, d := range docs {
		all = append(all, text(t, d))
	}
	return bytes.Join(all, []byte("\n---\n"))
}

// left stands for a value that isn't there.
type left struct{}

// walk sets the values below v, and v itself, one after the other to each of values.
func walk(where string, v any, set func(any), try func(where string, v any)) {
	for _, other := range values {
		set(other)
		try(where, other)
	}
	set(v)
	switch v := v.(type) {
	case []any:
		for i := range v {
			walk(fmt.Sprintf("%s[%d]", where, i), v[i], func(e any) { v[i] = e }, try)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			e := v[k]
			delete(v, k)
			try(where+"."+k, left{})
			walk(where+"."+k, e, func(e any) { v[k] = e }, try)
		}
	}
}
