package argo_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/calc"
	"github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/lowered"
)

// awkward are texts that some layer or other would like to change.
var awkward = []string{
	"", "plain", " two  spaces ", "--rm -rf", "null", "true", "1e21", "'", `"`, `\`, `\n`, "it's \"q\" `b`\n\ttwo\n",
	"{{workflow.name}} {{=1+1}} {{nope}} {{", "{", "}", "{{{{", "}}", "{{{", "{$(KFPGO_LB)", "$", "$$", "$(HOME) $HOME ${A} $$5", `\u007b \u0024`,
	"del\u007f bell\u0007 vt\u000b", "é漢😀 \u2028 \U000E0001", "<a>&amp;", "#null", "#", `{"IfPresent": {}}`, "[1]", "%v %s",
}

func workflow(t *testing.T, d dsl.Definition, o argo.Options) *wfv1.Workflow {
	t.Helper()
	b, err := argo.Write(lowered.Program(t, d), o)
	if err != nil {
		t.Fatal(err)
	}
	return strict(t, b)
}

// carrier writes a value as the run time of a Go step does.
func carrier(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(v)
	return strings.NewReplacer("{{", `{\u007b`, "$", `\u0024`).Replace(strings.TrimSpace(b.String()))
}

// at returns a member of decoded JSON.
func at(v any, path ...string) any {
	for _, p := range path {
		switch m := v.(type) {
		case map[string]any:
			v = m[p]
		case []any:
			v = m[0]
		}
	}
	return v
}

func in(x map[string]any, name string) any { return at(x, "inputs", "parameterValues", name) }

// write returns the files of output parameters.
func write(x map[string]any, out map[string]any) map[string]string {
	files := map[string]string{}
	for name, v := range out {
		files[fmt.Sprint(at(x, "outputs", "parameters", name, "outputFile"))] = carrier(v)
	}
	return files
}

func TestCalc(t *testing.T) {
	for _, d := range []dsl.Definition{calc.Pipeline, calc.ContainerPipeline, calc.PythonPipeline} {
		s := newSim(t, workflow(t, d, options), map[string]string{"a": "12"})
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			num := func(name string) float64 { f, _ := in(x, name).(json.Number).Float64(); return f }
			if strings.HasPrefix(name, "add") {
				return write(x, map[string]any{"sum": num("a") + num("b")}), nil
			}
			return write(x, map[string]any{"quotient": float64(int(num("dividend") / num("divisor"))), "remainder": float64(int(num("dividend")) % int(num("divisor")))}), nil
		}
		s.container = func(name string, argv []string, _ map[string]string) map[string]string {
			var a, b float64
			fmt.Sscan(argv[3], &a)
			fmt.Sscan(argv[4], &b)
			if name == "add-container" {
				return map[string]string{argv[5]: fmt.Sprintln(a + b)}
			}
			return map[string]string{"/tmp/quotient": fmt.Sprintln(int(a / b)), "/tmp/remainder": fmt.Sprintln(int(a) % int(b))}
		}
		got := s.run()
		want := params{"quotient": "2", "remainder": "2", "result": "19"}
		if !reflect.DeepEqual(got.out, want) {
			t.Errorf("%s: got %v, want %v", d.Name(), got.out, want)
		}
	}
}

// TestValues sends texts through inputs, steps, containers and formats.
func TestValues(t *testing.T) {
	w := workflow(t, values, options)
	for _, text := range awkward {
		s := newSim(t, w, map[string]string{"text": text, "maybe": text})
		seen := 0
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			if name != "all" {
				return write(x, map[string]any{"text": in(x, "text")}), nil
			}
			seen++
			for name, want := range map[string]any{
				"text": text, "maybe": text, "n": json.Number("9007199254740993"), "f": json.Number("1e+21"), "b": true, "m": nil,
				"l": []any{"a {{b}} $c"},
			} {
				if got := in(x, name); !reflect.DeepEqual(got, want) {
					t.Errorf("input %s: got %#v, want %#v", name, got, want)
				}
			}
			return nil, nil
		}
		s.container = func(_ string, argv []string, env map[string]string) map[string]string {
			seen++
			want := []string{"sh", "-c", `printf %s "$1" >"$2"; echo $$ $(date) {{`, "-", text, "/kfpgo/text", "--text=" + text}
			if !slices.Equal(argv, want) {
				t.Errorf("got %q\nwant %q", argv, want)
			}
			return map[string]string{"/kfpgo/text": argv[4] + "\n"} // Argo cuts one newline
		}
		n := s.run()
		if seen != 2 || n.phase != "Succeeded" {
			t.Fatalf("%q: %s, %d", text, n.phase, seen)
		}
		want := carrier(fmt.Sprintf("9007199254740993: {{%s}} $HOME\n%s", text, text))
		var g, wv string
		json.Unmarshal([]byte(n.out["text"]), &g)
		json.Unmarshal([]byte(want), &wv)
		if g != wv {
			t.Errorf("got %q, want %q", g, wv)
		}
	}
}

// TestBranches: which arm runs, what a one-of gives, and what a condition lets through.
func TestBranches(t *testing.T) {
	for _, c := range []struct {
		kind, least, extra string
		steps              string
		scored             int
	}{
		{"big", "0.5", notGiven, "100", 2},
		{"mid", "0.5", "4", "10", 2},
		{"it's {{medium}}", "0.5", "3", "10", 1},
		{"small $", "0.75", notGiven, "1", 1},
	} {
		s := newSim(t, workflow(t, branches, options), map[string]string{"kind": c.kind, "least": c.least, "extra": c.extra})
		scored := 0
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			if strings.HasPrefix(name, "score") {
				scored++
				a := at(x, "inputs", "artifacts", "model", "artifacts", "0")
				if at(a, "customPath") != "/tmp/kfpgo/inputs/model" || !strings.HasPrefix(fmt.Sprint(at(a, "uri")), "s3://bucket/run-x7k2p/condition-branches-1/condition-") || fmt.Sprint(at(a, "metadata", "note")) != "a {{b}} $" {
					t.Errorf("artifact %v", a)
				}
				return write(x, map[string]any{"text": in(x, "score")}), nil
			}
			if got := fmt.Sprint(in(x, "steps")); got != c.steps {
				t.Errorf("%s: trained %s steps, want %s", c.kind, got, c.steps)
			}
			files := write(x, map[string]any{"score": 0.5})
			files[fmt.Sprint(at(x, "outputs", "artifacts", "model", "artifacts", "0", "metadataFile"))] = carrier(map[string]any{"note": "a {{b}} $"})
			return files, nil
		}
		if n := s.run(); n.phase != "Succeeded" || n.out["text"] != "0.5" || scored != c.scored {
			t.Errorf("%v: %v, scored %d", c, n, scored)
		}
	}
}

func TestLoops(t *testing.T) {
	names, _ := json.Marshal(awkward)
	w := workflow(t, loops, options)
	for _, version := range []int{3, 4} {
		s := newSim(t, w, map[string]string{"names": string(names), "configs": `[{"name":"a \"q\" {{x}} $","steps":9007199254740991,"rate":1e21},{"name":"","steps":-2,"rate":0.1}]`})
		s.Version = version
		trained, seen := []string{}, map[string]any{}
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			switch name {
			case "train":
				trained = append(trained, fmt.Sprintf("%v/%v/%v", in(x, "name"), in(x, "steps"), in(x, "rate")))
				files := write(x, map[string]any{"score": len(trained)})
				files[fmt.Sprint(at(x, "outputs", "artifacts", "model", "artifacts", "0", "metadataFile"))] = carrier(map[string]any{"n": json.Number("12345678901234567890"), "s": "{{$"})
				return files, nil
			case "echo":
				return write(x, map[string]any{"text": in(x, "text")}), nil
			case "score":
				a := at(x, "inputs", "artifacts", "model", "artifacts", "0")
				if carrier(at(a, "metadata")) != `{"n":12345678901234567890,"s":"{\u007b\u0024"}` {
					t.Errorf("artifact %v", a)
				}
				return write(x, map[string]any{"text": at(a, "uri")}), nil
			case "same":
				return write(x, map[string]any{"n": in(x, "n")}), nil
			}
			if _, ok := seen[name]; ok {
				name += "-2"
			}
			seen[name] = x
			return write(x, map[string]any{"text": "done", "n": 1, "score": 1}), nil
		}
		if n := s.run(); n.phase != "Succeeded" || n.out["text"] != `"done"` {
			t.Fatalf("%v", n)
		}
		if want := []string{`a "q" {{x}} $/9007199254740991/1e+21`, "/-2/0.1"}; !slices.Equal(trained, want) {
			t.Errorf("trained %q, want %q", trained, want)
		}
		j := func(v any) string { return carrier(v) }
		if got := j(in(seen["join"].(map[string]any), "texts")); got != `["s3://bucket/run-x7k2p/for-loop-1/train/model/run-x7k2p-1","s3://bucket/run-x7k2p/for-loop-1/train/model/run-x7k2p-2"]` {
			t.Errorf("artifacts: %s", got)
		}
		if got := j(in(seen["join-2"].(map[string]any), "texts")); got != carrier(awkward) {
			t.Errorf("argo %d: strings\ngot  %s\nwant %s", version, got, carrier(awkward))
		}
		if got := j(in(seen["sum"].(map[string]any), "table")); got != "[[1,2],[],[9007199254740993]]" {
			t.Errorf("nested: %s", got)
		}
		x := seen["pick"].(map[string]any)
		if got := j(in(x, "scores")); got != "[1,2]" {
			t.Errorf("scores: %s", got)
		}
		models := at(x, "inputs", "artifacts", "models", "artifacts").([]any)
		for i, m := range models {
			if got := at(m, "customPath"); got != fmt.Sprintf("/tmp/kfpgo/inputs/models/run-x7k2p-%d", i+1) {
				t.Errorf("model %d is at %v", i, got)
			}
			if got := at(m, "uri"); got != fmt.Sprintf("s3://bucket/run-x7k2p/for-loop-1/train/model/run-x7k2p-%d", i+1) {
				t.Errorf("model %d comes from %v", i, got)
			}
			if got := j(at(m, "metadata")); got != `{"n":12345678901234567890,"s":"{\u007b\u0024"}` {
				t.Errorf("model %d has %v", i, got)
			}
		}
		if len(models) != 2 {
			t.Errorf("%d models", len(models))
		}
	}
}

// TestNested lets a task fail: what ignores that runs, and the pipeline fails.
func TestNested(t *testing.T) {
	for _, fail := range []bool{false, true} {
		s := newSim(t, workflow(t, nested, argo.Options{Image: "x"}), map[string]string{"name": "n"})
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			if name == "score" && fail {
				return nil, errors.New("failed")
			}
			return write(x, map[string]any{"score": 1, "text": "t"}), nil
		}
		n := s.run()
		if want := map[bool]string{false: "Succeeded", true: "Failed"}[fail]; n.phase != want {
			t.Errorf("got %s, want %s", n.phase, want)
		}
		if want := []string{"train", "train", "score", "echo"}; !slices.Equal(s.ran(), want) {
			t.Errorf("ran %v, want %v", s.ran(), want)
		}
	}
}

func TestExits(t *testing.T) {
	for _, fail := range []bool{false, true} {
		s := newSim(t, workflow(t, exits, options), map[string]string{"volume": "vol"})
		var status, state any
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			switch name {
			case "report":
				status = in(x, "status")
			case "echo":
				state = in(x, "text")
			default:
				if fail {
					return nil, errors.New("failed")
				}
			}
			return write(x, map[string]any{"score": 1, "text": "t"}), nil
		}
		objects := []string{}
		s.object = func(r *wfv1.ResourceTemplate) map[string]string {
			if r.Action == "delete" {
				objects = append(objects, strings.Join(r.Flags, " "))
				return nil
			}
			var m map[string]any
			if err := json.Unmarshal([]byte(r.Manifest), &m); err != nil {
				t.Fatalf("%v: %s", err, r.Manifest)
			}
			objects = append(objects, carrier(m))
			return map[string]string{"{.metadata.name}": fmt.Sprint(at(m, "metadata", "name"))}
		}
		s.run()
		want := []string{
			`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"annotations":{"a":"{\u007bb}}"},"name":"vol"},"spec":{"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}}}`,
			`{"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"run-x7k2p-scratch"},"spec":{"accessModes":["ReadWriteOnce"],"dataSource":{"apiGroup":"snapshot.storage.k8s.io","kind":"VolumeSnapshot","name":"snap"},"resources":{"requests":{"storage":"1Mi"}}}}`,
			"pvc vol --wait=false",
		}
		if !slices.Equal(objects, want) {
			t.Errorf("objects %q\nwant %q", objects, want)
		}
		wantStatus := map[string]any{"state": "SUCCEEDED", "pipelineJobResourceName": "run-x7k2p", "pipelineTaskName": "exit-handler-1", "error": map[string]any{"code": json.Number("0"), "message": ""}}
		if fail {
			wantStatus = map[string]any{"state": "FAILED", "pipelineJobResourceName": "run-x7k2p", "pipelineTaskName": "train", "error": map[string]any{"code": json.Number("1"), "message": message}}
		}
		if !reflect.DeepEqual(status, wantStatus) || state != wantStatus["state"] {
			t.Errorf("status %v, %v\nwant %v", status, state, wantStatus)
		}
	}
}

// TestGroups: the handler of a part runs after a failure in it, and the run fails.
func TestGroups(t *testing.T) {
	for _, fail := range []bool{false, true} {
		s := newSim(t, workflow(t, groups, options), map[string]string{"names": `["a","b"]`})
		var got []string
		trained := 0
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			switch name {
			case "report":
				got = append(got, fmt.Sprint("report ", at(in(x, "status"), "state"), " ", in(x, "who")))
			case "use-maybe":
				got = append(got, fmt.Sprint("use ", at(x, "inputs", "artifacts", "model", "artifacts", "0", "customPath"), " ", in(x, "name")))
			default:
				if trained++; fail && trained == 1 {
					return nil, errors.New("failed")
				}
			}
			return write(x, map[string]any{"score": 1, "text": "t"}), nil
		}
		n := s.run()
		want := []string{"report SUCCEEDED <nil>", "use <nil> callee", "use /tmp/kfpgo/inputs/model callee", "use /tmp/kfpgo/inputs/model callee"}
		phase := "Succeeded"
		if fail {
			want[0], phase = "report FAILED <nil>", "Failed"
		}
		if !slices.Equal(got, want) || n.phase != phase {
			t.Errorf("%s\ngot  %q\nwant %q", n.phase, got, want)
		}
	}
}

