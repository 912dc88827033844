package vet

import (
	"encoding/json"
	"fmt"
	"io"
	"math/big"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/quantity"
	"gopkg.in/yaml.v3"
)

// inObject returns what the pods of an object ask for of a resource: those of each
// pod template, as often as replicas beside it say. A number that isn't known is 0.
func inObject(object map[string]any, kind, name string) *big.Rat {
	sum := new(big.Rat)
	var walk func(v any, times *big.Rat)
	walk = func(v any, times *big.Rat) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, times)
			}
		case map[string]any:
			for _, key := range []string{"replicas", "parallelism", "numNodes", "minReplicas"} {
				if n, ok := v[key]; ok {
					times = new(big.Rat).Mul(times, count(n))
				}
			}
			if r, ok := v["resourcesPerNode"]; ok { // of a TrainJob, whose pods a runtime makes
				sum.Add(sum, new(big.Rat).Mul(times, inContainer(map[string]any{"resources": r}, kind, name)))
			}
			pod := containers(v)
			for _, c := range pod {
				sum.Add(sum, new(big.Rat).Mul(times, inContainer(c, kind, name)))
			}
			if len(pod) > 0 && name == "pods" {
				sum.Add(sum, times)
			}
			for _, key := range sortedKeys(v) {
				if key != "containers" {
					walk(v[key], times)
				}
			}
		}
	}
	walk(object, big.NewRat(1, 1))
	return sum
}

// count returns a number of pods.
func count(n any) *big.Rat {
	if text, ok := n.(json.Number); ok {
		if r, ok := number(text.String()); ok && r.Sign() >= 0 {
			return r
		}
	}
	return new(big.Rat)
}

func inContainer(c any, kind, name string) *big.Rat {
	at := func(v any, key string) any {
		m, _ := v.(map[string]any)
		return m[key]
	}
	resources := at(c, "resources")
	kinds := []string{kind}
	if kind == "requests" {
		kinds = append(kinds, "limits")
	}
	for _, kind := range kinds {
		if v := at(at(resources, kind), name); v != nil {
			if n, ok := number(fmt.Sprint(v)); ok {
				return n
			}
		}
	}
	return new(big.Rat)
}

// ParseQuotas reads quotas from YAML: ResourceQuota of Kubernetes, Queue of Volcano
// (what it has at most, or what it deserves) and ClusterQueue of Kueue.
func ParseQuotas(file string, data []byte) (all []Quota, err error) {
	d := yaml.NewDecoder(strings.NewReader(string(data)))
	for {
		var o struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct {
				Hard           map[string]string
				Capability     map[string]string
				Deserved       map[string]string
				ResourceGroups []struct {
					Flavors []struct {
						Resources []struct {
							Name         string
							NominalQuota string `yaml:"nominalQuota"`
						}
					}
				} `yaml:"resourceGroups"`
			}
		}
		if err := d.Decode(&o); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		q := Quota{Hard: map[string]*big.Rat{}}
		add := func(name, text string) error {
			n, err := quantity.Parse(text)
			if err != nil {
				return fmt.Errorf("%s: %s %s: %s: %w", file, o.Kind, o.Metadata.Name, name, err)
			}
			if q.Hard[name] == nil {
				q.Hard[name] = new(big.Rat)
			}
			q.Hard[name].Add(q.Hard[name], n.Rat())
			return nil
		}
		from := map[string]string{}
		switch o.Kind {
		case "ResourceQuota":
			q.Name, q.Says, from = "quota "+o.Metadata.Name, true, o.Spec.Hard
		case "Queue":
			q.Name, from = "queue "+o.Metadata.Name, o.Spec.Capability
			if len(from) == 0 {
				from = o.Spec.Deserved
			}
		case "ClusterQueue":
			q.Name = "queue " + o.Metadata.Name
			for _, g := range o.Spec.ResourceGroups {
				for _, f := range g.Flavors {
					for _, r := range f.Resources {
						if err := add(r.Name, r.NominalQuota); err != nil {
							return nil, err
						}
					}
				}
			}
		case "":
			continue
		default:
			return nil, fmt.Errorf("%s: a %s says nothing about quotas; give a ResourceQuota, a Queue of Volcano or a ClusterQueue of Kueue", file, o.Kind)
		}
		for _, name := range sortedKeys(from) {
			if err := add(name, from[name]); err != nil {
				return nil, err
			}
		}
		all = append(all, q)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no quota; give a ResourceQuota, a Queue of Volcano or a ClusterQueue of Kueue", file)
	}
	return all, nil
}
