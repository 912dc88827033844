package kfpread_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// good is a small pipeline, in which the cases below break something.
const good = `components:
  comp-add:
    executorLabel: exec-add
    inputDefinitions:
      parameters:
        a: {parameterType: NUMBER_INTEGER}
        b: {parameterType: NUMBER_INTEGER}
    outputDefinitions:
      parameters:
        Output: {parameterType: NUMBER_INTEGER}
deploymentSpec:
  executors:
    exec-add:
      container: {image: add, args: ["{{$}}"]}
pipelineInfo: {name: calc}
root:
  dag:
    tasks:
      one:
        componentRef: {name: comp-add}
        cachingOptions: {enableCache: true}
        inputs:
          parameters:
            a: {runtimeValue: {constant: 1.0}}
            b: {componentInputParameter: n}
        taskInfo: {name: one}
      two:
        componentRef: {name: comp-add}
        cachingOptions: {}
        dependentTasks: [one]
        inputs:
          parameters:
            a: {taskOutputParameter: {producerTask: one, outputParameterKey: Output}}
            b: {runtimeValue: {constant: 2.0}}
        taskInfo: {name: two}
  inputDefinitions:
    parameters:
      n: {parameterType: NUMBER_INTEGER}
schemaVersion: 2.1.0
sdkVersion: kfp-2.17.3
`

