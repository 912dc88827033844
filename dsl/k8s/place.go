package k8s

import (
	"reflect"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// NodeSelector makes the pod run on nodes with a label (add_node_selector, and
// add_node_selector_constraint in KFP v1).
func NodeSelector[V dsl.Text](key string, value V) dsl.Option {
	return keyValue("NodeSelector", "node-selector", key, value)
}

// The operators and effects of a [Toleration].
const (
	Equal  = "Equal"
	Exists = "Exists"

	NoSchedule       = "NoSchedule"
	PreferNoSchedule = "PreferNoSchedule"
	NoExecute        = "NoExecute"
)

// A Toleration lets a pod run on nodes with a taint.
type Toleration struct {
	Key      string `json:"key,omitempty"`      // of the taint; empty, with Exists: any
	Operator string `json:"operator,omitempty"` // Equal, the default, or Exists
	Value    string `json:"value,omitempty"`
	Effect   string `json:"effect,omitempty"` // NoSchedule, PreferNoSchedule or NoExecute; empty: all

	// Seconds is how long the pod stays when the taint comes while it runs. It
	// needs the effect NoExecute; nil: forever.
	Seconds *int64 `json:"tolerationSeconds,omitempty"`
}

// Tolerate adds a toleration to the pod (add_toleration).
func Tolerate(tol Toleration) dsl.Option {
	return record.At(func(t *record.Task) {
		tol.check(t)
		t.Set("toleration", tol)
	})
}

func (tol Toleration) check(t *record.Task) {
	switch tol.Operator {
	case "", Equal:
		if tol.Key == "" {
			t.Errorf("toleration without a key: only operator Exists takes none")
		}
	case Exists:
		if tol.Value != "" {
			t.Errorf("toleration of %s: operator Exists takes no value", tol.Key)
		}
	default:
		t.Errorf("toleration of %s: no operator %q; use Equal or Exists", tol.Key, tol.Operator)
	}
	switch tol.Effect {
	case "", NoSchedule, PreferNoSchedule, NoExecute:
	default:
		t.Errorf("toleration of %s: no effect %q; use NoSchedule, PreferNoSchedule or NoExecute", tol.Key, tol.Effect)
	}
	if tol.Seconds != nil && tol.Effect != NoExecute {
		t.Errorf("toleration of %s: Seconds needs the effect NoExecute", tol.Key)
	}
	if tol.Key != "" {
		checkText(t, "toleration", tol.Key, labelKey)
	}
}

// TolerationJSON adds a toleration, or a list of them, that is known only at run
// time (add_toleration_json). T is a struct or map with Kubernetes' JSON names
// (key, operator, value, effect, tolerationSeconds), or a slice of them.
func TolerationJSON[T any](toleration dsl.Param[T]) dsl.Option {
	return record.At(func(t *record.Task) {
		checkObject[T](t, "TolerationJSON", "with the members of a toleration, or a slice of them", true)
		t.Set("toleration-json", toleration)
	})
}

// NodeSelectorJSON makes the pod run on nodes with labels that are known only at
// run time (add_node_selector_json). T is a map[string]string, or a struct of
// strings. It is the whole selector: a task has it or [NodeSelector], not both.
func NodeSelectorJSON[T any](labels dsl.Param[T]) dsl.Option {
	return record.At(func(t *record.Task) {
		checkObject[T](t, "NodeSelectorJSON", "with a string for each label", false)
		t.Set("node-selector-json", labels)
	})
}

// checkObject reports a type whose JSON isn't an object or a list of objects.
func checkObject[T any](t *record.Task, what, with string, list bool) {
	typ := reflect.TypeFor[T]()
	if list && typ.Kind() == reflect.Slice {
		typ = typ.Elem()
	}
	switch typ.Kind() {
	case reflect.Map, reflect.Struct:
	case reflect.Interface: // any, which KFP's lists hold
		if !list || reflect.TypeFor[T]().Kind() != reflect.Slice {
			t.Errorf("%s of %v: it must be a map or a struct %s", what, reflect.TypeFor[T](), with)
		}
	default:
		t.Errorf("%s of %v: it must be a map or a struct %s", what, reflect.TypeFor[T](), with)
	}
}
