package scheduler

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestArgs: the arguments that are kept with a schedule are checked when it fires or is triggered.
func TestArgs(t *testing.T) {
	p := &program.Program{Name: "p", Main: "p", Components: []*program.Component{{
		Name: "p", DAG: &program.DAG{Kind: program.Pipeline, Outputs: map[string]program.Export{}},
		Inputs: []program.Port{{Name: "n", Type: graph.Type{Name: "NUMBER_INTEGER"}, Optional: true}, {Name: "text", Type: graph.Type{Name: "STRING"}, Optional: true}},
	}}}
	body, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for arg, want := range map[string]string{
		`n 1`: "", `n "x"`: `parameter n: "x" is not an integer`, `text "a\u0000"`: "has the character NUL",
	} {
		name, v, _ := strings.Cut(arg, " ")
		st := newStore(t)
		s := &program.Schedule{Name: "s", Cron: "0 3 * * *", Args: map[string]program.Value{name: {Kind: program.Const, Const: json.RawMessage(v)}}}
		apply(t, st, Spec{Schedule: s, Pipeline: "p", Program: body}, noon, Created)
		all, err := st.Enqueue(t.Context(), "s", Triggered, []time.Time{noon})
		if err != nil {
			t.Fatal(err)
		}
		f, err := st.ClaimOne(t.Context(), all[0].ID, noon)
		if err != nil {
			t.Fatal(err)
		}
		_, err = st.Exec(t.Context(), f.Key())
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", arg, err, want)
		}
	}
}
