package operators

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

var (
	kube  *cluster
	setUp sync.Once

	installed bool
)

// ready installs what the systems need, once, and lets other tests run beside this one.
func ready(t *testing.T) {
	t.Helper()
	setUp.Do(func() {
		c, err := connect()
		if err != nil {
			t.Fatal(err)
		}
		m := modules(t)
		c.applyText(t, base)
		c.admission(global{t})
		if _, err := c.typed.CoreV1().Nodes().Patch(context.Background(), "node1", types.MergePatchType, []byte(`{"status": {"capacity": {"nvidia.com/gpu": "4"}}}`), metav1.PatchOptions{}, "status"); err != nil {
			t.Fatal(err)
		}
		kube = c
		c.applyText(t, imageCaches+"---\n"+seldonCRD)
		for _, op := range operators {
			c.install(t, op, m)
		}
		for _, o := range files(t, m["VOLCANO"]+"/*.yaml") {
			if err := c.apply(context.Background(), o); err != nil {
				t.Fatal(err)
			}
		}
		c.mapper.Reset()
		for _, part := range []func(context.Context){c.volcano, c.seldon, c.eci} {
			part(context.Background())
		}
		c.outside(t, "istio-system", "istio-ingressgateway", 8090, http.HandlerFunc(gateway))
		c.outside(t, "mirror", "mirror", 8091, http.HandlerFunc(mirror))
		models(t)
		for _, op := range operators {
			c.ready(t, op)
		}
		runtimes(t, m)
		for _, o := range files(t, m["TRAINER"]+"/manifests/base/runtimes/torch_distributed.yaml") {
			apply(t, o)
		}
		installed = true
	})
	if !installed {
		t.Fatal("the systems can't be installed; see above")
	}
	t.Parallel()
}

// global is a test whose clean-up is the process's: what ready starts stays.
type global struct{ testing.TB }

func (global) Cleanup(func()) {}

// base is what all pipelines share: the store for artifacts, and a service account
// with the rights that the components' page lists.
var base = fmt.Sprintf(`apiVersion: v1
kind: Namespace
metadata: {name: %[1]s}
---
apiVersion: v1
kind: Secret
metadata: {name: s3, namespace: %[1]s}
stringData: {accesskey: a, secretkey: b}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: pods, namespace: %[1]s}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: %[1]s-pods}
rules:
- {apiGroups: [argoproj.io], resources: [workflowtaskresults], verbs: [create, patch]}
- {apiGroups: [""], resources: [pods, services, configmaps, persistentvolumes, persistentvolumeclaims], verbs: [get, list, create, patch, delete]}
- {apiGroups: [""], resources: [pods/log], verbs: [get]}
- {apiGroups: [""], resources: [events], verbs: [list]}
- {apiGroups: [apps], resources: [deployments], verbs: [get, create, patch, delete]}
- {apiGroups: [batch], resources: [jobs], verbs: [get, create, patch, delete]}
- {apiGroups: [kubeflow.org], resources: [tfjobs, pytorchjobs], verbs: [get, create, delete]}
- {apiGroups: [trainer.kubeflow.org], resources: [trainjobs], verbs: [get, create, delete]}
- {apiGroups: [batch.volcano.sh], resources: [jobs], verbs: [get, create, delete]}
- {apiGroups: [scheduling.volcano.sh], resources: [queues], verbs: [get, create, patch, delete]}
- {apiGroups: [serving.kserve.io], resources: [inferenceservices], verbs: [get, create, patch, delete]}
- {apiGroups: [machinelearning.seldon.io], resources: [seldondeployments], verbs: [get, create, patch, delete]}
- {apiGroups: [eci.alibabacloud.com], resources: [imagecaches], verbs: [get, create, patch, delete]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: %[1]s-pods}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %[1]s-pods}
subjects: [{kind: ServiceAccount, name: pods, namespace: %[1]s}]
`, namespace)

// A line is what is said of one system.
type line struct {
	system  string
	applied string // the objects
	ran     string // pods
	result  string
	want    string
	cleaned string
	ok      bool
}

var (
	lines   []line
	linesMu sync.Mutex
)

// tell writes a line down and fails the test if it isn't as it must be.
func tell(t testing.TB, l line, err error) {
	t.Helper()
	l.ok = err == nil && l.result == l.want
	if !l.ok {
		t.Errorf("%s: got %s, want %s: %v", l.system, l.result, l.want, err)
	}
	linesMu.Lock()
	defer linesMu.Unlock()
	lines = append(lines, l)
}

func TestMain(m *testing.M) {
	code := m.Run()
	slices.SortFunc(lines, func(a, b line) int { return strings.Compare(a.system, b.system) })
	good := 0
	for _, l := range lines {
		if l.ok {
			good++
		}
		fmt.Printf("%-34s applied %s; ran %s; result %s; expected %s; cleaned up: %s; %s\n", l.system, l.applied, l.ran, l.result, l.want, l.cleaned, map[bool]string{true: "ok", false: "NOT OK"}[l.ok])
	}
	fmt.Printf("systems %d/%d\n", good, len(lines))
	if good != len(lines) && code == 0 {
		code = 1
	}
	os.Exit(code)
}

// logged is the pod that wrote a line of a step's log.
var logged = regexp.MustCompile(`(?m)\[([a-z0-9][-a-z0-9]*)(?:/[a-z0-9-]+)?\] `)

// ran describes the pods that a system ran: those whose logs the step has followed,
// and what stood in for what isn't here.
func (r run) ran(t testing.TB, prefix string) string {
	t.Helper()
	names := map[string]bool{}
	for _, m := range logged.FindAllStringSubmatch(r.log, -1) {
		if strings.HasPrefix(m[1], prefix) {
			names[m[1]] = true
		}
	}
	notes := standIns(t, prefix)
	return fmt.Sprintf("%d pods%s", len(names), notes)
}

// standIns says what stands in for what in the pods of a name.
func standIns(t testing.TB, prefix string) string {
	t.Helper()
	for _, p := range kube.list(t, "v1", "Pod", "") {
		if note := p.GetAnnotations()["kfpgo.dev/stand-in"]; note != "" && strings.HasPrefix(p.GetName(), prefix) {
			return " (stand-in: " + note + ")"
		}
	}
	return ""
}

// gone reports whether no object of a kind with such a name is left.
func gone(t testing.TB, apiVersion, kind, prefix string) string {
	t.Helper()
	left := ""
	err := until("clean-up", 2*time.Minute, func() bool {
		left = ""
		for _, o := range kube.list(t, apiVersion, kind, "") {
			if strings.HasPrefix(o.GetName(), prefix) {
				left += " " + o.GetName()
			}
		}
		return left == ""
	})
	if err != nil {
		return "NO, left:" + left
	}
	return "yes"
}

// deleted deletes a run's objects, as a user who has seen enough does.
func deleted(t testing.TB, apiVersion, kind, prefix string) string {
	t.Helper()
	if prefix == "" {
		return "nothing was made"
	}
	r, err := kube.of(apiVersion, kind, namespace)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range kube.list(t, apiVersion, kind, "") {
		if strings.HasPrefix(o.GetName(), prefix) {
			policy := metav1.DeletePropagationBackground
			if err := r.Delete(context.Background(), o.GetName(), metav1.DeleteOptions{PropagationPolicy: &policy}); err != nil {
				t.Error(err)
			}
		}
	}
	return gone(t, apiVersion, kind, prefix)
}
