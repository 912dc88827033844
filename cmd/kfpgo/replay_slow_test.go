//go:build slow

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestReplayDelve runs a Go step in a real Delve, which stops in its function.
func TestReplayDelve(t *testing.T) {
	dir := t.TempDir()
	vars := goEnv(t)
	bin := filepath.Join(dir, "bin")
	install := exec.Command("go", "install", "github.com/go-delve/delve/cmd/dlv@v1.25.2")
	install.Dir, install.Env = dir, append(os.Environ(), "GOBIN="+bin, "GOFLAGS=")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	kfpgo := func(stdin string, args ...string) string {
		cmd := exec.Command("kfpgo", args...)
		cmd.Dir, cmd.Stdin = vars["REPO"], strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "KFPGO_HOME="+dir, "PATH="+bin+":"+os.Getenv("PATH"))
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	kfpgo("", "run", "./examples/calc", "-p", "a=12")
	out := kfpgo("print in\ncontinue\nexit\n", "replay", "calc-", "add", "--debug")
	for _, want := range []string{"examples/calc/calc.go", "add of run calc-", "12", "then     succeeded, as here"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q isn't there:\n%s", want, out)
		}
	}
}
