package argo

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// RBAC returns the YAML of what the pods of a program need: a ServiceAccount, and
// a Role with a RoleBinding that let it report results to Argo and work on the
// objects that the program's resources name and that its ready-made components make.
// With an ObjectServiceAccount the right to work on objects is that account's only,
// which may report results too. They must exist before a Workflow is submitted.
// Objects in no namespace need a ClusterRole, and its binding the namespace of the
// account, which must then be given.
func RBAC(p *program.Program, o Options) ([]byte, error) {
	if o.Namespace != "" && !label.MatchString(o.Namespace) {
		return nil, fmt.Errorf("%q is not a valid namespace: lower case letters, digits and -, with a letter or digit at both ends, at most 63", o.Namespace)
	}
	a := accountsOf(p, o)
	account := cmp.Or(a.steps, p.Name)
	owner := cmp.Or(a.objects, account) // of the rights on objects
	results := []rbacv1.PolicyRule{{APIGroups: []string{"argoproj.io"}, Resources: []string{"workflowtaskresults"}, Verbs: []string{"create", "patch"}}}
	steps := &rbacv1.Role{
		TypeMeta:   metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "Role"},
		ObjectMeta: metav1.ObjectMeta{Name: account, Namespace: o.Namespace},
		Rules:      slices.Clone(results),
	}
	role := steps
	if owner != account {
		role = &rbacv1.Role{TypeMeta: steps.TypeMeta, ObjectMeta: metav1.ObjectMeta{Name: owner, Namespace: o.Namespace}, Rules: results}
	}
	if p.Config != nil && p.Config.Argo != nil && p.Config.Argo.ArtifactGC != "" {
		// The pods that delete artifacts.
		steps.Rules = append(steps.Rules,
			rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"workflowartifactgctasks"}, Verbs: []string{"list", "watch"}},
			rbacv1.PolicyRule{APIGroups: []string{"argoproj.io"}, Resources: []string{"workflowartifactgctasks/status"}, Verbs: []string{"patch"}})
	}
	wide := &rbacv1.ClusterRole{
		TypeMeta: metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRole"},
	}
	type object struct{ group, resource string }
	verbs, cluster := map[object][]string{}, map[object]bool{}
	var order []object
	add := func(at object, v []string) {
		if verbs[at] == nil {
			order = append(order, at)
		}
		verbs[at] = append(verbs[at], v...)
	}
	for _, c := range p.Components {
		if c.Exec == nil {
			continue
		}
		if c.Exec.Go != nil {
			for _, r := range c.Exec.Go.Rights {
				at := object{r.Group, r.Resource}
				cluster[at] = r.Cluster
				add(at, r.Verbs)
			}
		}
		if c.Exec.Resource == nil {
			continue
		}
		r := c.Exec.Resource
		var at object
		if r.Builtin != "" {
			at = object{"", "persistentvolumeclaims"}
		} else {
			group, kind, err := gvk(r.Manifest)
			if err != nil {
				return nil, fmt.Errorf("component %s: %w", c.Name, err)
			}
			at = object{group, plural(kind)}
		}
		add(at, verbsOf(r, len(c.Outputs) > 0))
	}
	slices.SortFunc(order, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.group, b.group), cmp.Compare(a.resource, b.resource))
	})
	var wideNames []string
	for _, at := range order {
		v := verbs[at]
		slices.Sort(v)
		rule := rbacv1.PolicyRule{APIGroups: []string{at.group}, Resources: []string{at.resource}, Verbs: slices.Compact(v)}
		if cluster[at] {
			wide.Rules = append(wide.Rules, rule)
			wideNames = append(wideNames, strings.TrimSuffix(at.resource+"."+at.group, "."))
		} else {
			role.Rules = append(role.Rules, rule)
		}
	}
	if len(wide.Rules) > 0 {
		if o.Namespace == "" {
			return nil, fmt.Errorf("pipeline %s works on %s, which are in no namespace, and a ClusterRoleBinding names the namespace of the account; give it with --namespace", p.Name, strings.Join(wideNames, " and "))
		}
		// Two teams' roles of one name are two.
		wide.Name = o.Namespace + ":" + owner
	}
	all := bound(steps)
	if role != steps && len(order) > 0 {
		all = append(all, bound(role)...)
	}
	if len(wide.Rules) > 0 {
		all = append(all, wide, &rbacv1.ClusterRoleBinding{
			TypeMeta:   metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "ClusterRoleBinding"},
			ObjectMeta: wide.ObjectMeta,
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: owner, Namespace: o.Namespace}},
			RoleRef:    rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "ClusterRole", Name: wide.Name},
		})
	}
	return join(all...)
}

