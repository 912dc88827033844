package kfp

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/kfp"
)

// TestMultiUser needs the server in the mode for many users, and is a run of its own
// for that reason: KFPGO_TEST_MULTI says so.
func TestMultiUser(t *testing.T) {
	if os.Getenv("KFPGO_TEST_MULTI") == "" {
		t.Skip("the server is in its mode for one user; make e2e-kfp runs this with the other one")
	}
	k := func(input string, args ...string) string {
		t.Helper()
		cmd := exec.Command("kubectl", args...)
		cmd.Stdin = strings.NewReader(input)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("kubectl %q: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	k(`
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: robot, namespace: team}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: pipelines, namespace: team}
rules:
- {apiGroups: [pipelines.kubeflow.org], resources: ["*"], verbs: ["*"]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: pipelines, namespace: team}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: pipelines}
subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: ada@example.com}, {kind: ServiceAccount, name: robot, namespace: team}]
`, "apply", "-f", "-")
	ctx := t.Context()
	ada := connect(t, kfp.Config{Namespace: "team", User: "ada@example.com"})
	h, err := ada.Health(ctx)
	if err != nil || !h.MultiUser {
		t.Fatalf("%+v %v", h, err)
	}
	name := unique(t)
	e, _, err := ada.CreateExperiment(ctx, name, "")
	no(t, err)
	if e.Namespace != "team" {
		t.Errorf("%+v", e)
	}

	_, _, err = connect(t, kfp.Config{Namespace: "team", User: "bob@example.com"}).ListExperiments(ctx, kfp.ListOptions{})
	code(t, err, client.Denied)
	_, _, err = connect(t, kfp.Config{Namespace: "team"}).ListExperiments(ctx, kfp.ListOptions{})
	code(t, err, client.Unauthenticated)

	// The token of a service account, in a file as a pod has it.
	file := filepath.Join(t.TempDir(), "token")
	no(t, os.WriteFile(file, []byte("not.a.token"), 0o600))
	robot := connect(t, kfp.Config{Namespace: "team", TokenFile: file})
	_, err = robot.Experiment(ctx, name)
	code(t, err, client.Unauthenticated)
	if !strings.Contains(err.Error(), "token file "+file) || strings.Contains(err.Error(), "not.a.token") {
		t.Errorf("got %v", err)
	}
	no(t, os.WriteFile(file, []byte(k("", "create", "token", "robot", "-n", "team", "--audience=pipelines.kubeflow.org")), 0o600))
	got, err := robot.Experiment(ctx, name)
	no(t, err)
	if got.ID != e.ID {
		t.Errorf("%+v", got)
	}
	no(t, robot.DeleteExperiment(ctx, name))
}
