package operators

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// modules has the folders of the operators' modules, which binaries has written down.
func modules(t testing.TB) map[string]string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(cacheDir(), "modules"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for line := range strings.FieldsSeq(string(b)) {
		name, dir, _ := strings.Cut(line, "=")
		all[name] = dir
	}
	return all
}

func cacheDir() string {
	dir, err := os.UserCacheDir()
	if err != nil {
		panic(err)
	}
	return filepath.Join(dir, "kfpgo", "systems")
}

// kustomize returns the objects of an operator's own manifests.
func kustomize(t testing.TB, dir string) []object {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command("kubectl", "kustomize", dir)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("kubectl kustomize %s: %v: %s", dir, err, stderr.Bytes())
	}
	all, err := objects(string(out))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// files returns the objects of YAML files.
func files(t testing.TB, pattern string) (all []object) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: no files: %v", pattern, err)
	}
	for _, name := range names {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := objects(string(b))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		all = append(all, list...)
	}
	return all
}

// An operator is how one of them is installed: from its own manifests, with its image
// in place of the one that can't be had.
type operator struct {
	name, namespace string
	image           string
	objects         func(testing.TB, map[string]string) []object
	change          func(object) bool // what differs from its manifests; false: leave it out
}

var operators = []operator{
	{"training operator", "kubeflow", "registry.local/training-operator:1", func(t testing.TB, m map[string]string) []object {
		return kustomize(t, m["TRAINING"]+"/manifests/overlays/standalone")
	}, nil},
	{"JobSet", "jobset-system", "registry.local/jobset:1", func(t testing.TB, m map[string]string) []object {
		return kustomize(t, m["JOBSET"]+"/config/default")
	}, func(o object) bool {
		containers(o, func(c object) { delete(c, "args") }) // no election, with its configuration by default
		return true
	}},
	{"Trainer", "kubeflow-system", "registry.local/trainer:1", func(t testing.TB, m map[string]string) (all []object) {
		for _, part := range []string{"crds", "rbac", "manager", "webhook"} {
			all = append(all, kustomize(t, m["TRAINER"]+"/manifests/base/"+part)...)
		}
		secret := object{"apiVersion": "v1", "kind": "Secret", "metadata": object{"name": "kubeflow-trainer-webhook-cert"}}
		return append(all, secret)
	}, nil},
	{"KServe", "kserve", "registry.local/kserve:1", func(t testing.TB, m map[string]string) []object {
		return kustomize(t, m["KSERVE"]+"/config/default")
	}, kserveChanges},
}

// kserveChanges leave out what caches models on nodes, and cert-manager, whose part
// the test has; and have it make Deployments, with no gateway in front of them.
func kserveChanges(o object) bool {
	u := unstructured.Unstructured{Object: o}
	switch {
	case strings.HasPrefix(u.GetAPIVersion(), "cert-manager.io/"), u.GetKind() == "DaemonSet", u.GetName() == "kserve-localmodel-controller-manager", u.GetName() == "kserve-webhook-server-secret":
		return false
	case u.GetKind() == "ConfigMap":
		data := o["data"].(object)
		delete(data, "_example")
		data["deploy"] = `{"defaultDeploymentMode": "RawDeployment"}`
		data["ingress"] = `{"ingressGateway": "none/none", "ingressDomain": "example.com", "disableIngressCreation": true, "disableIstioVirtualHost": true, "urlScheme": "http"}`
		data["storageInitializer"] = `{"image": "kserve/storage-initializer:v0.15.2", "memoryRequest": "100Mi", "memoryLimit": "1Gi", "cpuRequest": "10m", "cpuLimit": "1", "cpuModelcar": "10m", "memoryModelcar": "15Mi", "enableModelcar": false}`
	case u.GetKind() == "CustomResourceDefinition":
		unstructured.RemoveNestedField(o, "spec", "conversion")
	}
	containers(o, func(c object) { delete(c, "args"); delete(c, "resources") })
	return true
}

// containers calls f for each of a Deployment, and leaves proxies of metrics out.
func containers(o object, f func(object)) {
	list, ok, _ := unstructured.NestedSlice(o, "spec", "template", "spec", "containers")
	if !ok || o["kind"] != "Deployment" {
		return
	}
	var kept []any
	for _, c := range list {
		if c := c.(object); c["name"] != "kube-rbac-proxy" {
			f(c)
			kept = append(kept, c)
		}
	}
	_ = unstructured.SetNestedSlice(o, kept, "spec", "template", "spec", "containers")
}

