package argo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	argodsl "github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type keptIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int] `kfp:",optional"`
}

type keptOut struct{ Text dsl.Param[string] }

var kept = dsl.Container("kept", func(in keptIn, out keptOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"sh", "-c", "cp $0 $1"}, Args: []string{in.Text.String(), out.Text.Path()}}
})

// argoOnly has all that only Argo knows of a pipeline, and steps that are kept
// and that aren't.
var argoOnly = dsl.Pipeline("argo-only", func(s *dsl.Scope, in textIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { kept.Call(s, keptIn{Text: dsl.Const("end")}) })
	kept.Call(s, keptIn{Text: in.Text})
	kept.Call(s, keptIn{Text: in.Text}, dsl.CacheKey("a key"))
	kept.Call(s, keptIn{Text: in.Text}, dsl.NoCache())
	kept.Call(s, keptIn{Text: in.Text}, k8s.MountPVC("data", "/data"))
	podStep.Call(s, dsl.None{})
	score.Call(s, scoreIn{Model: train.Call(s, trainIn{}).Out.Model, Score: dsl.Const(1.0)})
	return dsl.None{}
}, dsl.Config{
	Deadline: time.Hour, TTL: 24 * time.Hour,
}, argodsl.Config{
	Parallelism: 20, ServiceAccount: "trainer", ArchiveLogs: true, CacheFor: 36 * time.Hour,
	PodGC: argodsl.PodGCOnPodSuccess, PodGCDelay: time.Minute, ArtifactGC: argodsl.ArtifactGCOnWorkflowDeletion,
})

// TestMemoize: the steps that are kept, under keys of all that they depend on.
func TestMemoize(t *testing.T) {
	w := workflow(t, argoOnly, options)
	keys := map[string]string{}
	for _, tpl := range w.Spec.Templates {
		if tpl.Memoize == nil {
			continue
		}
		if tpl.Memoize.MaxAge != "36h0m0s" || tpl.Memoize.Cache.ConfigMap.Name != "argo-only-kept" {
			t.Errorf("%s: %+v of %+v", tpl.Name, tpl.Memoize, tpl.Memoize.Cache.ConfigMap)
		}
		keys[tpl.Name] = tpl.Memoize.Key
	}
	if len(keys) != 2 {
		t.Fatalf("kept: %v", keys)
	}
	// sum stands for sprig.sha256sum: the text of which the hash is made.
	text := func(name, ns, text, n string) string {
		s := newSim(t, w, nil)
		s.Global["workflow.namespace"] = ns
		key := strings.TrimSuffix(strings.TrimPrefix(keys[name], "{{=sprig.sha256sum("), ")}}")
		v, err := s.Eval(w, key, map[string]any{"inputs.parameters.text": text, "inputs.parameters.n": n})
		if err != nil {
			t.Fatal(err)
		}
		return v.(string)
	}
	base := text("kept", "a", `"x"`, "null")
	for what, other := range map[string]string{
		"the namespace": text("kept", "b", `"x"`, "null"), "an input": text("kept", "a", `"y"`, "null"), "an input that is given": text("kept", "a", `"x"`, "1"),
	} {
		if other == base {
			t.Errorf("the key doesn't depend on %s", what)
		}
	}
	if a, b := text("kept-2", "a", `"x"`, "null"), text("kept-2", "a", `"y"`, "1"); a != b || a == base || a == text("kept-2", "b", `"x"`, "null") {
		t.Errorf("the key of its own is %s, %s", a, b)
	}
}

// TestVersion: objects of Argo 3 have no limits, so that nothing is divided.
func TestVersion(t *testing.T) {
	d := dsl.Pipeline("many", func(s *dsl.Scope, in textIn) dsl.None {
		for range 250 {
			podStep.Call(s, dsl.None{})
		}
		return dsl.None{}
	})
	for version, want := range map[string]int{"": 199, "4.0": 199, "3.7": 250, "3.6": 250} {
		w, _, err := argo.Workflow(lowered.Program(t, d), argo.Options{Version: version})
		if err != nil {
			t.Fatal(err)
		}
		most := 0
		for _, tpl := range w.Spec.Templates {
			if tpl.DAG != nil {
				most = max(most, len(tpl.DAG.Tasks))
			}
		}
		if most > want || want == 250 && most != 250 {
			t.Errorf("version %q: a DAG has %d tasks", version, most)
		}
	}
}

// TestDeleteTells: Argo refuses conditions and outputs of what is deleted.
func TestDeleteTells(t *testing.T) {
	gone := dsl.Resource("gone", func(dsl.None, dsl.None) dsl.ResourceSpec {
		return dsl.ResourceSpec{Action: dsl.Delete, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", Success: "status.phase == Gone"}
	})
	_, err := argo.Write(lowered.Program(t, pipeline("p", func(s *dsl.Scope, _ optionalIn) { gone.Call(s, dsl.None{}) })), argo.Options{})
	if err == nil || !strings.Contains(err.Error(), "task gone: it deletes an object, and Argo reports nothing about a deleted object") {
		t.Errorf("got %v", err)
	}
}
