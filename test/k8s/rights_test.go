package k8s

import "testing"

// TestRights asks Kubernetes what the accounts of compile --rbac may do: only that of the
// steps that work on objects may work on them.
func TestRights(t *testing.T) {
	ready(t)
	p := pipeline{name: "Volume"}
	command(t, p.compile(t, "--service-account", "rights", "--object-service-account", "rights-objects", "--rbac"), "./cluster", "k", "apply", "-f", "-")
	namespace := command(t, "", "./cluster", "k", "get", "serviceaccount", "rights", "-o", "jsonpath={.metadata.namespace}")
	for _, c := range []struct{ account, verb, resource, want string }{
		{"rights", "create", "workflowtaskresults.argoproj.io", "yes"},
		{"rights", "create", "persistentvolumeclaims", "no"},
		{"rights", "delete", "persistentvolumeclaims", "no"},
		{"rights-objects", "create", "workflowtaskresults.argoproj.io", "yes"},
		{"rights-objects", "create", "persistentvolumeclaims", "yes"},
		{"rights-objects", "get", "secrets", "no"},
	} {
		// can-i ends with 1 where it prints no.
		got := command(t, "", "sh", "-c", "./cluster k auth can-i "+c.verb+" "+c.resource+" --as system:serviceaccount:"+namespace+":"+c.account+" || true")
		if got != c.want+"\n" {
			t.Errorf("may %s %s %s: %q, want %s", c.account, c.verb, c.resource, got, c.want)
		}
	}
}
