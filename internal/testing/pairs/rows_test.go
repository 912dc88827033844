package pairs_test

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/pairs"
)

// TestRows: every row of the list of features is shown by a pair or by functions
// that KFP's executor ran, or says why none can, and pairs name rows that exist.
func TestRows(t *testing.T) {
	rows := pairs.Rows()
	for _, p := range pairs.All() {
		for _, e := range p.Exceptions {
			if pairs.Faults[e.Fault] == "" {
				t.Errorf("pair %s: there is no fault %d", p.Name, e.Fault)
			}
		}
	}
	n := 0
	for _, s := range pairs.Sections() {
		n += len(s.Rows)
	}
	if n != len(rows) {
		t.Errorf("%d rows with %d names: one is there twice", n, len(rows))
	}
	shown := pairs.Shown()
	ran := functions(t)
	for id, by := range shown {
		if _, ok := rows[id]; !ok {
			t.Errorf("pair %s shows %q, which is no row; see rows_*.go", by[0].Name, id)
		}
	}
	for id, r := range rows {
		_, missing := pairs.Missing[id]
		if r.Example != "" {
			if _, err := pairs.ExampleFile("../../..", r.Example); err != nil {
				t.Errorf("row %q: %v", id, err)
			}
		}
		if r.Elsewhere == "" && !missing && (r.Go == "" || r.Example == "") {
			t.Errorf("row %q doesn't say how it is with kfpgo, or has no example", id)
		}
		for _, f := range r.AtRunTime {
			if !ran[f] {
				t.Errorf("row %q: KFP's executor runs no function %s in internal/target/pyrun/testdata/functions.json", id, f)
			}
		}
		switch {
		case len(r.AtRunTime) > 0 && (len(shown[id]) > 0 || r.Elsewhere != "" || missing):
			t.Errorf("row %q is said to be at run time, and in IR, elsewhere or missing too", id)
		case len(shown[id]) > 0 && r.Elsewhere != "":
			t.Errorf("row %q is shown by pair %s, though no pair can show it", id, shown[id][0].Name)
		case len(shown[id]) == 0 && len(r.AtRunTime) == 0 && r.Elsewhere == "" && !missing:
			t.Errorf("row %q is shown by no pair", id)
		}
	}
	for id := range pairs.Missing {
		if _, ok := rows[id]; !ok {
			t.Errorf("%q is missing, but no row", id)
		}
		if by := shown[id]; len(by) > 0 {
			t.Errorf("row %q is said to be missing, and pair %s shows it: take it off Missing", id, by[0].Name)
		}
	}
}

// functions returns those that KFP's executor ran, to their end, for package pyrun.
func functions(t *testing.T) map[string]bool {
	t.Helper()
	b, err := os.ReadFile("../../target/pyrun/testdata/functions.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Function string
		Want     *struct{ Error bool }
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	for _, c := range cases {
		if c.Want != nil && !c.Want.Error {
			ran[c.Function] = true
		}
	}
	return ran
}
