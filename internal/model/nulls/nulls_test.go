package nulls_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/nulls"
)

type tree struct {
	Name   string           `json:"name"`
	Texts  []*string        `json:"texts"`
	Kids   []*tree          `json:"kids"`
	Groups [][]*tree        `json:"groups"`
	ByName map[string]*tree `json:"byName"`
	Bytes  []byte
	Inner  struct{ Of []*tree }
	Opt    *tree `json:"opt"`
}

func TestCheck(t *testing.T) {
	for text, want := range map[string]string{
		`{}`: "", `{"kids": null, "byName": null, "opt": null, "name": null}`: "",
		`{"kids": [{}, {"kids": []}], "opt": {"byName": {"a": {}}}}`: "",
		`{"kids": [{}, null]}`:                            "kids[1] is null, where an object belongs",
		`{"groups": [[], [{}, null]]}`:                    "groups[1][1] is null, where an object belongs",
		`{"opt": {"byName": {"a": {"kids": [null]}}}}`:    "opt.byName[a].kids[0] is null, where an object belongs",
		`{"Inner": {"Of": [null]}}`:                       "Inner.Of[0] is null, where an object belongs",
		`{"byName": {"b": null}, "texts": ["a", "null"]}`: "byName[b] is null, where an object belongs",
	} {
		var v tree
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		if err := nulls.Check(&v); fmt.Sprint(err) != want && (want != "" || err != nil) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
