package kfpgo_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// workspace is the environment of somebody who works in a clone: the tools read go.work,
// which make leaves out.
func workspace(t *testing.T) []string {
	t.Helper()
	file, err := filepath.Abs("go.work")
	if err != nil {
		t.Fatal(err)
	}
	return []string{"GOWORK=" + file, "GOFLAGS="}
}

// downloading is what the go command prints the first time.
var downloading = regexp.MustCompile(`(?m)^go: downloading .*\n`)

// TestWorkspace: the commands that read the go.mod of every dependency print no error in a
// clone, and need no other checksums than the committed ones.
func TestWorkspace(t *testing.T) {
	before := string(read(t, "go.work.sum"))
	for command, want := range map[string]string{
		"go doc ./dsl":              "func Pipeline[",
		"go list -m all":            "k8s.io/kubernetes v0.17.9 => k8s.io/kubernetes v1.11.1",
		"go mod graph":              "k8s.io/kubernetes@v0.17.9",
		"go list -test -deps ./...": module + "/client/kfp.test", // as gopls loads them
	} {
		words := strings.Fields(command)
		cmd := exec.Command(words[0], words[1:]...)
		cmd.Env = append(os.Environ(), workspace(t)...)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		said := downloading.ReplaceAllString(stderr.String(), "")
		if err != nil || said != "" || !strings.Contains(string(out), want) {
			t.Errorf("%s: %v, stderr %q; want %q in the output", command, err, said, want)
		}
	}
	if string(read(t, "go.work.sum")) != before {
		t.Error("go.work.sum has changed; make tidy writes it")
	}
}
