package vet

import (
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/review/objects"
)

// There is an object that is in the cluster.
type There struct{ Kind, Name string }

// ParseThere reads which objects are in the cluster from YAML, or a List of them as
// kubectl get -o yaml prints.
func ParseThere(file string, data []byte) (all []There, err error) {
	type object struct {
		Kind     string
		Metadata struct{ Name string }
		Items    []yaml.Node
	}
	var add func(o object) error
	add = func(o object) error {
		switch {
		case strings.HasSuffix(o.Kind, "List"):
			for _, item := range o.Items {
				var of object
				if err := item.Decode(&of); err != nil {
					return fmt.Errorf("%s: %w", file, err)
				}
				if strings.HasSuffix(of.Kind, "List") {
					return fmt.Errorf("%s:%d: a list in a list", file, item.Line)
				}
				if err := add(of); err != nil {
					return err
				}
			}
		case o.Kind == "" && o.Metadata.Name == "": // an empty document
		case o.Kind == "" || o.Metadata.Name == "":
			return fmt.Errorf("%s: an object has no kind or no name (kind %q, name %q); give the objects of the cluster, as kubectl get pvc,secret -o yaml prints them", file, o.Kind, o.Metadata.Name)
		default:
			all = append(all, There{o.Kind, o.Metadata.Name})
		}
		return nil
	}
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	for {
		var o object
		if err := d.Decode(&o); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if err := add(o); err != nil {
			return nil, err
		}
	}
}

// there returns what is in the cluster when tasks run, as far as is known: that, and what
// tasks make.
func (v *vetter) there() map[There]bool {
	all := map[There]bool{}
	for _, o := range v.o.There {
		all[o] = true
	}
	for _, t := range v.open {
		for _, o := range t.Operations {
			if _, kind, name, generated := o.Name(); !generated && o.Action != "delete" {
				all[There{kind, name}] = true
			}
		}
	}
	return all
}

// missing finds claims and secrets that an object names and that nothing says are there.
// One whose name is an input is for whoever starts the run.
func (v *vetter) missing(t objects.Task, o objects.Operation, there map[There]bool) {
	_, kind, _, _ := o.Name()
	need := func(needs, word string, name any, of map[string]any) {
		n, _ := name.(string)
		if n == "" || unsure(n) || of["optional"] == true || there[There{needs, n}] {
			return
		}
		v.find(Note, "missing", t.Path, t.Task.Pos, "its %s needs the %s %s, which the pipeline neither makes nor takes as an input; give the objects of the cluster with --objects-in FILE", kind, word, n)
	}
	secret := func(name any, of map[string]any) { need("Secret", "secret", name, of) }
	each(o.Object, func(m map[string]any) {
		at := func(key string) map[string]any { of, _ := m[key].(map[string]any); return of }
		need("PersistentVolumeClaim", "claim", at("persistentVolumeClaim")["claimName"], nil)
		secret(at("secret")["secretName"], at("secret"))
		secret(at("secretKeyRef")["name"], at("secretKeyRef"))
		secret(at("secretRef")["name"], at("secretRef"))
		secret(m["envSecretRefName"], nil) // of Seldon
		pulls, _ := m["imagePullSecrets"].([]any)
		for _, e := range pulls {
			p, _ := e.(map[string]any)
			secret(p["name"], nil)
		}
	})
}
