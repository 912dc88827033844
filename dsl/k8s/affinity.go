package k8s

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// The operators of a [Requirement], beside Exists.
const (
	In           = "In"
	NotIn        = "NotIn"
	DoesNotExist = "DoesNotExist"
	Gt           = "Gt" // of nodes, and of one whole number
	Lt           = "Lt"
)

// A Requirement is what a label or field must be.
type Requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"`
	Values   []string `json:"values,omitempty"`
}

// A NodeTerm is what a node must have, all of it.
type NodeTerm struct {
	Expressions []Requirement `json:"expressions,omitempty"` // of labels
	Fields      []Requirement `json:"fields,omitempty"`      // metadata.name is the only field

	// Weight makes it a wish, 1 to 100 against other wishes. 0: it is a must, and
	// of several that are one is enough.
	Weight int32 `json:"weight,omitempty"`
}

// NodeAffinity says on which nodes the pod must or should run
// (add_node_affinity).
func NodeAffinity(term NodeTerm) dsl.Option {
	return record.At(func(t *record.Task) {
		if len(term.Expressions)+len(term.Fields) == 0 {
			t.Errorf("NodeAffinity: it says nothing about the node")
		}
		checkWeight(t, "NodeAffinity", term.Weight)
		checkRequirements(t, "NodeAffinity", term.Expressions, true)
		checkRequirements(t, "NodeAffinity", term.Fields, true)
		t.Set("node-affinity", term)
	})
}

// NodeAffinityJSON is Kubernetes' whole NodeAffinity, known only at run time
// (add_node_affinity_json). T is a map, or a struct with Kubernetes' JSON names.
// What it says is added to that of [NodeAffinity].
func NodeAffinityJSON[T any](affinity dsl.Param[T]) dsl.Option {
	return record.At(func(t *record.Task) {
		checkObject[T](t, "NodeAffinityJSON", "with the member requiredDuringSchedulingIgnoredDuringExecution or preferredDuringSchedulingIgnoredDuringExecution", false)
		t.Set("node-affinity-json", affinity)
	})
}

// A PodTerm says which pods are meant, and what counts as the same place.
type PodTerm struct {
	TopologyKey string            `json:"topologyKey"`           // a label of nodes that are the same place, such as kubernetes.io/hostname
	Labels      map[string]string `json:"labels,omitempty"`      // of the pods
	Expressions []Requirement     `json:"expressions,omitempty"` // of their labels

	// The pods' namespaces. Without any: the namespace of the pod.
	Namespaces           []string          `json:"namespaces,omitempty"`
	NamespaceLabels      map[string]string `json:"namespaceLabels,omitempty"`
	NamespaceExpressions []Requirement     `json:"namespaceWith,omitempty"`

	Weight int32 `json:"weight,omitempty"` // 1 to 100: a wish; 0: a must
}

// PodAffinity says that the pod must or should run where other pods do (the
// field podAffinity, for which KFP's Python has no function).
func PodAffinity(term PodTerm) dsl.Option { return podAffinity("PodAffinity", term, false) }

// PodAntiAffinity says that the pod must not or should not run where other pods do.
func PodAntiAffinity(term PodTerm) dsl.Option { return podAffinity("PodAntiAffinity", term, true) }

func podAffinity(what string, term PodTerm, anti bool) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, what+": TopologyKey", term.TopologyKey, labelKey)
		checkWeight(t, what, term.Weight)
		checkLabels(t, what, term.Labels)
		checkLabels(t, what, term.NamespaceLabels)
		checkRequirements(t, what, term.Expressions, false)
		checkRequirements(t, what, term.NamespaceExpressions, false)
		for _, ns := range term.Namespaces {
			checkText(t, what, ns, objectName)
		}
		t.Set("pod-affinity", struct {
			PodTerm
			Anti bool `json:"anti,omitempty"`
		}{term, anti})
	})
}

func checkWeight(t *record.Task, what string, weight int32) {
	if weight < 0 || weight > 100 {
		t.Errorf("%s: a weight of %d; it is 1 to 100, or 0 for a must", what, weight)
	}
}

func checkLabels(t *record.Task, what string, labels map[string]string) {
	for key, value := range labels {
		checkText(t, what, key, labelKey)
		checkText(t, what+": "+key, value, labelValue)
	}
}

// checkRequirements reports what Kubernetes would refuse. Only nodes have
// labels to compare as numbers.
func checkRequirements(t *record.Task, what string, rs []Requirement, ofNode bool) {
	for _, r := range rs {
		checkText(t, what, r.Key, labelKey)
		switch n := len(r.Values); r.Operator {
		case In, NotIn:
			if n == 0 {
				t.Errorf("%s: %s %s needs values", what, r.Key, r.Operator)
			}
		case Exists, DoesNotExist:
			if n > 0 {
				t.Errorf("%s: %s %s takes no values", what, r.Key, r.Operator)
			}
		case Gt, Lt:
			if !ofNode {
				t.Errorf("%s: %s %s: the labels of pods can't be compared as numbers", what, r.Key, r.Operator)
			} else if n != 1 || number.Check(r.Values[0]) != nil {
				t.Errorf("%s: %s %s needs one whole number", what, r.Key, r.Operator)
			}
		default:
			t.Errorf("%s: %s has no operator %q; use In, NotIn, Exists, DoesNotExist, or Gt or Lt of nodes", what, r.Key, r.Operator)
		}
	}
}
