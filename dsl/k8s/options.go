package k8s

import (
	"net/netip"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// Label sets a label of the pod (add_pod_label).
func Label[V dsl.Text](key string, value V) dsl.Option {
	return keyValue("Label", "label", key, value)
}

func keyValue[V dsl.Text](what, option, key string, value V) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, what, key, labelKey)
		checkText(t, what+" "+key, value, labelValue)
		t.Set(option, key, value)
	})
}

// Annotation sets an annotation of the pod (add_pod_annotation).
func Annotation[V dsl.Text](key string, value V) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, "Annotation", key, labelKey)
		t.Set("annotation", key, value)
	})
}

// PullSecret names a secret for the registry of the image
// (set_image_pull_secrets). Several are all tried.
func PullSecret[S dsl.Text](secret S) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, "PullSecret", secret, objectName)
		t.Set("pull-secret", secret)
	})
}

// A PullPolicy says when the image is pulled (set_image_pull_policy).
type PullPolicy string

// The pull policies of Kubernetes.
const (
	PullAlways       PullPolicy = "Always"
	PullIfNotPresent PullPolicy = "IfNotPresent" // on the node
	PullNever        PullPolicy = "Never"        // it is on the node
)

// Pull says when the image of the task is pulled (set_image_pull_policy).
func Pull(policy PullPolicy) dsl.Option {
	return record.At(func(t *record.Task) {
		switch policy {
		case PullAlways, PullIfNotPresent, PullNever:
		default:
			t.Errorf("Pull: no policy %q; use PullAlways, PullIfNotPresent or PullNever", policy)
		}
		t.Set("pull-policy", policy)
	})
}

// RunAsUser runs the container as a user, whatever its image says
// (set_security_context).
func RunAsUser(uid int64) dsl.Option { return runAs("RunAsUser", "run-as-user", uid) }

// RunAsGroup runs the container with a primary group (set_security_context).
func RunAsGroup(gid int64) dsl.Option { return runAs("RunAsGroup", "run-as-group", gid) }

// RunAsNonRoot refuses to start the container as root, or with false allows it
// where the namespace doesn't say otherwise (set_security_context).
func RunAsNonRoot(only bool) dsl.Option {
	return record.At(func(t *record.Task) { t.Set("run-as-non-root", only) })
}

func runAs(what, option string, id int64) dsl.Option {
	return record.At(func(t *record.Task) {
		if id < 0 {
			t.Errorf("%s(%d): must be at least 0", what, id)
		}
		t.Set(option, id)
	})
}

// HostAliases gives names to an address in the pod, in its /etc/hosts, for hosts that
// the DNS of the cluster doesn't know (set_host_aliases in KFP v1; KFP 2 has no field
// for them). A task may have several addresses.
func HostAliases(ip string, names ...string) dsl.Option {
	return record.At(func(t *record.Task) {
		if _, err := netip.ParseAddr(ip); err != nil {
			t.Errorf("HostAliases: %q is not an IP address; write one such as 10.1.2.3 or fd00::1", ip)
		}
		if len(names) == 0 {
			t.Errorf("HostAliases %s: no names; add those of the address, such as db.example.com", ip)
		}
		for _, name := range names {
			checkText(t, "HostAliases "+ip, name, hostName)
		}
		t.Set("host-aliases", ip, names)
	})
}