func TestGood(t *testing.T) {
	p, err := kfpread.Read("good.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	same(t, []byte(good), p)
}

// TestHeader: KFP's SDK writes a default with a line break into the comment above a
// pipeline as it is, and its file is read all the same (kubeflow#7452).
func TestHeader(t *testing.T) {
	const header = "# PIPELINE DEFINITION\n# Name: p\n# Inputs:\n#    s: str [Default: 'q\n{{y}}: [\n']\n"
	_, body, ok := strings.Cut(good, "components:\n")
	if !ok {
		t.Fatal("no components")
	}
	p, err := kfpread.Read("good.yaml", []byte(header+"components:\n"+body))
	if err != nil {
		t.Fatal(err)
	}
	same(t, []byte(good), p)
	_, err = kfpread.Read("bad.yaml", []byte(header+"components:\n"+strings.Replace(body, "componentInputParameter: n", "componentInputParameter: m", 1)))
	line := strings.Count(header+body[:strings.Index(body, "componentInputParameter: n")], "\n") + 2
	if want := fmt.Sprintf("bad.yaml:%d:", line); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestBad breaks the pipeline in one or more places. Each mistake is told with its
// line and column, and all are told at once.
func TestBad(t *testing.T) {
	for _, c := range []struct {
		name string
		edit []string // pairs of what is replaced and by what
		want []string
	}{
		{"empty", []string{good, "# nothing\n"}, []string{"bad.yaml: the file is empty"}},
		{"no YAML", []string{"schemaVersion: 2.1.0", "schemaVersion: 2.1.0\n\t- x"}, []string{"bad.yaml:39:1: this is not YAML: "}},
		{"a text", []string{good, "hello\n"}, []string{"bad.yaml:1:1: a string, where a pipeline belongs"}},
		{"version", []string{"schemaVersion: 2.1.0", "schemaVersion: 3.0.0"}, []string{`bad.yaml:39:16: schemaVersion "3.0.0", and only 2.0.0 and 2.1.0 are read`}},
		{"no version", []string{"schemaVersion: 2.1.0\n", ""}, []string{"bad.yaml:1:1: no schemaVersion; is this a pipeline of KFP 2?"}},
		{"misspelt fields", []string{
			"componentRef: {name: comp-add}\n        cachingOptions: {enableCache: true}", "componentref: {name: comp-add}\n        caching_options: {enableCache: true}",
			"parameters:\n            a: {task", "paramters:\n            a: {task",
		}, []string{
			`bad.yaml:20:9: there is no field "componentref"; did you mean "componentRef"?`, `bad.yaml:21:9: there is no field "caching_options"; did you mean "cachingOptions"?`,
			`bad.yaml:32:11: there is no field "paramters"; did you mean "parameters"?`,
		}},
		{"no task", []string{"dependentTasks: [one]", "dependentTasks: [won]"}, []string{`bad.yaml:30:26: there is no task "won" here`}},
		{"no producer", []string{"producerTask: one", "producerTask: zero"}, []string{`bad.yaml:33:38: there is no task "zero" here`}},
		{"no output", []string{"outputParameterKey: Output", "outputParameterKey: output"}, []string{`task "one" has no output parameter "output"; did you mean "Output"?`}},
		{"no component", []string{"componentRef: {name: comp-add}\n        cachingOptions: {}", "componentRef: {name: comp-ad}\n        cachingOptions: {}"}, []string{`bad.yaml:28:30: there is no component "comp-ad"; did you mean "comp-add"?`}},
		{"no executor", []string{"executorLabel: exec-add", "executorLabel: exec-sub"}, []string{`bad.yaml:3:20: there is no executor "exec-sub"`}},
		{"no input", []string{"componentInputParameter: n", "componentInputParameter: m"}, []string{`bad.yaml:25:42: the component around the task has no input parameter "m"`}},
		{"not an input", []string{"a: {runtimeValue", "c: {runtimeValue"}, []string{`bad.yaml:24:13: component "comp-add" has no input parameter "c"`}},
		{"two sources", []string{"{componentInputParameter: n}", "{componentInputParameter: n, runtimeValue: {constant: 1}}"}, []string{`bad.yaml:25:16: input "b" has 2 sources`}},
		{"a cycle", []string{"taskInfo: {name: one}", "dependentTasks: [two]\n        taskInfo: {name: one}"}, []string{"bad.yaml:19:7: tasks wait for each other: one follows two follows one"}},
		{"itself", []string{"taskInfo: {name: one}", "dependentTasks: [one]\n        taskInfo: {name: one}"}, []string{"tasks wait for each other: one follows one"}},
		{"holds itself", []string{"    executorLabel: exec-add\n", "    dag: {tasks: {again: {componentRef: {name: comp-add}, inputs: {parameters: {a: {componentInputParameter: a}, b: {componentInputParameter: b}}}}}, outputs: {parameters: {Output: {valueFromParameter: {producerSubtask: again, outputParameterKey: Output}}}}}\n"}, []string{"bad.yaml:2:3: a component that holds itself: comp-add calls comp-add"}},
		{"twice", []string{"        taskInfo: {name: two}", "        taskInfo: {name: two}\n        taskInfo: {name: too}"}, []string{`bad.yaml:36:9: the key "taskInfo" is there twice, first in line 35`}},
		{"kinds", []string{"image: add", "image: 7", "[one]", "one", "enableCache: true", "enableCache: 1"}, []string{
			"bad.yaml:14:26: a number, where a string belongs", "bad.yaml:21:39: a number, where a boolean belongs", "bad.yaml:30:25: a string, where a list belongs",
		}},
		{"type", []string{"n: {parameterType: NUMBER_INTEGER}", "n: {parameterType: NUMBER_INTEGR}"}, []string{`bad.yaml:38:26: no type of parameters is called "NUMBER_INTEGR"; did you mean "NUMBER_INTEGER"?`}},
		{"not UTF-8", []string{"image: add", "image: \xff"}, []string{"bad.yaml:14:26: the byte 0xff is not UTF-8"}},
		{"a third document", []string{"sdkVersion: kfp-2.17.3\n", "sdkVersion: kfp-2.17.3\n---\nplatforms: {}\n---\nx: 1\n"}, []string{"bad.yaml:44:1: a third document"}},
		{"settings of nothing", []string{"sdkVersion: kfp-2.17.3\n", "sdkVersion: kfp-2.17.3\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-ad: {}}}}}\n"}, []string{`bad.yaml:42:55: settings of the executor "exec-ad", which there isn't; did you mean "exec-add"?`}},
		{"Argo", []string{good, "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\n"}, []string{"bad.yaml:2:7: an Argo Workflow, where a pipeline or component of KFP is wanted; kfpgo import, compile, run, vet, graph and diff read it"}},
		{"a job", []string{good, `{"pipelineSpec": {}, "runtimeConfig": {}}`}, []string{"bad.yaml:1:1: a job of Vertex AI"}},
		{"an executor of another kind", []string{"container: {image: add, args: [\"{{$}}\"]}", "customJob: {}"}, []string{`bad.yaml:14:7: executor "exec-add" is neither a container nor an importer, but customJob`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := good
			for i := 0; i < len(c.edit); i += 2 {
				if strings.Count(text, c.edit[i]) == 0 {
					t.Fatalf("nothing to replace: %q", c.edit[i])
				}
				text = strings.Replace(text, c.edit[i], c.edit[i+1], 1)
			}
			_, err := kfpread.Read("bad.yaml", []byte(text))
			if err == nil {
				t.Fatal("no error")
			}
			lines := strings.Split(err.Error(), "\n")
			for _, want := range c.want {
				found := false
				for _, l := range lines {
					found = found || strings.Contains(l, want)
				}
				if !found {
					t.Errorf("got %s\nwant %s", err, want)
				}
			}
			if len(lines) > len(c.want) {
				t.Errorf("more mistakes than expected: %s", err)
			}
		})
	}
}

// TestHostile reads files that are made to take time or memory.
func TestHostile(t *testing.T) {
	bomb := "a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n"
	for i := 1; i < 12; i++ {
		ref := strings.Repeat("*a"+string('a'+rune(i-1))+",", 10)
		if i == 1 {
			ref = strings.Repeat("*a0,", 10)
		}
		bomb += "a" + string('a'+rune(i)) + ": &a" + string('a'+rune(i)) + " [" + strings.TrimSuffix(ref, ",") + "]\n"
	}
	for _, c := range []struct{ name, text, want string }{
		{"alias bomb", bomb, "with its aliases put in, the file has more than"},
		{"alias of itself", "a: &a [*a]\n", "nested more than 200 deep"},
		{"deep flow", strings.Repeat("[", 5_000) + strings.Repeat("]", 5_000), "nested more than 200 deep"},
		{"deeper flow", strings.Repeat("[", 100_000), "max depth"},
		{"deep JSON", strings.Repeat(`{"a":`, 5_000) + "1" + strings.Repeat("}", 5_000), "nested more than 200 deep"},
		{"deep block", strings.Repeat("- ", 5_000) + "x\n", "nested more than 200 deep"},
		{"many values", "[" + strings.Repeat("1,", 2_500_000) + "1]", "are more than a pipeline has"},
		{"one long line of JSON", `{"a":[` + strings.Repeat("1,", 900_000) + "1]}", "a list of 900001 items, and at most 100000 are read"},
		{"more values of JSON", `{"a":[` + strings.Repeat("1,", 1_500_000) + "1]}", "the file has more than 1000000 values"},
		{"too large", strings.Repeat("# comment\n", kfpread.MaxSize/10+1), "a pipeline is at most 32 MB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := kfpread.Read("bad.yaml", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %.300v, want %s", err, c.want)
			}
		})
	}
}