// bound returns a role, and before and after it an account of its name and what binds
// them.
func bound(role *rbacv1.Role) []any {
	name, namespace := role.Name, role.Namespace
	return []any{
		&corev1.ServiceAccount{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ServiceAccount"}, ObjectMeta: role.ObjectMeta},
		role,
		&rbacv1.RoleBinding{
			TypeMeta:   metav1.TypeMeta{APIVersion: "rbac.authorization.k8s.io/v1", Kind: "RoleBinding"},
			ObjectMeta: role.ObjectMeta,
			Subjects:   []rbacv1.Subject{{Kind: "ServiceAccount", Name: name, Namespace: namespace}},
			RoleRef:    rbacv1.RoleRef{APIGroup: "rbac.authorization.k8s.io", Kind: "Role", Name: name},
		},
	}
}

// label is the form of a label of DNS, which a namespace is.
var label = lazyregexp.New(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// accounts are the service accounts of a program's pods. Empty: not named.
type accounts struct {
	steps   string
	objects string // of the steps that work on objects, if it is another one
}

// accountsOf returns the accounts that the options name, or the pipeline.
func accountsOf(p *program.Program, o Options) accounts {
	var a accounts
	if p.Config != nil && p.Config.Argo != nil {
		a = accounts{p.Config.Argo.ServiceAccount, p.Config.Argo.ObjectServiceAccount}
	}
	return accounts{cmp.Or(o.ServiceAccount, a.steps), cmp.Or(o.ObjectServiceAccount, a.objects)}
}

// verbsOf returns what kubectl, which Argo runs, does for an operation, and Argo
// itself: it gets the object again and again while it waits for a condition, and
// for each output. Patch and apply look at the object first, and apply makes what
// isn't there. Delete waits until the object is gone, but not for claims.
func verbsOf(r *program.Resource, outputs bool) []string {
	action := r.Action
	switch r.Builtin {
	case program.CreatePVC:
		action = "create"
	case program.DeletePVC:
		return []string{"delete"}
	}
	verbs := map[string][]string{
		"create": {"create"},
		"apply":  {"create", "get", "patch"},
		"patch":  {"get", "patch"},
		"delete": {"delete", "get", "list", "watch"},
	}[action]
	if r.Success != "" || r.Failure != "" || outputs {
		verbs = append(verbs, "get")
	}
	return verbs
}

// gvk returns the API group and the kind of a manifest, whatever references are
// in the rest of it.
func gvk(manifest string) (group, kind string, err error) {
	const hole = "kfpgo0hole"
	var b strings.Builder
	for rest := manifest; ; {
		before, after, ok := strings.Cut(rest, "{{")
		b.WriteString(before)
		if !ok {
			break
		}
		_, rest, _ = strings.Cut(after, "}}")
		b.WriteString(hole)
	}
	var m struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string `yaml:"kind"`
	}
	if err := yaml.Unmarshal([]byte(b.String()), &m); err != nil {
		return "", "", fmt.Errorf("its manifest isn't YAML: %v", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if m.Kind == "" || m.APIVersion == "" || strings.Contains(m.Kind+m.APIVersion, hole) {
		return "", "", fmt.Errorf("which objects it works on is known at run time only; write the role by hand")
	}
	if g, _, ok := strings.Cut(m.APIVersion, "/"); ok {
		group = g
	}
	return group, m.Kind, nil
}

// plural returns the name of a kind's resource in URLs, by the rule that
// Kubernetes' own kinds and generated ones follow.
func plural(kind string) string {
	s := strings.ToLower(kind)
	switch {
	case s == "endpoints":
		return s
	case strings.HasSuffix(s, "s"), strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"):
		return s + "es"
	case strings.HasSuffix(s, "y") && len(s) > 1 && !strings.ContainsRune("aeiou", rune(s[len(s)-2])):
		return s[:len(s)-1] + "ies"
	}
	return s + "s"
}
