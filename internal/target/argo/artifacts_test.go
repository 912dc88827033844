package argo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

type givenModelsIn struct {
	Model dsl.Model
	Maybe dsl.Model         `kfp:",optional"`
	Lang  dsl.Param[string] `default:"de"`
	Where dsl.Param[string]
}

type usedIn struct {
	Model dsl.Model `kfp:",optional"`
}

var use = dsl.Func("use", func(context.Context, usedIn, *textOut) error { return nil })

type lookIn struct{ Model dsl.Model }

var look = dsl.Container("look", func(in lookIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1", Command: []string{"look", in.Model.URI(), in.Model.Path(), in.Model.MetadataJSON()}}
})

type importsOut struct{ Model dsl.Model }

// imports reads artifacts that no task has made.
var imports = dsl.Pipeline("imports", func(s *dsl.Scope, in givenModelsIn) importsOut {
	use.Call(s, usedIn{Model: in.Model})
	use.Call(s, usedIn{Model: in.Maybe})
	dsl.If(s, dsl.Given(in.Maybe), func(s *dsl.Scope) { use.Call(s, usedIn{Model: in.Maybe}) })
	for _, uri := range []string{
		"s3://other/models/a", "s3://bucket/models/b", "gs://models/c", "https://example.com/d.bin", "https://example.com/repo.git#main",
		"oss://models/e?endpoint=oss-eu.example.com", "minio://models/f?endpoint=minio.kubeflow:9000&disableSSL=true", "some/key",
	} {
		look.Call(s, lookIn{Model: dsl.Import[dsl.Model](s, uri)})
	}
	m := dsl.Import[dsl.Model](s, in.Where, dsl.ImportConfig{Metadata: map[string]any{
		"lang": dsl.Sprintf("%v $ {{x}}", in.Lang), "big": 9007199254740993, "list": []any{in.Where, 1.5}, "nested": map[string]any{"a": true},
	}})
	dsl.If(s, dsl.Eq(in.Lang, "de"), func(s *dsl.Scope) {
		use.Call(s, usedIn{Model: m})
		look.Call(s, lookIn{Model: m})
	})
	return importsOut{Model: m}
})

// TestImports: what steps are told of artifacts that were imported, and where the
// pods fetch them.
func TestImports(t *testing.T) {
	w := workflow(t, imports, options)
	for _, c := range []struct{ model, maybe, where, at string }{
		{"s3://other/x", notGiven, "s3://bucket/a/b", `{"key":"a/b"}`},
		{"gs://other/x y", "https://example.com/m?q=1", "s3://elsewhere/a/b c", `{"bucket":"elsewhere","endpoint":"s3.amazonaws.com","key":"a/b c","useSDKCreds":true}`},
		{"some/key", "k", "gs://elsewhere/a", `{"bucket":"elsewhere","key":"a"}`},
		{"some/key", "k", "http://h/{{x}}\"", `{"url":"http://h/%7B%7Bx}}\""}`},
		{"some/key", "k", "plain/key", `{"key":"plain/key"}`},
	} {
		s := newSim(t, w, map[string]string{"model": c.model, "maybe": c.maybe, "where": c.where})
		var uses, looks []string
		var meta string
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			a := at(x, "inputs", "artifacts", "model", "artifacts", "0")
			uses = append(uses, fmt.Sprint(at(a, "uri")))
			meta = carrier(at(a, "metadata"))
			return write(x, map[string]any{"text": ""}), nil
		}
		s.container = func(_ string, argv []string, _ map[string]string) map[string]string {
			looks = append(looks, argv[1])
			if argv[2] != "/tmp/kfpgo/inputs/model" {
				t.Errorf("it is at %s", argv[2])
			}
			return nil
		}
		if n := s.run(); n.phase != "Succeeded" {
			t.Fatalf("%v: %s", c, n.phase)
		}
		want := []string{c.model, "<nil>"}
		if c.maybe != notGiven {
			want = []string{c.model, c.maybe, c.maybe}
		}
		if want = append(want, c.where); !slices.Equal(uses, want) {
			t.Errorf("used %q, want %q", uses, want)
		}
		wantLooks := []string{
			"s3://other/models/a", "s3://bucket/models/b", "gs://models/c", "https://example.com/d.bin", "https://example.com/repo.git#main",
			"oss://models/e?endpoint=oss-eu.example.com", "minio://models/f?endpoint=minio.kubeflow:9000&disableSSL=true", "some/key", c.where,
		}
		if !slices.Equal(looks, wantLooks) {
			t.Errorf("looked at %q, want %q", looks, wantLooks)
		}
		q, _ := json.Marshal(c.where)
		if wantMeta := carrier(map[string]any{"lang": "de $ {{x}}", "big": json.Number("9007199254740993"), "list": []any{json.RawMessage(q), 1.5}, "nested": map[string]any{"a": true}}); meta != wantMeta {
			t.Errorf("metadata %s\nwant     %s", meta, wantMeta)
		}
		if got := s.Places["importer-9"]; got != c.at {
			t.Errorf("%s is fetched from %s, want %s", c.where, got, c.at)
		}
	}
}

