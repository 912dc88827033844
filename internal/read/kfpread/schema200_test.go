package kfpread_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// first is a pipeline of KFP 1.8's SDK, with what its schema had otherwise.
const first = `
components:
  comp-flip:
    executorLabel: exec-flip
    inputDefinitions: {parameters: {n: {type: INT}, rate: {type: DOUBLE}, text: {type: STRING}}}
    outputDefinitions: {parameters: {Output: {type: STRING}}}
  comp-condition-1:
    dag:
      tasks:
        flip-2:
          componentRef: {name: comp-flip}
          inputs: {parameters: {n: {runtimeValue: {constantValue: {intValue: '2'}}}, rate: {runtimeValue: {constantValue: {doubleValue: 0.5}}}, text: {componentInputParameter: pipelineparam--flip-Output}}}
          taskInfo: {name: flip-2}
    inputDefinitions: {parameters: {pipelineparam--flip-Output: {type: STRING}}}
deploymentSpec: {executors: {exec-flip: {container: {image: 'busybox', args: ["{{$.inputs.parameters['n']}}"]}}}}
pipelineInfo: {name: first}
root:
  inputDefinitions: {parameters: {text: {type: STRING}}}
  dag:
    tasks:
      flip:
        componentRef: {name: comp-flip}
        inputs: {parameters: {n: {runtimeValue: {constantValue: {intValue: '100'}}}, rate: {runtimeValue: {constantValue: {doubleValue: 1.5}}}, text: {componentInputParameter: text}}}
        taskInfo: {name: flip}
      condition-1:
        componentRef: {name: comp-condition-1}
        dependentTasks: [flip]
        inputs: {parameters: {pipelineparam--flip-Output: {taskOutputParameter: {producerTask: flip, outputParameterKey: Output}}}}
        taskInfo: {name: condition-1}
        triggerPolicy: {condition: "inputs.parameters['pipelineparam--flip-Output'].string_value == 'heads'"}
schemaVersion: 2.0.0
sdkVersion: kfp-1.8.22
`

// TestFirstSchema reads a file of KFP 1.8's SDK as what it says, and writes it equal.
func TestFirstSchema(t *testing.T) {
	p, err := kfpread.Read("first.yaml", []byte(first))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	describe(&b, p)
	for _, want := range []string{
		"flip(n NUMBER_INTEGER, rate NUMBER_DOUBLE, text STRING) (Output STRING) = container", "    n = 100\n    rate = 1.5\n    text = input text\n",
		"n = 2\n", "rate = 0.5\n", "when inputs.parameter_values['pipelineparam--flip-Output'] == 'heads'",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, &b)
		}
	}
	same(t, []byte(first), p)
	for was, want := range map[string]string{
		"{type: INT}": `first.yaml:5:`, "name: comp-flip}": "first.yaml:", "producerTask: flip,": "first.yaml:",
	} {
		text := strings.Replace(first, was, map[string]string{
			"{type: INT}": "{type: INTEGER}", "name: comp-flip}": "name: comp-flap}", "producerTask: flip,": "producerTask: flap,",
		}[was], 1)
		if _, err := kfpread.Read("first.yaml", []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", was, err)
		}
	}
}

// TestAlphaConstant reads what alphas of KFP 2 wrote for constants.
func TestAlphaConstant(t *testing.T) {
	text := strings.NewReplacer("type: INT", "parameterType: NUMBER_INTEGER", "type: DOUBLE", "parameterType: NUMBER_DOUBLE", "type: STRING", "parameterType: STRING",
		"constantValue", "constant", "2.0.0", "2.1.0", "inputs.parameters['pipelineparam--flip-Output'].string_value", "inputs.parameter_values['pipelineparam--flip-Output']").Replace(first)
	p, err := kfpread.Read("alpha.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	describe(&b, p)
	if !strings.Contains(b.String(), "    n = 100\n    rate = 1.5\n") {
		t.Errorf("%s", &b)
	}
	same(t, []byte(text), p)
	for _, c := range p.Residue {
		if c.Form() == "" {
			t.Errorf("the program has no word for /%s %s", strings.Join(c.Path, "/"), c.Set)
		}
	}
}

// describe writes what the components of a program have, and what its tasks give to them.
func describe(b *strings.Builder, p *program.Program) {
	ports := func(ps []program.Port) string {
		parts := make([]string, len(ps))
		for i, p := range ps {
			parts[i] = p.Name + " " + p.Type.Name
		}
		return strings.Join(parts, ", ")
	}
	for _, c := range p.Components {
		if c.Exec != nil {
			fmt.Fprintf(b, "%s(%s) (%s) = %s\n", c.Name, ports(c.Inputs), ports(c.Outputs), c.Exec.Kind())
			continue
		}
		for _, t := range c.DAG.Tasks {
			if t.When != nil {
				fmt.Fprintf(b, "    when %s\n", t.When.CEL())
			}
			for _, name := range slices.Sorted(maps.Keys(t.Args)) {
				fmt.Fprintf(b, "    %s = %s\n", name, t.Args[name])
			}
		}
	}
}
