package params_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// TestCheck: values of an earlier run or of a program are checked as those that are typed.
func TestCheck(t *testing.T) {
	for values, want := range map[string]string{
		`{"name": "x", "epochs": 5, "data": {"uri": "s3://b/d"}}`: "<nil>",
		`{"epochs": "x"}`:            `parameter epochs: "x" is not an integer (int)`,
		`{"epoch": 1}`:               "there is no parameter epoch; did you mean epochs?",
		`{"epochs": null}`:           "<nil>", // it is optional
		`{"name": "a\u0000b"}`:       `parameter name: "a\u0000b" has the character NUL, which arguments and environment variables of programs can't have; leave it out, or pass the bytes as an artifact`,
		`{"weights": {"\u0000": 1}}`: `parameter weights: {"\u0000": 1} has the character NUL, which arguments and environment variables of programs can't have; leave it out, or pass the bytes as an artifact`,
		`{"name": "a\\u0000b"}`:      "<nil>", // a backslash
		`{"name": "\ud83d\ude00"}`:   "<nil>",
		`{"name": "\ud83d"}`:         `parameter name: "\ud83d" is not valid UTF-8`,
		`{"name": "\ude00\ud83d"}`:   `parameter name: "\ude00\ud83d" is not valid UTF-8`,
		"{\"name\": \"\xff\"}":       "parameter name: \"\xff\" is not valid UTF-8",
	} {
		var given map[string]json.RawMessage
		if err := json.Unmarshal([]byte(values), &given); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(params.Check(inputs, given)); got != want {
			t.Errorf("%s: %s, want %s", values, got, want)
		}
	}
	if err := params.Check(inputs, map[string]json.RawMessage{"epochs": nil}); err == nil {
		t.Error("no JSON is taken")
	}
}

// TestQuantities: a file for any target has quantities of Kubernetes, where a constant
// says them. All that it refuses are reported, with their lines.
func TestQuantities(t *testing.T) {
	text := func(s string) *program.Value {
		b, _ := json.Marshal(s)
		return &program.Value{Kind: program.Const, Const: b}
	}
	for want, set := range map[string]func(*program.Settings){
		`the CPU limit: "1 core" isn't a quantity of Kubernetes`:                    func(s *program.Settings) { s.CPULimit = text("1 core") },
		`the CPU request: "-1" is negative`:                                         func(s *program.Settings) { s.CPURequest = text("-1") },
		`the memory limit: "16K" isn't a quantity of Kubernetes: write 16k or 16Ki`: func(s *program.Settings) { s.MemoryLimit = text("16K") },
		`the memory request: "4GB" isn't a quantity of Kubernetes`:                  func(s *program.Settings) { s.MemoryRequest = text("4GB") },
		`the number of nvidia.com/gpu: "0.5" of nvidia.com/gpu isn't a whole number`: func(s *program.Settings) {
			s.Accelerators = []program.Accelerator{{Resource: "nvidia.com/gpu", Count: *text("0.5")}}
		},
		`the size of volume v: "0" isn't the size of a volume`:   func(s *program.Settings) { s.EphemeralVolumes = []program.EphemeralVolume{{Name: "v", Size: "0"}} },
		`the size limit of volume v: "1.5.2Gi" isn't a quantity`: func(s *program.Settings) { s.EmptyDirs = []program.EmptyDir{{Name: "v", SizeLimit: "1.5.2Gi"}} },
		`the size of the shared memory: "much" isn't a quantity`: func(s *program.Settings) { s.SharedMemory = &program.SharedMemory{Size: "much"} },
		`the memory limit of container get: "1K" isn't a quantity of Kubernetes`: func(s *program.Settings) {
			s.InitContainers = []program.InitContainer{{Name: "get", Limits: map[string]string{"memory": "1K"}}}
		},
		`the example.com/x request of container get: "1500m" of example.com/x isn't a wh`: func(s *program.Settings) {
			s.InitContainers = []program.InitContainer{{Name: "get", Requests: map[string]string{"example.com/x": "1500m"}}}
		},
	} {
		task := &program.Task{Name: "t", Component: "c", Pos: graph.Pos{File: "p.yaml", Line: 7}}
		set(&task.Settings)
		for _, ir := range []*program.IR{nil, {}} {
			p := &program.Program{Name: "p", IR: ir, Components: []*program.Component{{Name: "main", DAG: &program.DAG{Tasks: []*program.Task{task}}}, {Name: "c"}}}
			err := params.InFile(p)
			if err == nil || !strings.Contains(err.Error(), "p.yaml:7: pipeline p: task t: "+want) {
				t.Errorf("%v, want %s", err, want)
			}
		}
	}
	task := &program.Task{Name: "t", Component: "c", Args: map[string]program.Value{"size": *text("10 GB")}, Pos: graph.Pos{File: "p.yaml", Line: 7}}
	task.Settings.MemoryLimit, task.Settings.CPULimit = &program.Value{Kind: program.Input, Name: "x"}, text("{{$.inputs.parameters['x']}}")
	p := &program.Program{Name: "p", Config: &program.Config{Workspace: &program.Workspace{Size: "ten"}}, Components: []*program.Component{
		{Name: "main", DAG: &program.DAG{Tasks: []*program.Task{task}}}, {Name: "c", Exec: &program.Executor{Resource: &program.Resource{Builtin: program.CreatePVC}}},
	}}
	hint := "write a number and a unit, such as 500m, 2, 16M or 16Mi"
	want := `pipeline p: the size of its workspace: "ten" isn't a quantity of Kubernetes: ` + hint + "\n" +
		`p.yaml:7: pipeline p: task t: input size: "10 GB" isn't a quantity of Kubernetes: write 10G or 10Gi`
	if got := fmt.Sprint(params.InFile(p)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestInFile: defaults and constants of a file are of their type, or say it as text.
func TestInFile(t *testing.T) {
	for value, want := range map[string]string{
		`1 NUMBER_INTEGER`: "", `"1" NUMBER_INTEGER`: "", `"1.5" NUMBER_DOUBLE`: "", `5 STRING`: "", `true STRING`: "", `"True" BOOLEAN`: "", `"[1]" LIST`: "", `"{}" STRUCT`: "",
		`null NUMBER_INTEGER`: "", `"{{$.pipeline_job_name}}" NUMBER_INTEGER`: "",
		`"x" NUMBER_INTEGER`: `p.yaml:3: pipeline p: the default of input in of c: "x" is not an integer (NUMBER_INTEGER)`,
		`1.5 NUMBER_INTEGER`: "1.5 is not an integer",
		`"1x" NUMBER_DOUBLE`: `"1x" is not a number`,
		`"yes" BOOLEAN`:      `"yes" is not true or false`,
		`"a" LIST`:           `"a" is not a JSON list`,
		`[] STRUCT`:          "[] is not a JSON object",
		`"a\u0000" STRING`:   "has the character NUL",
		`["a\u0000"] LIST`:   "has the character NUL",
	} {
		v, typ, _ := strings.Cut(value, " ")
		p := &program.Program{Name: "p", IR: &program.IR{}, Components: []*program.Component{{Name: "c", Pos: graph.Pos{File: "p.yaml", Line: 3},
			Inputs: []program.Port{{Name: "in", Type: graph.Type{Name: typ}, Default: json.RawMessage(v)}}}}}
		if err := params.InFile(p); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", value, err, want)
		}
		if p.IR = nil; params.InFile(p) != nil {
			t.Errorf("%s: of Go", value)
		}
	}
}
