package vet

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/program"
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

// A need is called with a claim or secret that something needs; optional says that it may be
// missing.
type need func(kind, word, name string, optional bool)

// says is what a finding says of one that isn't there.
const says = "needs the %s %s, which the pipeline neither makes nor takes as an input; give the objects of the cluster with --objects-in FILE"

// missing finds claims and secrets that an object names and that nothing says are there.
// One whose name is an input is for whoever starts the run.
func (v *vetter) missing(t objects.Task, o objects.Operation, there map[There]bool) {
	_, kind, _, _ := o.Name()
	objectsNamed(o.Object, func(needs, word, name string, optional bool) {
		if name != "" && !unsure(name) && !optional && !there[There{needs, name}] {
			v.find(Note, "missing", t.Path, t.Task.Pos, "its %s "+says, kind, word, name)
		}
	})
}

// objectsNamed finds the claims and secrets that a value names as Kubernetes does.
func objectsNamed(value any, need need) {
	secret := func(name any, of map[string]any) {
		n, _ := name.(string)
		need("Secret", "secret", n, of["optional"] == true)
	}
	each(value, func(m map[string]any) {
		at := func(key string) map[string]any { of, _ := m[key].(map[string]any); return of }
		claim, _ := at("persistentVolumeClaim")["claimName"].(string)
		need("PersistentVolumeClaim", "claim", claim, false)
		for _, key := range []string{"storageUri", "modelUri"} { // of KServe and Seldon
			uri, _ := m[key].(string)
			if of, ok := strings.CutPrefix(uri, "pvc://"); ok {
				claim, _, _ := strings.Cut(of, "/")
				need("PersistentVolumeClaim", "claim", claim, false)
			}
		}
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

// lacking finds claims and secrets that the pods of tasks themselves name, as missing does
// for objects. Many tasks may need one: the first is reported.
func (v *vetter) lacking(main *program.Component, there map[There]bool) {
	reported := map[There]bool{}
	v.steps(main, func(t *program.Task, _ *program.Component, w way) {
		ofPod(&t.Settings, func(v program.Value) string { return constantName(v, w.at, w.env) }, func(kind, word, name string, optional bool) {
			o := There{kind, name}
			if name == "" || unsure(name) || optional || there[o] || reported[o] {
				return
			}
			reported[o] = true
			v.find(Note, "missing", w.path, t.Pos, "it "+says, word, name)
		})
	})
}

// ofPod calls need with what the options of a task name; known returns a name, or "".
func ofPod(s *program.Settings, known func(program.Value) string, need need) {
	for _, m := range s.PVCMounts {
		need("PersistentVolumeClaim", "claim", known(m.Claim), false)
	}
	for _, e := range s.SecretEnv {
		need("Secret", "secret", known(e.Object), e.Optional)
	}
	for _, o := range s.SecretVolumes {
		need("Secret", "secret", known(o.Object), o.Optional)
	}
	for _, p := range s.PullSecrets {
		need("Secret", "secret", known(p), false)
	}
	var patch any
	if s.PodPatch != nil && json.Unmarshal(s.PodPatch, &patch) == nil {
		objectsNamed(patch, need)
	}
}
