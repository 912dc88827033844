package graph_test

import (
	"bytes"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
)

func TestReadBad(t *testing.T) {
	const scope = `"components":[{"id":1,"name":"p","kind":"pipeline","body":1,"inputs":[{"name":"x"}]}],"scopes":[{"id":1,"owner":1,"kind":"pipeline"`
	for text, want := range map[string]string{
		``:                                     "unexpected end of JSON",
		`{`:                                    "unexpected end of JSON",
		`null`:                                 "schema 0; this kfpgo reads 1",
		`{"schema":1,"tasks":{}}`:              "cannot unmarshal object into Go struct field Graph.tasks",
		`{"schema":1,"tasks":[5]}`:             "cannot unmarshal number into Go struct field Graph.tasks",
		`{"schema":1,"values":[{"id":1.5}]}`:   "cannot unmarshal number 1.5 into Go struct field Value.values.id",
		`{"schema":1,"values":[{"id":"1"}]}`:   "cannot unmarshal string into Go struct field Value.values.id",
		`{"schema":1,"values":[{"text":[1]}]}`: "cannot unmarshal number into Go struct field Value.values.text of type string",
		`{"schema":1,"scopes":[{"cond":5}]}`:   "cannot unmarshal number into Go struct field Scope.scopes.cond",
		`{"schema":1,"components":5}`:          "cannot unmarshal number",
		`{"schema":2}`:                         "schema 2; this kfpgo reads 1",
		`{"schema":1} {}`:                      "invalid character '{' after top-level value",
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
		`{"schema":1,"values":[{"id":1,"kind":"output"}]}`:                                                                                               "without its fields",
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

// FuzzRead reads anything. What is accepted can be described, and written and read
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
		var once, twice bytes.Buffer
		for _, v := range g.Values {
			g.Describe(v.ID)
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
