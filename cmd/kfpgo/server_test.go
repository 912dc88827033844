package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// startKFP starts a KFP server in memory for a script, and sets KFP to its address. An
// argument is what becomes of its runs, or its version.
func startKFP(ts *testscript.TestScript, _ bool, args []string) {
	s := fakekfp.Start("")
	for _, arg := range args {
		if strings.HasPrefix(arg, "2.") {
			s.Version = arg
		} else {
			s.State = arg
		}
	}
	ts.Defer(s.Close)
	ts.Setenv("KFP", s.URL)
}

// TestServerFlags: a flag of servers is a flag of the verbs that speak to one, and
// is refused by the others.
func TestServerFlags(t *testing.T) {
	t.Setenv("KFPGO_CONFIG", filepath.Join(t.TempDir(), "config.yaml"))
	for _, c := range []struct{ line, want string }{
		{"version --endpoint http://x", "--endpoint is for commands that connect to a server"},
		{"--endpoint http://x version", "--endpoint is for commands that connect to a server"},
		{"--token-file x graph y", "--token-file is for commands that connect to a server"},
		{"run x --endpoint http://x", "give --on kfp"},
		{"run x --on kfp --gpus 1", "--gpus is for runs on this machine"},
		{"run x --on mars --endpoint http://127.0.0.1:1", `no engine "mars"`},
		{"--endpoint http://127.0.0.1:1 runs get x --request-timeout 1s", "server not available"},
		{"runs get x --endpoint http://127.0.0.1:1 --request-timeout 1s", "server not available"},
		{"runs get x --on argo --endpoint http://127.0.0.1:1 --request-timeout 1s", "server not available at http://127.0.0.1:1"},
		{"schedule list --on argo --endpoint http://127.0.0.1:1 --request-timeout 1s", "list schedules: server not available"},
		{"schedule list --on argo --home x --endpoint http://127.0.0.1:1", "--home is for --on local"},
		{"runs list --on mars --endpoint http://127.0.0.1:1", `no engine "mars"`},
	} {
		cmd := newRoot()
		cmd.SetArgs(strings.Fields(c.line))
		cmd.SetOut(os.Stderr)
		if err := cmd.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
	}
}
