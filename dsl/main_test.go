package dsl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// TestSignal sends SIGTERM to a step, which sees its context end.
func TestSignal(t *testing.T) {
	if os.Getenv("KFPGO_TEST_STEP") != "" {
		os.Args = []string{"app", contract.Exec, os.Getenv("KFPGO_TEST_STEP"), "{}"}
		Init(waits)
	}
	cmd := osexec.Command(os.Args[0], "-test.run=^TestSignal$")
	cmd.Env = append(os.Environ(), "KFPGO_TEST_STEP=waits")
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Read(make([]byte, 1)) // it has begun
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait()
	if got, want := stderr.String(), "waits: got SIGTERM: context canceled\n"; got != want || cmd.ProcessState.ExitCode() != 1 {
		t.Errorf("%v, %q, want %q", cmd.ProcessState, got, want)
	}
}

var waits = Func("waits", func(ctx context.Context, _ None, _ *None) error {
	fmt.Print("begun")
	<-ctx.Done()
	return ctx.Err()
})

// TestLastWords: an error goes to the file for it, where there is one.
func TestLastWords(t *testing.T) {
	file := t.TempDir() + "/termination-log"
	lastWords(file, errors.New("none"))
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file was made: %v", err)
	}
	long := strings.Repeat("ü", maxLastWords)
	for _, tt := range []struct{ err, want string }{
		{"x: division by {{zero}}", "x: division by {{zero}}"},
		{"a" + long, "a" + long[:maxLastWords-2] + "…"},
		{"short", "short"},
	} {
		if _, err := os.Stat(file); err != nil {
			os.WriteFile(file, nil, 0o666)
		}
		lastWords(file, errors.New(tt.err))
		if got, err := os.ReadFile(file); string(got) != tt.want || err != nil {
			t.Errorf("%.40s: got %.40s, %d bytes, %v", tt.err, got, len(got), err)
		}
	}
}

func TestInProcess(t *testing.T) {
	p := Pipeline("p", func(s *Scope, _ None) None { exec.Call(s, execIn{A: Const(1)}); return None{} })
	run := recorded.InProcess[Definition](NewSchedule("s", p, When{Every: time.Hour}, None{}), (*Component[None, None])(nil))
	const input = `{"inputs":{"parameterValues":{"a":1}},"outputs":{"artifacts":{"model":{"artifacts":[{"uri":"/tmp/m"}]}}},"kfpgo":{"v":1,"outputs":"local"}}`
	if out, err := run(t.Context(), "exec", json.RawMessage(input)); err != nil || !strings.Contains(string(out), `"text":"1 10`) {
		t.Errorf("got %s, %v", out, err)
	}
	if _, err := run(t.Context(), "other", nil); err == nil || err.Error() != `this program has no Go component "other"; it has exec` {
		t.Errorf("got %v", err)
	}
	if record.Reexec {
		t.Error("a test is no program that runs its steps by itself")
	}
}

// TestOperate: a resource component works on the cluster, and on this machine
// runs what stands in for it.
func TestOperate(t *testing.T) {
	type in struct{ Name Param[string] }
	type out struct {
		Name Param[string] `jsonpath:"{.metadata.name}"`
	}
	c := Resource("object", func(in in, _ out) ResourceSpec { return ResourceSpec{Action: Apply, Manifest: in.Name.String()} })
	before := record.Operate
	defer func() { record.Operate = before }()
	record.Operate = nil
	const input = `{"inputs":{"parameterValues":{"name":"x"}}`
	if _, err := c.c.Run(t.Context(), json.RawMessage(input+"}")); err == nil || !strings.Contains(err.Error(), "import github.com/kfpgo/kfpgo/dsl/k8s") {
		t.Errorf("got %v", err)
	}
	if err := c.Check(); err == nil || !strings.Contains(err.Error(), "component object: the program can't reach a cluster; import") {
		t.Errorf("got %v", err)
	}
	record.Operate = func(_ context.Context, c *record.Component, inputs map[string]json.RawMessage) (map[string]json.RawMessage, error) {
		return map[string]json.RawMessage{"name": inputs["name"]}, nil
	}
	if b, err := c.c.Run(t.Context(), json.RawMessage(input+"}")); err != nil || string(b) != `{"artifacts":{},"parameterValues":{"name":"x"}}` {
		t.Errorf("got %s, %v", b, err)
	}
	local := json.RawMessage(input + `,"kfpgo":{"v":1,"outputs":"local"}}`)
	if _, err := c.c.Run(t.Context(), local); err == nil || !strings.Contains(err.Error(), "give it OnLocal") {
		t.Errorf("got %v", err)
	}
	c.OnLocal(func(_ context.Context, in in, out *out) error { out.Name.Set("local-" + in.Name.Get()); return nil })
	if b, err := c.c.Run(t.Context(), local); err != nil || !strings.Contains(string(b), "local-x") {
		t.Errorf("got %s, %v", b, err)
	}
}

// TestGraphVerb prints the graph, with the names of the variables.
func TestGraphVerb(t *testing.T) {
	var b bytes.Buffer
	var none *Schedule
	if err := dispatch(t.Context(), []string{contract.Graph, "A", "B", "C"}, &b, []any{none, 3, exec}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), `"name":"exec","kind":"func","var":"C"`) {
		t.Errorf("%s", b.String())
	}
	if err := dispatch(t.Context(), []string{contract.Exec}, nil, nil); err == nil || !strings.Contains(err.Error(), "kfpgo:exec takes a component") {
		t.Errorf("got %v", err)
	}
	if err := dispatch(t.Context(), []string{contract.Exec, "exec", "@/no/such"}, nil, []any{exec}); err == nil {
		t.Error("no error for a missing input")
	}
}

// TestStandInOfFunc: a function that works on a cluster has a stand-in here, and
// runs itself elsewhere.
func TestStandInOfFunc(t *testing.T) {
	type out struct{ Where Param[string] }
	c := Func("where", func(_ context.Context, _ None, out *out) error { out.Where.Set("there"); return nil })
	there := c.Func()
	c.OnLocal(func(ctx context.Context, in None, out *out) error {
		err := there(ctx, in, out)
		out.Where.Set("here, not " + out.Where.Get())
		return err
	})
	if err := c.Check(); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]string{"": "there", "argo": "there", "local": "here, not there"} {
		b, err := c.c.Run(t.Context(), json.RawMessage(`{"kfpgo":{"v":1,"outputs":"`+place+`"}}`))
		if err != nil || !strings.Contains(string(b), `"`+want+`"`) {
			t.Errorf("%q: got %s, %v", place, b, err)
		}
	}
	if o, err := c.Run(t.Context(), None{}); err != nil || o.Where.Get() != "here, not there" {
		t.Errorf("got %v, %v", o, err)
	}
}
