package graph_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/graph"
)

func TestReadBad(t *testing.T) {
	const scope = `"components":[{"id":1,"name":"p","kind":"pipeline","body":1,"inputs":[{"name":"x"}]}],"scopes":[{"id":1,"owner":1,"kind":"pipeline"`
	for text, want := range map[string]string{
		``:                                     "unexpected end of JSON",
		`{`:                                    "unexpected end of JSON",
		`null`:                                 "no object",
		`{"schema":1,"tasks":{}}`:              `"tasks" is {}; want a list`,
		`{"schema":1,"tasks":[5]}`:             "want a list of objects",
		`{"schema":1,"values":[{"id":1.5}]}`:   `"id" is 1.5; want a whole number`,
		`{"schema":1,"values":[{"id":"1"}]}`:   `"id" is "1"; want a whole number`,
		`{"schema":1,"values":[{"text":[1]}]}`: "want a text",
		`{"schema":1,"scopes":[{"cond":5}]}`:   `"cond" is 5; want a condition`,
		`{"schema":1,"components":5}`:          "cannot unmarshal number",
		`{"schema":2}`:                         "schema 2; this kfpgo reads 1",
		`{"schema":1} {}`:                      "there is more after the JSON value",
		`{"schema":1,"components":[null]}`:     "component 0 is in the place of 1",
		`{"schema":1,"components":[{"id":2}]}`: "component 2 is in the place of 1",
		`{"schema":1,"tasks":[null]}`:          "task 0 is in the place of 1",
		`{"schema":1,"schedules":[null]}`:      "a schedule is null",
		`{"schema":1,"errors":[null]}`:         "an error is null",
		`{"schema":1,"components":[{"id":1,"name":"p","kind":"pipeline","body":7}]}`:                                                                     "no scope 7",
		`{"schema":1,"components":[{"id":1,"name":"p","kind":"container"}]}`:                                                                             "with the parts of another kind",
		`{"schema":1,"components":[{"id":1,"name":"p","kind":"thing"}]}`:                                                                                 `no kind "thing"`,
		`{"schema":1,"components":[{"id":1,"name":"p","kind":"pipeline","results":{"x":1}}],"values":[{"id":1,"kind":"const","const":1}]}`:               `has no output "x"`,
		`{"schema":1,"values":[{"id":1,"kind":"field","of":[2]}]}`:                                                                                       "no value 2",
		`{"schema":1,"values":[{"id":1,"kind":"field","of":[1]}]}`:                                                                                       "value 1 holds itself",
		`{"schema":1,"values":[{"id":1,"kind":"field","of":[2]},{"id":2,"kind":"oneof","of":[1]}]}`:                                                      "holds itself",
		`{"schema":1,"values":[{"id":1,"kind":"format","text":[""],"of":[1]}]}`:                                                                          "is a format without",
		`{"schema":1,"values":[{"id":1,"kind":"const"}]}`:                                                                                                "is a const without",
		`{"schema":1,"values":[{"id":1,"kind":"output"}]}`:                                                                                               "without what that needs",
		`{"schema":1,"values":[{"id":1,"kind":"magic"}]}`:                                                                                                `no kind "magic"`,
		`{"schema":1,"schedules":[{"name":"x","pipeline":-1}]}`:                                                                                          "no component -1",
		`{"schema":1,"tasks":[{"id":1,"name":"t","component":0,"scope":0}]}`:                                                                             "no component 0",
		`{"schema":1,` + scope + `,"nodes":[{"task":3}]}]}`:                                                                                              "no task 3",
		`{"schema":1,` + scope + `,"nodes":[{}]}]}`:                                                                                                      "not one task or scope",
		`{"schema":1,` + scope + `,"nodes":[{"scope":1}]}]}`:                                                                                             "scope 1 is in scope 1 and 0",
		`{"schema":1,` + scope + `,"parent":1}]}`:                                                                                                        "scope 1 holds itself",
		`{"schema":1,` + scope + `,"items":1}],"values":[{"id":1,"kind":"item"}]}`:                                                                       "has items",
		`{"schema":1,` + scope + `,"cond":{"op":"==","values":[5]}}]}`:                                                                                   "no value 5",
		`{"schema":1,` + scope + `,"cond":{"op":"=="}}]}`:                                                                                                "condition == has 0 operands",
		`{"schema":1,` + scope + `,"cond":{"op":"~"}}]}`:                                                                                                 `no condition "~"`,
		`{"schema":1,` + scope + `,"cond":{"op":"!","conds":[null]}}]}`:                                                                                  "a condition is null",
		`{"schema":1,` + scope + `,"nodes":[{"task":1}]}],"tasks":[{"id":1,"name":"t","component":1,"scope":1}]}`:                                        "component 1 holds itself",
		`{"schema":1,` + scope + `}],"tasks":[{"id":1,"name":"t","component":1,"scope":1,"args":{"y":1}}],"values":[{"id":1,"kind":"const","const":1}]}`: `has no input "y"`,
		`{"schema":1,` + scope + `}],"tasks":[{"id":1,"name":"t","component":1,"scope":1,"options":[{"name":"cpu","args":[{}]}]}]}`:                      "not one constant or value",
	} {
		if _, err := graph.Read([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %q", text, err, want)
		}
	}
}

// TestReadAll sets each field of what is read by hand, and reads it back.
func TestReadAll(t *testing.T) {
	n := 0
	var fill func(v reflect.Value)
	fill = func(v reflect.Value) {
		n++
		switch v.Kind() {
		case reflect.Int:
			v.SetInt(int64(n))
		case reflect.Bool:
			v.SetBool(true)
		case reflect.String:
			v.SetString(fmt.Sprint("text \"é\u2028 ", n))
		case reflect.Pointer:
			if n > 300 {
				return // conditions hold conditions
			}
			v.Set(reflect.New(v.Type().Elem()))
			fill(v.Elem())
		case reflect.Struct:
			for i := range v.NumField() {
				fill(v.Field(i))
			}
		case reflect.Slice:
			if v.Type() == reflect.TypeFor[json.RawMessage]() {
				v.SetBytes([]byte(fmt.Sprintf(`{"a":[%d]}`, n)))
				return
			}
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
			fill(v.Index(0))
			fill(v.Index(1))
		case reflect.Map:
			v.Set(reflect.MakeMap(v.Type()))
			id := reflect.New(v.Type().Elem()).Elem()
			fill(id)
			v.SetMapIndex(reflect.ValueOf("key"), id)
		default:
			t.Fatalf("no way to fill a %s", v.Type())
		}
	}
	for _, of := range []any{&graph.Graph{Scopes: make([]*graph.Scope, 1)}, &graph.Graph{Tasks: make([]*graph.Task, 1)}, &graph.Graph{Values: make([]*graph.Value, 1)}} {
		g := of.(*graph.Graph)
		g.Schema, n = graph.Schema, 0
		for _, table := range []reflect.Value{reflect.ValueOf(g.Scopes), reflect.ValueOf(g.Tasks), reflect.ValueOf(g.Values)} {
			for i := range table.Len() {
				fill(table.Index(i))
			}
		}
		text, err := json.Marshal(g)
		if err != nil {
			t.Fatal(err)
		}
		var want graph.Graph
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		got, err := graph.Decode(text)
		if err != nil || !reflect.DeepEqual(got, &want) {
			t.Errorf("%v: got\n%+v\nfrom\n%s", err, got, text)
		}
	}
}

// FuzzRead reads anything. What is accepted can be printed, and written and read
// again without a change. Package dsl's tests keep testdata/graph.json, which
// has all that a graph can hold.
func FuzzRead(f *testing.F) {
	seed, err := os.ReadFile("testdata/graph.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add([]byte(`{"schema":1,"components":[{"id":1,"name":"p","kind":"func"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := graph.Read(b)
		if err != nil {
			return
		}
		var text, once, twice bytes.Buffer
		for _, c := range g.Components {
			graph.Fprint(&text, g, c)
		}
		g.Pick("")
		if err := graph.Write(&once, g); err != nil {
			t.Fatal(err)
		}
		back, err := graph.Read(once.Bytes())
		if err != nil {
			t.Fatalf("%v\n%s", err, once.Bytes())
		}
		if err := graph.Write(&twice, back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(once.Bytes(), twice.Bytes()) {
			t.Errorf("%s\n%s", once.Bytes(), twice.Bytes())
		}
	})
}
