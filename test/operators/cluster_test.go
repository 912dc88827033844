package operators

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

// namespace is where pipelines run.
const namespace = "systems"

type object = map[string]any

// A cluster is the one that KUBECONFIG names.
type cluster struct {
	dynamic dynamic.Interface
	typed   kubernetes.Interface
	mapper  *restmapper.DeferredDiscoveryRESTMapper
}

func connect() (*cluster, error) {
	conf, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	conf.QPS, conf.Burst = 200, 400
	conf.WarningHandler = nil
	c := &cluster{}
	if c.dynamic, err = dynamic.NewForConfig(conf); err != nil {
		return nil, err
	}
	typed, err := kubernetes.NewForConfig(conf)
	if err != nil {
		return nil, err
	}
	c.typed, c.mapper = typed, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(typed.Discovery()))
	return c, nil
}

// of returns the objects of a kind. A namespace is ignored by kinds that have none.
func (c *cluster) of(apiVersion, kind, ns string) (dynamic.ResourceInterface, error) {
	gvk := schema.FromAPIVersionAndKind(apiVersion, kind)
	for try := 0; ; try++ {
		m, err := c.mapper.RESTMapping(gvk.GroupKind(), gvk.Version)
		if err == nil {
			if m.Scope.Name() == "namespace" {
				return c.dynamic.Resource(m.Resource).Namespace(ns), nil
			}
			return c.dynamic.Resource(m.Resource), nil
		}
		if try == 20 {
			return nil, err
		}
		time.Sleep(500 * time.Millisecond)
		c.mapper.Reset()
	}
}

// apply creates or updates an object, strictly: a field that the API doesn't know
// is an error.
func (c *cluster) apply(ctx context.Context, obj object) error {
	u := &unstructured.Unstructured{Object: obj}
	r, err := c.of(u.GetAPIVersion(), u.GetKind(), ns(u))
	if err != nil {
		return err
	}
	b, err := json.Marshal(obj)
	if err != nil {
		return err
	}
	yes := true
	// The webhook of an operator whose pod is ready is reached a moment later, when the
	// node knows of it.
	for range 60 {
		_, err = r.Patch(ctx, u.GetName(), types.ApplyPatchType, b, metav1.PatchOptions{FieldManager: "e2e", Force: &yes, FieldValidation: "Strict"})
		if err == nil {
			return nil
		}
		if !strings.Contains(err.Error(), "failed to call webhook") {
			break
		}
		time.Sleep(time.Second)
	}
	return fmt.Errorf("%s %s: %w", u.GetKind(), u.GetName(), err)
}

func ns(u *unstructured.Unstructured) string {
	if n := u.GetNamespace(); n != "" {
		return n
	}
	return namespace
}

// objects returns those of a YAML text.
func objects(text string) (all []object, err error) {
	for _, doc := range strings.Split("\n"+text, "\n---") {
		o := object{}
		if err := yaml.Unmarshal([]byte(doc), &o); err != nil {
			return nil, fmt.Errorf("%w: %s", err, doc)
		}
		if len(o) > 0 {
			all = append(all, o)
		}
	}
	return all, nil
}

// applyText applies the objects of a YAML text.
func (c *cluster) applyText(t testing.TB, text string) {
	t.Helper()
	all, err := objects(text)
	for _, o := range all {
		if err == nil {
			err = c.apply(context.Background(), o)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// apply applies an object.
func apply(t testing.TB, o object) {
	t.Helper()
	if err := kube.apply(context.Background(), o); err != nil {
		t.Fatal(err)
	}
}

// list returns the objects of a kind, by a label selector.
func (c *cluster) list(t testing.TB, apiVersion, kind, selector string) []unstructured.Unstructured {
	t.Helper()
	r, err := c.of(apiVersion, kind, namespace)
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.List(context.Background(), metav1.ListOptions{LabelSelector: selector})
	if err != nil {
		t.Fatal(err)
	}
	return got.Items
}

// text returns the text at a path, or "".
func text(o object, path ...string) string {
	s, _, _ := unstructured.NestedString(o, path...)
	return s
}

// until waits for something to be so.
func until(what string, limit time.Duration, so func() bool) error {
	for end := time.Now().Add(limit); !so(); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			return fmt.Errorf("%s: not after %v", what, limit)
		}
	}
	return nil
}
