package vet_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/review/vet"
)

var (
	fixedObject = dsl.Resource("fixed-object", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"}
	})
	freshObject = dsl.Resource("fresh-object", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: settings-}\n"}
	})
	appliedObject = dsl.Resource("applied-object", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Apply, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n"}
	})
	ofRunObject = dsl.Resource("of-run-object", func(in k8s.DeletePVCIn, _ dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: '" + in.Name.String() + "'}\n"}
	})
)

// TestLeaks: which claims and objects stay, or meet those of other runs.
func TestLeaks(t *testing.T) {
	fresh := k8s.CreatePVCIn{NameSuffix: dsl.Const("-x"), Size: dsl.Const("1Gi")}
	named := func(name dsl.Param[string]) k8s.CreatePVCIn {
		return k8s.CreatePVCIn{Name: name, Size: dsl.Const("1Gi")}
	}
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, in k8s.DeletePVCIn) dsl.None {
		k8s.CreatePVC.Call(s, named(in.Name))
		return dsl.None{}
	})
	remove := dsl.Pipeline("remove", func(s *dsl.Scope, in k8s.DeletePVCIn) dsl.None {
		k8s.DeletePVC.Call(s, in)
		return dsl.None{}
	})
	for name, c := range map[string]struct {
		body func(s *dsl.Scope, in in)
		want string // rule and a part of what is said
	}{
		"never deleted": {func(s *dsl.Scope, _ in) { k8s.CreatePVC.Call(s, fresh) }, "leak nothing deletes it"},
		"deleted after success": {func(s *dsl.Scope, _ in) {
			k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: k8s.CreatePVC.Call(s, fresh).Out.Name})
		}, "leak only if all before"},
		"deleted by a pipeline in the handler": {func(s *dsl.Scope, _ in) {
			c := k8s.CreatePVC.Call(s, fresh)
			dsl.Group(s, func(s *dsl.Scope) {
				dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { remove.Call(s, k8s.DeletePVCIn{Name: c.Out.Name}) })
				call(s)
			})
		}, ""},
		"of the run": {func(s *dsl.Scope, _ in) {
			k8s.RunVolume(s, k8s.CreatePVCIn{Size: dsl.Const("1Gi")}, func(s *dsl.Scope, claim dsl.Param[string]) { call(s) })
		}, ""},
		"a fixed name":              {func(s *dsl.Scope, _ in) { k8s.CreatePVC.Call(s, named(dsl.Const("x"))) }, "collide each run creates the claim x"},
		"a fixed name from outside": {func(s *dsl.Scope, _ in) { inner.Call(s, k8s.DeletePVCIn{Name: dsl.Const("x")}) }, "collide each run creates the claim x"},
		"a fixed name, deleted": {func(s *dsl.Scope, _ in) {
			dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) {
				k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: dsl.Const("x")})
			})
			k8s.CreatePVC.Call(s, named(dsl.Const("x")))
		}, "collide each run creates the claim x"},
		"an input's name":         {func(s *dsl.Scope, in in) { k8s.CreatePVC.Call(s, named(in.Env)) }, ""},
		"an object of fixed name": {func(s *dsl.Scope, _ in) { fixedObject.Call(s, dsl.None{}) }, "collide each run creates the ConfigMap settings"},
		"objects of other names": {func(s *dsl.Scope, _ in) {
			freshObject.Call(s, dsl.None{})
			appliedObject.Call(s, dsl.None{})
			ofRunObject.Call(s, k8s.DeletePVCIn{Name: dsl.RunID()})
		}, ""},
	} {
		rule, part, _ := strings.Cut(c.want, " ")
		for _, r := range []string{"leak", "collide"} {
			got := rulesIn(t, r, vet.Options{}, c.body)
			if r != rule && len(got) > 0 || r == rule && (len(got) != 1 || !strings.Contains(got[0], part)) {
				t.Errorf("%s: rule %s says %q, want %q", name, r, got, c.want)
			}
		}
	}
}
