package kubeop

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A location is where the API has an object.
type location struct {
	kind, name string
	root       string // /api/v1 or /apis/GROUP/VERSION
	namespace  string // empty: the object is the cluster's
	plural     string
	uid        string // of the object that was made; empty: not known
}

func (l *location) String() string {
	s := strings.TrimSpace(l.kind + " " + l.name)
	if l.namespace != "" {
		s += " in namespace " + l.namespace
	}
	return s
}

func (l *location) collection() string {
	p := l.root
	if l.namespace != "" {
		p += "/namespaces/" + url.PathEscape(l.namespace)
	}
	return p + "/" + l.plural
}

func (l *location) object() string { return l.collection() + "/" + url.PathEscape(l.name) }

// locate asks the API where it has objects of the kind of obj. One without a
// namespace goes into the pod's own.
func (k *client) locate(ctx context.Context, obj map[string]any) (*location, error) {
	version, ok := textAt(obj, "apiVersion")
	if !ok || version == "" {
		return nil, fmt.Errorf("manifest: no apiVersion, such as v1 or apps/v1")
	}
	l := &location{root: "/apis/" + version}
	if !strings.Contains(version, "/") {
		l.root = "/api/" + version
	}
	if l.kind, ok = textAt(obj, "kind"); !ok || l.kind == "" {
		return nil, fmt.Errorf("manifest: no kind, such as Deployment")
	}
	l.name, _ = textAt(obj, "metadata", "name")
	list, err := k.do(ctx, request{method: "GET", path: l.root}, "find out about "+version)
	if isStatus(err, http.StatusNotFound) {
		return nil, fmt.Errorf("the cluster has no API %s, which the %s of the manifest needs", version, l.kind)
	}
	if err != nil {
		return nil, err
	}
	for _, r := range objects(list, "resources") {
		name, _ := textAt(r, "name")
		if r["kind"] != l.kind || strings.Contains(name, "/") {
			continue
		}
		l.plural = name
		if r["namespaced"] == true {
			own, _ := textAt(obj, "metadata", "namespace")
			l.namespace = cmp.Or(own, k.namespace)
		}
		return l, nil
	}
	return nil, fmt.Errorf("the cluster has no kind %s in %s", l.kind, version)
}