// TestImportPlaces: a URI that is known is one of Argo's own kinds of artifact.
func TestImportPlaces(t *testing.T) {
	s := newSim(t, workflow(t, imports, options), map[string]string{"model": "k", "where": "k"})
	s.step = func(_ string, x map[string]any) (map[string]string, error) {
		return write(x, map[string]any{"text": ""}), nil
	}
	s.container = func(string, []string, map[string]string) map[string]string { return nil }
	s.run()
	want := map[string]string{
		"importer":   `{"bucket":"other","endpoint":"s3.amazonaws.com","key":"models/a","useSDKCreds":true}`,
		"importer-2": `{"key":"models/b"}`,
		"importer-3": `{"bucket":"models","key":"c"}`,
		"importer-4": `{"url":"https://example.com/d.bin"}`,
		"importer-5": `{"repo":"https://example.com/repo.git","revision":"main"}`,
		"importer-6": `{"bucket":"models","endpoint":"oss-eu.example.com","key":"e","useSDKCreds":true}`,
		"importer-7": `{"bucket":"models","endpoint":"minio.kubeflow:9000","insecure":true,"key":"f","useSDKCreds":true}`,
		"importer-8": `{"key":"some/key"}`,
		"importer-9": `{"key":"k"}`,
	}
	for name, at := range want {
		if s.Places[name] != at {
			t.Errorf("%s: %s, want %s", name, s.Places[name], at)
		}
	}
}

type gatheredIn struct {
	Rows dsl.Param[[][]string]
}

type gatheredOut struct {
	Models dsl.Param[[]string]
}

type allModelsIn struct {
	Models dsl.List[dsl.Model]
}

var namesOf = dsl.Func("names-of", func(_ context.Context, in allModelsIn, out *gatheredOut) error { return nil })

type listedOut struct{ Model dsl.Model }

// gathered collects artifacts through three loops.
var gathered = dsl.Pipeline("gathered", func(s *dsl.Scope, in gatheredIn) gatheredOut {
	outer := dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) allModelsIn {
		middle := dsl.ParallelFor(s, in.Rows, func(s *dsl.Scope, row dsl.Param[[]string]) allModelsIn {
			cells := dsl.ParallelFor(s, row, func(s *dsl.Scope, name dsl.Param[string]) listedOut {
				return listedOut{Model: train.Call(s, trainIn{Name: name, Steps: n}).Out.Model}
			})
			return allModelsIn{Models: dsl.CollectedArtifacts(cells.Each.Model)}
		})
		return allModelsIn{Models: dsl.CollectedLists(middle.Each.Models)}
	})
	all := dsl.CollectedLists(outer.Each.Models)
	dsl.ParallelForArtifacts(s, all, func(s *dsl.Scope, m dsl.Model) dsl.None {
		use.Call(s, usedIn{Model: m})
		return dsl.None{}
	})
	return namesOf.Call(s, allModelsIn{Models: all}).Out
})

