package operators

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/test/operators/suite"
)

// TestBadInput: each step ends with what is wrong, and leaves nothing.
func TestBadInput(t *testing.T) {
	ready(t)
	script := suite.ScriptIn{Script: dsl.Const("true")}
	kube.applyText(t, fmt.Sprintf("apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: powerless, namespace: %[1]s}\n---\napiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: powerless, namespace: %[1]s}\nroleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: argo-executor}\nsubjects: [{kind: ServiceAccount, name: powerless, namespace: %[1]s}]\n", namespace))
	for _, tt := range []struct {
		name                     string
		start                    func(testing.TB) started
		apiVersion, kind, prefix string
		says                     []string
	}{
		{"unknown field in a manifest", func(t testing.TB) started { return start(t, suite.UnknownField, dsl.None{}) }, "v1", "Pod", "odd-", []string{"can't create Pod", `unknown field "spec.securityContext.runAsUsr"`}},
		{"condition that never holds", func(t testing.TB) started { return start(t, suite.NeverHolds, dsl.None{}) }, "v1", "ConfigMap", "never-", []string{"waiting for data.ready == yes of ConfigMap never-", "its time of 10s is over"}},
		{"no such CRD", func(t testing.TB) started { return start(t, suite.NoCRD, dsl.None{}) }, "v1", "ConfigMap", "never-", []string{"the cluster has no API example.org/v1, which the Widget of the manifest needs"}},
		{"no permission", func(t testing.TB) started {
			return start(t, suite.PyTorchJob, script, client.ServiceAccount("powerless"))
		}, "kubeflow.org/v1", "PyTorchJob", "no-", []string{"can't create PyTorchJob", "cannot create resource", "give the service account of the pipeline's pods a Role that allows it"}},
		{"image that can't be pulled", func(t testing.TB) started { return start(t, suite.NoImage, dsl.None{}) }, "batch/v1", "Job", "lost-", []string{"its time of 20s is over", "ErrImageNeverPull"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			failing(t, tt.name, tt.start(t), tt.apiVersion, tt.kind, tt.prefix, tt.says...)
		})
	}
}

const endless = "sleep 600"

// running starts an endless TFJob of a name, and waits until it is there.
func running(t *testing.T, p *dsl.Component[suite.NamedIn, dsl.None], name string) started {
	t.Helper()
	r := start(t, p, suite.NamedIn{Name: dsl.Const(name), Script: dsl.Const(endless)})
	await(t, name)
	return r
}

// await waits until a PyTorchJob of a name runs, and returns the object's name.
func await(t *testing.T, prefix string) (name string) {
	t.Helper()
	err := until(prefix+" runs", 5*time.Minute, func() bool {
		name = runningJob(t, prefix)
		return name != ""
	})
	if err != nil {
		t.Error(err)
	}
	return name
}

// runningJob returns the PyTorchJob of a name that runs, if one does.
func runningJob(t *testing.T, prefix string) string {
	t.Helper()
	for _, o := range kube.list(t, "kubeflow.org/v1", "PyTorchJob", "") {
		if strings.HasPrefix(o.GetName(), prefix) && strings.Contains(fmt.Sprint(o.Object["status"]), "JobRunning") {
			return o.GetName()
		}
	}
	return ""
}

func TestDeletedMeanwhile(t *testing.T) {
	ready(t)
	r := running(t, suite.Named, "deleted")
	deleted(t, "kubeflow.org/v1", "PyTorchJob", "deleted-")
	failing(t, "job that is deleted meanwhile", r, "kubeflow.org/v1", "PyTorchJob", "deleted-", "was deleted while it was waited for", "SuccessfulCreatePod")
}

// TestCancel: a run that is ended, in either of Argo's ways, takes along what it made.
func TestCancel(t *testing.T) {
	ready(t)
	for name, stop := range map[string]func(*argo.Client, string) error{
		"terminate": func(c *argo.Client, id string) error { return c.Terminate(context.Background(), id) },
		"stop": func(_ *argo.Client, id string) error {
			r, err := kube.of("argoproj.io/v1alpha1", "Workflow", namespace)
			if err == nil {
				_, err = r.Patch(context.Background(), id, types.MergePatchType, []byte(`{"spec": {"shutdown": "Stop"}}`), metav1.PatchOptions{})
			}
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := running(t, suite.Named, name)
			c, err := server()
			if err == nil {
				err = stop(c, r.ID)
			}
			if err != nil {
				t.Fatal(err)
			}
			done := ended(t, r, time.Minute)
			l := line{system: "argo " + name, applied: "a PyTorchJob", ran: "its pods", result: string(done.State), want: "CANCELED"}
			if l.cleaned = gone(t, "kubeflow.org/v1", "PyTorchJob", name+"-"); l.cleaned != "yes" {
				err = fmt.Errorf("not cleaned up: %s", done.log)
			}
			tell(t, l, err)
		})
	}
}

// TestSignal: kfpgo run on this machine, ended by a signal, takes along what it made.
func TestSignal(t *testing.T) {
	ready(t)
	config := t.TempDir() + "/config" // in the namespace of the test
	text := read(t, os.Getenv("KUBECONFIG"))
	text = strings.Replace(text, "context: {cluster: c, user: u}", "context: {cluster: c, user: u, namespace: "+namespace+"}", 1)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	cmd := exec.Command(os.Getenv("KFPGO"), "run", "./suite#Named", "--home", t.TempDir(), "-p", "name=signal", "-p", "script="+endless)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+config)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	err := until("signal runs", 5*time.Minute, func() bool {
		return len(ended) > 0 || runningJob(t, "signal") != ""
	})
	if err == nil && len(ended) > 0 {
		err = fmt.Errorf("it ended before it got its signal: %w", <-ended)
	}
	if err != nil {
		t.Fatal(err, out.String())
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	err = <-ended
	l := line{system: "kfpgo run here, SIGTERM", applied: "a PyTorchJob", ran: "its pods", result: "it fails", want: "it fails"}
	if err == nil {
		l.result = "it succeeds"
	}
	err = nil
	if l.cleaned = gone(t, "kubeflow.org/v1", "PyTorchJob", "signal-"); l.cleaned != "yes" {
		err = fmt.Errorf("not cleaned up: %s", out.String())
	}
	tell(t, l, err)
}