// TestHugeFile holds that of a file that is too large no more is read than shows it.
func TestHugeFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "huge.yaml")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := f.Truncate(1 << 40); err != nil { // a hole
		t.Fatal(err)
	}
	if _, _, err := read.File(name); err == nil || !strings.Contains(err.Error(), "a pipeline is at most 32 MB") {
		t.Errorf("got %v", err)
	}
}

// TestUnknownFields holds that fields of a later KFP are kept.
func TestUnknownFields(t *testing.T) {
	for _, edit := range [][2]string{
		{"taskInfo: {name: two}", "taskInfo: {name: two, icon: {x: [1, 2.5, null, 'a']}}\n        priority: 7"},
		{"container: {image: add,", "container: {image: add, lifecycle: {preCacheCheck: {}},"},
		{"pipelineInfo: {name: calc}", "pipelineInfo: {name: calc}\nnewThing: {a: 1}"},
		{"{runtimeValue: {constant: 2.0}}", "{runtimeValue: {constant: 2.0}, weight: 1}"},
		{"sdkVersion: kfp-2.17.3\n", ""},
		{"sdkVersion: kfp-2.17.3\n", "sdkVersion: kfp-2.17.3\n---\nplatforms: {kubernetes: {}, other: {a: b}}\n"},
		{"sdkVersion: kfp-2.17.3\n", "sdkVersion: kfp-2.17.3\n---\nplatforms: {kubernetes: {deploymentSpec: {executors: {exec-add: {priorityClass: high, podMetadata: {labels: {a: b}}}}}}}\n"},
	} {
		text := strings.Replace(good, edit[0], edit[1], 1)
		p, err := kfpread.Read("new.yaml", []byte(text))
		if err != nil {
			t.Errorf("%s: %v", edit[1], err)
			continue
		}
		if len(p.Residue) == 0 {
			t.Errorf("%s: nothing is kept apart", edit[1])
		}
		same(t, []byte(text), p)
	}
}

// TestManifest reads the form of Kubernetes objects.
func TestManifest(t *testing.T) {
	indent := func(s string) string { return "    " + strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ") + "\n" }
	text := "apiVersion: pipelines.kubeflow.org/v2beta1\nkind: Pipeline\nmetadata: {name: calc}\nspec: {displayName: Calc}\n---\n" +
		"apiVersion: pipelines.kubeflow.org/v2beta1\nkind: PipelineVersion\nmetadata: {name: calc-v1}\nspec:\n  pipelineName: calc\n  pipelineSpec:\n" + indent(good) +
		"  platformSpec:\n    platforms: {kubernetes: {deploymentSpec: {executors: {exec-add: {activeDeadlineSeconds: '60'}}}}}\n"
	p, err := kfpread.Read("manifest.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Residue) > 0 {
		t.Errorf("residue %v", p.Residue)
	}
	same(t, []byte(text), p)
}

// TestJSON reads JSON, with escapes and spaces that YAML doesn't have.
func TestJSON(t *testing.T) {
	p, err := kfpread.Read("good.yaml", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	file := bytes.ReplaceAll(jsonOf(t, p), []byte(`"add"`), []byte("\t\"add\\/\\ud83d\\ude00\""))
	q, err := kfpread.Read("good.json", file)
	if err != nil {
		t.Fatal(err)
	}
	if got := q.Component("add").Exec.Container.Image; got != "add/😀" {
		t.Errorf("got the image %q", got)
	}
}
