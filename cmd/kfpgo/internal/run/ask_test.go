package run

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// silent is a terminal on which nobody types.
type silent chan struct{}

func (s silent) Read([]byte) (int, error) { <-s; return 0, nil }

// TestAsk: what the user types becomes outputs, mistakes are asked for again, and an
// empty line is the default.
func TestAsk(t *testing.T) {
	q := engine.Question{
		Task: "approve", Doc: "Deploy\x1b[2J?", Inputs: map[string]json.RawMessage{"score": json.RawMessage("0.9")},
		Outputs: []program.Port{
			{Name: "deploy", Type: graph.Type{Name: kfptype.String}, Enum: []string{"YES", "NO"}, Default: json.RawMessage(`"NO"`), Doc: "Sure?"},
			{Name: "replicas", Type: graph.Type{Name: kfptype.Integer, Go: "int"}},
			{Name: "comment", Type: graph.Type{Name: kfptype.String}, Optional: true},
		},
	}
	asked := "approve waits for your answer\n  Deploy\\x1b[2J?\n  score = 0.9\n  Sure? deploy (one of YES, NO) [NO]: "
	for _, tt := range []struct{ typed, want, out string }{
		{"YES\n2\n fine \n", `map[comment:"fine" deploy:"YES" replicas:2]`, asked + "  replicas (an integer (int)):   comment (a string) [none]: "},
		{"\n3\n\n", `map[replicas:3]`, asked + "  replicas (an integer (int)):   comment (a string) [none]: "},
		{"yes\nNO\nx\n1\n\n", `map[deploy:"NO" replicas:1]`, asked + "  \"yes\" is not one of YES, NO\n  Sure? deploy (one of YES, NO) [NO]:   replicas (an integer (int)):   \"x\" is not an integer (int)\n  replicas (an integer (int)):   comment (a string) [none]: "},
		{"YES\n", "the terminal was closed before it was answered; give --answer", asked + "  replicas (an integer (int)): "},
	} {
		var out bytes.Buffer
		got, err := newAsker(strings.NewReader(tt.typed), &out).ask(t.Context(), q)
		text := fmt.Sprintf("%s", got)
		if err != nil {
			text = err.Error()
		}
		if text != tt.want || out.String() != tt.out {
			t.Errorf("%q: %s, want %s\n%q\nwant\n%q", tt.typed, text, tt.want, out.String(), tt.out)
		}
	}
	var out bytes.Buffer
	if _, err := newAsker(strings.NewReader("\n"), &out).ask(t.Context(), engine.Question{Task: "pause"}); err != nil || !strings.Contains(out.String(), "press enter to continue") {
		t.Errorf("%v, %q", err, out.String())
	}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		closed := make(silent)
		a := newAsker(closed, &out)
		done := make(chan error)
		for range 2 { // one of them waits for its turn
			go func() {
				_, err := a.ask(ctx, engine.Question{Task: "pause", Deadline: time.Now().Add(time.Minute)})
				done <- err
			}()
		}
		if a, b := <-done, <-done; a != context.DeadlineExceeded || b != context.DeadlineExceeded {
			t.Errorf("after the deadline: %v, %v", a, b)
		}
		close(closed)
		for range a.lines {
		}
	})
}
