package k8s

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	api "github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
)

// TestNightly: the program in examples/nightly, with Argo in place of KFP as its README
// says, and then the command, start MNIST and make it nightly. It is
// enough that the runs are there: TestMNIST looks at what mnist does.
func TestNightly(t *testing.T) {
	t.Parallel()
	g := opened(t)
	ctx, dir := t.Context(), t.TempDir()
	space := fmt.Sprintf("nightly-%d", time.Now().Unix()) // since the claims of all runs of mnist have one name
	call(t, "POST", "/api/v1/namespaces", "", fmt.Appendf(nil, `{"metadata": {"name": %q}}`, space))
	t.Cleanup(func() { call(t, "DELETE", "/api/v1/namespaces/"+space, "", nil) })
	c, err := argo.Connect(argo.Config{Endpoint: g.URL, Namespace: space})
	no(t, err)
	b, err := os.ReadFile("../../examples/nightly/main.go")
	no(t, err)
	main := filepath.Join(dir, "main.go")
	no(t, os.WriteFile(main, []byte(strings.NewReplacer("client/kfp", "client/argo", "kfp.", "argo.").Replace(string(b))), 0o644))
	no(t, os.WriteFile(filepath.Join(dir, "config.yaml"), fmt.Appendf(nil, "current: here\ncontexts: {here: {engine: argo, endpoint: %q, namespace: %s}}\n", g.URL, space), 0o600))
	env := append(os.Environ(), "KFPGO_CONFIG="+filepath.Join(dir, "config.yaml"), "KFPGO_IMAGE=registry.local/mnist:1", "KF_PIPELINES_ENDPOINT=", "KFPGO_TOKEN=")
	start := func(name string, args ...string) string {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir, cmd.Env = "../..", env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s %q: %v\n%s", name, args, err, out)
		}
		return string(out)
	}
	program, kfpgo := filepath.Join(dir, "nightly"), filepath.Join(dir, "kfpgo")
	start("go", "build", "-o", program, main)
	start("go", "build", "-o", kfpgo, "./cmd/kfpgo")
	said := start(program)
	if !strings.Contains(said, "schedule mnist was created") {
		t.Errorf("it says %s", said)
	}
	if again := start(kfpgo, "schedule", "apply", "./examples/nightly", "--on", "argo"); !strings.Contains(again, "unchanged") {
		t.Errorf("the same by the command: %s", again)
	}
	s, err := c.Schedule(ctx, "mnist")
	no(t, err)
	if s.When.Cron != "0 3 * * *" || s.Paused || s.Problem != "" {
		t.Errorf("%+v", s)
	}
	byCommand := strings.Fields(start(kfpgo, "run", "./examples/mnist", "--on", "argo", "-p", "source=file:///nowhere"))
	for _, name := range []string{strings.Fields(said)[1], byCommand[1]} {
		found := false
		for r, err := range api.Runs(ctx, c, api.ListOptions{Name: name}) {
			no(t, err)
			if found = true; r.Pipeline != "mnist" {
				t.Errorf("%+v", r)
			}
			if !r.State.Done() {
				no(t, c.Terminate(ctx, r.ID))
			}
		}
		if !found {
			t.Errorf("there is no run %s", name)
		}
	}
	no(t, c.DeleteSchedule(ctx, "mnist"))
}
