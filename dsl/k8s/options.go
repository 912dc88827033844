// Package k8s has the task options and components that only Kubernetes knows:
// volumes, secrets, scheduling, and objects made by a pipeline.
//
// People who come from KFP find add_node_selector_constraint as [NodeSelector],
// add_toleration as [Tolerate], mount_pvc and add_pvolumes as [MountPVC],
// use_secret_as_env as [SecretEnv], VolumeOp as [CreatePVC], and ResourceOp as
// [Apply] or, with an In and Out of its own, as dsl.Resource.
package k8s

import (
	"path"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/record"
)

// NodeSelector makes the pod run on nodes with a label.
func NodeSelector[V dsl.Text](key string, value V) dsl.Option {
	return set("node-selector", key, value)
}

// A Toleration lets a pod run on nodes with a taint.
type Toleration struct {
	Key      string `json:"key,omitempty"`
	Operator string `json:"operator,omitempty"` // Equal, the default, or Exists
	Value    string `json:"value,omitempty"`
	Effect   string `json:"effect,omitempty"` // empty: all
}

// Tolerate adds a toleration to the pod.
func Tolerate(tol Toleration) dsl.Option {
	return func(t *record.Task) {
		if tol.Operator == "Exists" && tol.Value != "" {
			t.Errorf("toleration of %s: operator Exists takes no value", tol.Key)
		}
		t.Set("toleration", tol)
	}
}

// MountPVC mounts a claim that exists when the task starts, such as
// [CreatePVC] makes. A Go step finds it at dsl.MountPath, so that it also runs
// on this machine.
func MountPVC[N dsl.Text](claim N, at string) dsl.Option {
	return func(t *record.Task) {
		if !path.IsAbs(at) {
			t.Errorf("MountPVC at %q: not an absolute path", at)
		}
		t.Set("mount-pvc", claim, at)
	}
}

// SecretEnv sets an environment variable from a key of a secret.
func SecretEnv[S dsl.Text](name string, secret S, key string) dsl.Option {
	return set("secret-env", name, secret, key)
}

func set(name string, operands ...any) dsl.Option {
	return func(t *record.Task) { t.Set(name, operands...) }
}
