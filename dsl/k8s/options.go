package k8s

import (
	"path"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/record"
)

// NodeSelector makes the pod run on nodes with a label (add_node_selector, and
// add_node_selector_constraint in KFP v1).
func NodeSelector[V dsl.Text](key string, value V) dsl.Option {
	return func(t *record.Task) {
		checkText(t, "NodeSelector", key, labelKey)
		checkText(t, "NodeSelector "+key, value, labelValue)
		t.Set("node-selector", key, value)
	}
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
	// needs the effect NoExecute; nil: for ever.
	Seconds *int64 `json:"seconds,omitempty"`
}

// Tolerate adds a toleration to the pod (add_toleration).
func Tolerate(tol Toleration) dsl.Option {
	return func(t *record.Task) {
		tol.check(t)
		t.Set("toleration", tol)
	}
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

// A MountOption changes how a claim is mounted.
type MountOption func(*record.Task, *mount)

type mount struct{ subPath string }

// SubPath mounts a folder of the claim in place of all of it.
func SubPath(folder string) MountOption {
	return func(t *record.Task, m *mount) {
		if folder == "" || path.IsAbs(folder) || !localFolder(folder) {
			t.Errorf("SubPath(%q): not a path inside the claim, such as models/2024", folder)
		}
		m.subPath = folder
	}
}

// MountPVC mounts a claim that exists when the task starts, such as
// [CreatePVC] makes (mount_pvc, and add_pvolumes in KFP v1). A Go step finds it
// at dsl.MountPath, so that it also runs on this machine.
func MountPVC[N dsl.Text](claim N, at string, opts ...MountOption) dsl.Option {
	return func(t *record.Task) {
		checkText(t, "MountPVC", claim, objectName)
		if !path.IsAbs(at) || path.Clean(at) == "/" {
			t.Errorf("MountPVC at %q: not an absolute path of a folder", at)
		}
		var m mount
		for _, o := range opts {
			if o != nil {
				o(t, &m)
			}
		}
		operands := []any{claim, at}
		if m.subPath != "" {
			operands = append(operands, m.subPath)
		}
		t.Set("mount-pvc", operands...)
	}
}

// SecretEnv sets an environment variable from a key of a secret
// (use_secret_as_env).
func SecretEnv[S dsl.Text](name string, secret S, key string) dsl.Option {
	return func(t *record.Task) {
		checkText(t, "SecretEnv", name, record.EnvName)
		checkText(t, "SecretEnv "+name, secret, objectName)
		checkText(t, "SecretEnv "+name, key, dataKey)
		t.Set("secret-env", name, secret, key)
	}
}

// Label sets a label of the pod (add_pod_label).
func Label[V dsl.Text](key string, value V) dsl.Option {
	return func(t *record.Task) {
		checkText(t, "Label", key, labelKey)
		checkText(t, "Label "+key, value, labelValue)
		t.Set("label", key, value)
	}
}

// Annotation sets an annotation of the pod (add_pod_annotation).
func Annotation[V dsl.Text](key string, value V) dsl.Option {
	return func(t *record.Task) {
		checkText(t, "Annotation", key, labelKey)
		t.Set("annotation", key, value)
	}
}
