package k8s

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/test/k8s/replayed"
)

// TestReplay: steps that failed on Argo are run again on this machine with what they
// were given there, and fail the same way.
func TestReplay(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bin := filepath.Join(dir, "kfpgo")
	command(t, "", "go", "-C", "../..", "build", "-o", bin, "./cmd/kfpgo")
	tar := filepath.Join(dir, "replayed.tar")
	command(t, "", bin, "build", "--tar", tar, "--tag", "registry.local/replayed:1", "./replayed")
	command(t, "", "./cluster", "load", tar)
	command(t, "", "./cluster", "podman")
	slots <- struct{}{}
	defer func() { <-slots }()
	c := connect(t, opened(t).URL)
	type none = struct{}
	r, err := api.Submit(t.Context(), c, replayed.Pipeline, none{}, api.Compile(compiler.Image("registry.local/replayed:1")))
	no(t, err)
	r, err = api.Wait(t.Context(), c, r.ID, api.WaitOptions{})
	no(t, err)
	if r.State != api.Failed {
		t.Fatalf("the run is %s", r.State)
	}
	var failed []string
	for _, task := range r.Tasks {
		if task.State == api.Failed && task.Pod != "" {
			failed = append(failed, task.Path)
		}
	}
	slices.Sort(failed)
	if want := "for-loop-1/1/odd for-loop-1/2/odd python read tool"; strings.Join(failed, " ") != want {
		t.Errorf("what failed is %q, want %s", failed, want)
	}
	for _, path := range failed {
		s, err := c.Step(t.Context(), r.ID, path)
		no(t, err)
		cmd := exec.Command("nsenter", "--net=/run/netns/kfpgo-e2e", bin, "replay", r.ID, path, "./replayed", "--on", "argo", "--kubeconfig", kubeconfig(t), "--namespace", "default", "--home", filepath.Join(dir, "home"))
		cmd.Env = append(os.Environ(), "KFPGO_STORE=http://10.250.0.1:9000") // its service has no pods
		out, _ := cmd.CombinedOutput()
		// Argo puts "Error (exit code N)" around what the step has said, if it has it.
		message := strings.TrimSuffix(regexp.MustCompile(`^(Error|main: Error) \(exit code \d+\)(: )?`).ReplaceAllString(s.Error, ""), "\n")
		if code := "failed with exit code " + s.ExitCode + ", as here"; s.ExitCode == "" || !strings.Contains(string(out), "then     "+code+"\n") || cmd.ProcessState.ExitCode() != 1 {
			t.Errorf("%s: it didn't end as there, with exit code %q:\n%s", path, s.ExitCode, out)
		}
		if message == "" && path != "tool" || !strings.Contains(after(string(out), "\nkfpgo: the step failed: "), message) {
			t.Errorf("%s: there it said %q, here\n%s", path, s.Error, out)
		}
		t.Logf("%s\n%s", s.Error, out)
	}
}

// kubeconfig is that of the cluster which is up.
func kubeconfig(t *testing.T) string {
	root, err := os.ReadFile("/run/kfpgo-e2e.root")
	no(t, err)
	return filepath.Join(strings.TrimSpace(string(root)), "admin.kubeconfig")
}

// after is what follows the last place of a text.
func after(s, text string) string {
	i := strings.LastIndex(s, text)
	if i < 0 {
		return ""
	}
	return s[i+len(text):]
}