func TestObjects(t *testing.T) {
	w := workflow(t, objects, options)
	for _, text := range awkward {
		s := newSim(t, w, map[string]string{"text": text})
		s.step = func(name string, x map[string]any) (map[string]string, error) {
			if got := in(x, "text"); name == "echo" && got != "snap of " {
				t.Errorf("got %q", got)
			}
			return write(x, map[string]any{"score": 1, "text": ""}), nil
		}
		s.object = func(r *wfv1.ResourceTemplate) map[string]string {
			var m map[string]any
			if err := json.Unmarshal([]byte(r.Manifest), &m); err != nil {
				t.Fatalf("%v: %s", err, r.Manifest)
			}
			if at(m, "kind") == "Deployment" && r.Action == "apply" {
				got := at(m, "metadata", "annotations", "note")
				if want := "it's " + text + " {{x}} $(A)"; got != want {
					t.Errorf("got %q, want %q", got, want)
				}
				if got := at(m, "metadata", "annotations", "replicas"); got != "1" {
					t.Errorf("replicas %v", got)
				}
			}
			if spec, ok := at(m, "spec").(map[string]any); ok && at(m, "kind") == "VolumeSnapshot" {
				if _, ok := spec["volumeSnapshotClassName"]; ok {
					t.Errorf("snapshot %v", spec)
				}
			}
			return map[string]string{"{.metadata.name}": fmt.Sprint(at(m, "metadata", "name")), "{.status.readyReplicas}": "1"}
		}
		if n := s.run(); n.phase != "Succeeded" {
			t.Errorf("%q: %s", text, n.phase)
		}
	}
}
