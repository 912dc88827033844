package kubeop

import (
	"fmt"
	"strings"
	"testing"
)

// TestOwned: an object of the run belongs to what owns the pod, or to the pod itself;
// what isn't in the run's namespace can't.
func TestOwned(t *testing.T) {
	const me = "/api/v1/namespaces/team-a/pods/me"
	for _, tt := range []struct{ pod, manifest, want string }{
		{
			`{"metadata":{"name":"me","uid":"p","ownerReferences":[{"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow","name":"run","uid":"w","controller":true}]}}`, job + "a",
			`"ownerReferences":[{"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow","name":"run","uid":"w"}]`,
		},
		{`{"metadata":{"name":"me","uid":"p"}}`, job + "a", `"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"me","uid":"p"}]`},
		{
			`{"metadata":{"name":"me","uid":"p"}}`, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, ownerReferences: [{apiVersion: v1, kind: Pod, name: b, uid: c}]}",
			`"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"b","uid":"c"},{"apiVersion":"v1","kind":"Pod","name":"me","uid":"p"}]`,
		},
		{`{}`, "apiVersion: batch/v1\nkind: Job\nmetadata: {name: a, namespace: other}", "Job a in namespace other can't be owned by the run, which is in namespace team-a"},
		{`{}`, "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}", "Namespace a can't be owned by the run"},
	} {
		api, k := newAPI(t)
		api.objects[me] = object(tt.pod)
		c := component("create", tt.manifest, "", "")
		c.Resource.Owned = true
		_, err := k.operate(t.Context(), c, nil)
		if got := fmt.Sprint(strings.Join(api.log, "\n"), err); !strings.Contains(got, tt.want) {
			t.Errorf("got %s\nwant %s", got, tt.want)
		}
	}
}