// install applies an operator's objects: CRDs first.
func (c *cluster) install(t testing.TB, op operator, m map[string]string) {
	t.Helper()
	ctx := context.Background()
	all := op.objects(t, m)
	made := c.servingCert()
	text := fmt.Sprintf("apiVersion: v1\nkind: Namespace\nmetadata: {name: %s}\n", op.namespace)
	if op.name == "KServe" {
		text += fmt.Sprintf("---\napiVersion: v1\nkind: Secret\nmetadata: {name: kserve-webhook-server-cert, namespace: kserve}\ndata: {tls.crt: %s, tls.key: %s}\n", made.cert64(), made.key64())
	}
	c.applyText(t, text)
	for _, crds := range []bool{true, false} {
		for _, o := range all {
			u := &unstructured.Unstructured{Object: o}
			if (u.GetKind() == "CustomResourceDefinition") != crds || u.GetKind() == "Namespace" || op.change != nil && !op.change(o) {
				continue
			}
			if u.GetNamespace() == "" && namespaced(u.GetKind()) {
				u.SetNamespace(op.namespace)
			}
			containers(o, func(c object) {
				c["image"], c["imagePullPolicy"], c["command"] = op.image, "IfNotPresent", []any{"/manager"}
				c["securityContext"] = object{"runAsUser": int64(65532)} // their images name a user
				delete(c, "livenessProbe")
				if p, ok := c["readinessProbe"].(object); ok {
					p["initialDelaySeconds"], p["periodSeconds"] = int64(1), int64(1)
					p["timeoutSeconds"], p["failureThreshold"] = int64(10), int64(60) // a busy machine is no reason to take its webhook away
				}
			})
			subjects, _, _ := unstructured.NestedSlice(o, "subjects")
			for _, s := range subjects {
				if s := s.(object); s["namespace"] == nil || s["namespace"] == "" {
					s["namespace"] = op.namespace
				}
			}
			if len(subjects) > 0 {
				_ = unstructured.SetNestedSlice(o, subjects, "subjects")
			}
			hooks, _, _ := unstructured.NestedSlice(o, "webhooks")
			for _, h := range hooks {
				conf := h.(object)["clientConfig"].(object)
				conf["service"].(object)["namespace"] = op.namespace
				if op.name == "KServe" {
					conf["caBundle"] = base64.StdEncoding.EncodeToString(made.cert)
				}
			}
			if len(hooks) > 0 {
				_ = unstructured.SetNestedSlice(o, hooks, "webhooks")
			}
			delete(o, "status")
			if err := c.apply(ctx, o); err != nil {
				t.Fatalf("%s: %v", op.name, err)
			}
		}
		c.mapper.Reset()
	}
}

// servingCert is that of KServe's webhooks: the one that the cluster has, or a new one.
func (c *cluster) servingCert() pair {
	s, err := c.typed.CoreV1().Secrets("kserve").Get(context.Background(), "kserve-webhook-server-cert", metav1.GetOptions{})
	if err == nil && len(s.Data["tls.crt"]) > 0 {
		return pair{s.Data["tls.crt"], s.Data["tls.key"]}
	}
	return certificate("kserve-webhook-server-service.kserve.svc")
}

func namespaced(kind string) bool {
	switch kind {
	case "Deployment", "Service", "ServiceAccount", "ConfigMap", "Secret", "Role", "RoleBinding":
		return true
	}
	return false
}

// ready waits for an operator's pods, and until its webhooks answer: their certificates
// reach a pod after it is ready.
func (c *cluster) ready(t testing.TB, op operator) {
	t.Helper()
	r, err := c.of("apps/v1", "Deployment", op.namespace)
	if err != nil {
		t.Fatal(err)
	}
	err = until(op.name+" is ready", 5*time.Minute, func() bool {
		list, err := r.List(context.Background(), everything)
		if err != nil || len(list.Items) == 0 {
			return false
		}
		for _, d := range list.Items {
			n, _, _ := unstructured.NestedInt64(d.Object, "status", "readyReplicas")
			if n == 0 {
				return false
			}
		}
		services, err := c.typed.CoreV1().Services(op.namespace).List(context.Background(), everything)
		return err == nil && !slices.ContainsFunc(services.Items, func(s corev1.Service) bool {
			return slices.ContainsFunc(s.Spec.Ports, func(p corev1.ServicePort) bool { return p.Port == 443 && !listens(s.Spec.ClusterIP) })
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// listens says whether something answers behind the HTTPS port of a Service.
func listens(ip string) bool {
	conn, err := net.DialTimeout("tcp", net.JoinHostPort(ip, "443"), time.Second)
	if err != nil {
		return false
	}
	return conn.Close() == nil
}