// TestGathered: a list out of nested loops is one list, in order.
func TestGathered(t *testing.T) {
	for _, rows := range []string{`[["a","b"],[],["c"]]`, `[]`, `[[],[]]`} {
		s := newSim(t, workflow(t, gathered, options), map[string]string{"rows": rows})
		var trained, used []string
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			switch name {
			case "train":
				trained = append(trained, fmt.Sprint(in(x, "name"), in(x, "steps")))
				files := write(x, map[string]any{"score": 1})
				files[fmt.Sprint(at(x, "outputs", "artifacts", "model", "artifacts", "0", "metadataFile"))] = carrier(map[string]any{"n": trained[len(trained)-1]})
				return files, nil
			case "use":
				used = append(used, fmt.Sprint(at(x, "inputs", "artifacts", "model", "artifacts", "0", "metadata", "n")))
				return write(x, map[string]any{"text": ""}), nil
			}
			var names []string
			list, _ := at(x, "inputs", "artifacts", "models").(map[string]any)["artifacts"].([]any)
			for i, m := range list {
				names = append(names, fmt.Sprint(at(m, "metadata", "n")))
				if want := fmt.Sprintf("s3://bucket/run-x7k2p/for-loop-2/for-loop-3/for-loop-4/train/model/run-x7k2p-%d", i+1); at(m, "uri") != want {
					t.Errorf("model %d is %v, want %s", i, at(m, "uri"), want)
				}
				if want := fmt.Sprintf("/tmp/kfpgo/inputs/models/run-x7k2p-%d", i+1); at(m, "customPath") != want {
					t.Errorf("model %d is at %v, want %s", i, at(m, "customPath"), want)
				}
			}
			return write(x, map[string]any{"models": names}), nil
		}
		n := s.run()
		var want []string
		if strings.Contains(rows, "a") {
			want = []string{"a1", "b1", "c1", "a2", "b2", "c2"}
		}
		var got []string
		json.Unmarshal([]byte(n.out["models"]), &got)
		if n.phase != "Succeeded" || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(trained, want) || !reflect.DeepEqual(used, want) {
			t.Errorf("%s: %s %s, trained %q, used %q", rows, n.phase, n.out["models"], trained, used)
		}
	}
}

// TestRefuseImports: what Argo can't fetch is refused by name.
func TestRefuseImports(t *testing.T) {
	const want = "pipeline p, task importer: target argo has no dsl.Import from a place that Argo has no word for: it fetches from s3, gs,"
	for _, uri := range []string{"hdfs://host/x", "/data/x", "oss://b/k", "s3://bucket"} {
		p := dsl.Pipeline("p", func(s *dsl.Scope, _ dsl.None) dsl.None {
			use.Call(s, usedIn{Model: dsl.Import[dsl.Model](s, uri)})
			return dsl.None{}
		})
		_, err := argo.Write(lowered.Program(t, p), options)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", uri, err, want)
		}
	}
	p := dsl.Pipeline("p", func(s *dsl.Scope, in textsIn) gatheredOut {
		each := dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, uri dsl.Param[string]) listedOut {
			return listedOut{Model: dsl.Import[dsl.Model](s, uri)}
		})
		return namesOf.Call(s, allModelsIn{Models: dsl.CollectedArtifacts(each.Each.Model)}).Out
	})
	if _, err := argo.Write(lowered.Program(t, p), options); err == nil || !strings.Contains(err.Error(), "target argo has no dsl.CollectedArtifacts of dsl.Import: a list is a folder there") {
		t.Errorf("got %v", err)
	}
}
