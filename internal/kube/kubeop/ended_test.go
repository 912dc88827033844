package kubeop

import (
	"context"
	"strings"
	"testing"
	"time"
)

// TestNeverHolds: an object that has ended is waited for no longer, and what the step
// made is deleted; what was there before stays.
func TestNeverHolds(t *testing.T) {
	const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}"
	const at = "/api/v1/namespaces/team-a/pods/a"
	for _, tt := range []struct {
		name   string
		action string
		before bool
		status string
		want   string
		left   bool
	}{
		{"ended", "create", false, `{"phase":"Succeeded"}`, "has ended (Succeeded), and status.phase == Done won't hold any more", false},
		{"ended, there before", "apply", true, `{"phase":"Failed","message":"out of memory"}`, "has ended (Failed), and status.phase == Done won't hold any more; out of memory", true},
		{"never", "apply", false, `{"phase":"Running"}`, "waiting for status.phase == Done of Pod a in namespace team-a: context deadline exceeded", false},
	} {
		api, k := newAPI(t)
		if tt.before {
			api.objects[at] = object(`{"metadata":{"name":"a"}}`)
		}
		for range 20 {
			api.after[at] = append(api.after[at], object(tt.status))
		}
		if tt.action == "apply" {
			api.after[at] = append([]map[string]any{object(`{}`)}, api.after[at]...) // the look whether it is there
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		_, err := k.operate(ctx, component(tt.action, pod, "status.phase == Done", ""), nil)
		cancel()
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: got %v, want %s", tt.name, err, tt.want)
		}
		if _, left := api.objects[at]; left != tt.left {
			t.Errorf("%s: left %t", tt.name, left)
		}
	}
}

// TestReplaced: another object of the name isn't the one that is waited for; and what
// a controller said of an older form of an object is not believed.
func TestReplaced(t *testing.T) {
	k := func(objs ...string) (map[string]any, error) {
		api, k := newAPI(t)
		const path = "/api/v1/namespaces/team-a/pods/a"
		api.objects[path] = object(objs[0])
		go func() {
			for _, o := range objs[1:] {
				time.Sleep(100 * time.Millisecond)
				api.mu.Lock()
				api.objects[path] = object(o)
				api.mu.Unlock()
			}
		}()
		f := &filler{}
		ok, err := f.conditions("success", "status.ready")
		if err != nil {
			t.Fatal(err)
		}
		return k.wait(t.Context(), &location{kind: "Pod", name: "a", root: "/api/v1", namespace: "team-a", plural: "pods", uid: "1"}, ok, nil)
	}
	_, err := k(`{"metadata":{"uid":"1"}}`, `{"metadata":{"uid":"2"},"status":{"ready":true}}`)
	if err == nil || !strings.Contains(err.Error(), "somebody has made another one") {
		t.Error(err)
	}
	got, err := k(`{"metadata":{"uid":"1","generation":2},"status":{"ready":true,"observedGeneration":1,"of":"old"}}`, `{"metadata":{"uid":"1","generation":2},"status":{"ready":true,"observedGeneration":2,"of":"new"}}`)
	if of, _ := textAt(got, "status", "of"); err != nil || of != "new" {
		t.Error(got, err)
	}
}

// TestEnded: the kinds that are known to end.
func TestEnded(t *testing.T) {
	for text, want := range map[string]string{
		`{"apiVersion":"batch/v1","kind":"Job","status":{"conditions":[{"type":"Failed","status":"True"}]}}`:              "Failed",
		`{"apiVersion":"batch/v1","kind":"Job","status":{"conditions":[{"type":"Complete","status":"False"}]}}`:           "",
		`{"apiVersion":"kubeflow.org/v1","kind":"TFJob","status":{"conditions":[{"type":"Succeeded","status":"True"}]}}`:  "Succeeded",
		`{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","status":{"state":{"phase":"Aborted"}}}`:                  "Aborted",
		`{"apiVersion":"argoproj.io/v1alpha1","kind":"Workflow","status":{"phase":"Error","finishedAt":"2026-01-01"}}`:    "Error",
		`{"apiVersion":"apps/v1","kind":"Deployment","status":{"conditions":[{"type":"Failed","status":"True"}]}}`:        "",
		`{"apiVersion":"batch.volcano.sh/v1alpha1","kind":"Job","status":{"state":{"phase":"Running"},"phase":"Failed"}}`: "",
	} {
		o := object(text)
		root := "/apis/" + o["apiVersion"].(string)
		if got := ended(&location{kind: o["kind"].(string), root: root}, o); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
