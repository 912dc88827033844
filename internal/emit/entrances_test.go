package emit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// file is IR with an integer as the default of an input, as an argument and in a
// list that a loop is over.
const file = `pipelineInfo: {name: p}
schemaVersion: 2.1.0
sdkVersion: kfp-2.17.3
components:
  comp-say: {executorLabel: exec-say, inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER}, text: {parameterType: STRING, isOptional: true}}}}
  comp-for-loop-2:
    inputDefinitions: {parameters: {item: {parameterType: NUMBER_INTEGER}}}
    dag: {tasks: {say-2: {componentRef: {name: comp-say}, inputs: {parameters: {n: {componentInputParameter: item}}}, taskInfo: {name: say-2}}}}
deploymentSpec: {executors: {exec-say: {container: {image: x, command: [say], args: ["{{$.inputs.parameters['n']}}"]}}}}
root:
  inputDefinitions: {parameters: {n: {parameterType: NUMBER_INTEGER, isOptional: true, defaultValue: DEFAULT}, x: {parameterType: NUMBER_DOUBLE, isOptional: true, defaultValue: FLOAT}, text: {parameterType: STRING, isOptional: true, defaultValue: a}}}
  dag:
    tasks:
      say: {componentRef: {name: comp-say}, inputs: {parameters: {n: {runtimeValue: {constant: CONSTANT}}, text: {componentInputParameter: text}}}, taskInfo: {name: say}}
      for-loop-2: {componentRef: {name: comp-for-loop-2}, parameterIterator: {itemInput: item, items: {raw: '[ITEM]'}}, taskInfo: {name: for-loop-2}}
`

// TestEntrances: a value that KFP would change is refused at each way in, of a
// program of Go as of a file; Argo and this machine keep it.
func TestEntrances(t *testing.T) {
	read := func(t *testing.T, at, value string) *program.Program {
		t.Helper()
		text := file
		for _, place := range []string{"DEFAULT", "FLOAT", "CONSTANT", "ITEM"} {
			v := "1"
			if place == at {
				v = value
			}
			text = strings.ReplaceAll(text, place, v)
		}
		p, err := kfpread.Read("p.yaml", []byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	const large = "9007199254740993"
	for _, c := range []struct{ entrance, value, want string }{
		{"DEFAULT", large, "p.yaml:11: pipeline p: the default of input n of p is or holds 9007199254740993, of which KFP, whose numbers are doubles, makes 9007199254740992"},
		{"DEFAULT", "-" + large, "makes -9007199254740992"},
		{"DEFAULT", "9007199254740992", ""},
		{"FLOAT", large, ""}, // a double has no more
		{"CONSTANT", large, "task say: input n is or holds"},
		{"ITEM", large, "the list of its loop is or holds"},
		{"flag", "n=" + large, "parameter n: the number 9007199254740993: KFP holds numbers as doubles"},
		{"flag", "n=9007199254740992", ""},
		{"flag", "text={{$.inputs}}", "parameter text: KFP replaces"},
		{"flag", "x=NaN", "parameter x"},
		{"flag", "n=1e400", "parameter n"},
		{"flag", "m=1", "there is no parameter m"},
		{"flag", "n=x", "parameter n"},
		{"params file", "n: " + large, "parameter n: the number 9007199254740993"},
		{"params file", "n: 1\nn: 2", "given twice"},
		{"params file", "x: .nan", "parameter x"},
		{"params file", "text: '{{$}}'", "parameter text: KFP replaces"},
	} {
		for _, fromFile := range []bool{true, false} {
			p, o := read(t, c.entrance, c.value), Options{}
			if !fromFile {
				q := *p
				q.IR, q.Residue = nil, nil
				p = &q
			}
			switch c.entrance {
			case "flag":
				o.Defaults = params.Options{Flags: []string{c.value}}
			case "params file":
				o.Defaults = params.Options{File: "v.yaml", YAML: []byte(c.value)}
			}
			want := c.want
			if !fromFile && (c.entrance == "DEFAULT" || c.entrance == "CONSTANT" || c.entrance == "ITEM") && want != "" {
				want = "the number "
			}
			_, err := Emit(p, KFP, o)
			name := fmt.Sprintf("%s %s, file %v", c.entrance, c.value, fromFile)
			if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
				t.Errorf("%s: %v, want %q", name, err, want)
			}
			if fromFile && (c.entrance == "DEFAULT" || c.entrance == "CONSTANT" || c.entrance == "ITEM") {
				if err := CheckFile(p); (err != nil) != (want != "") {
					t.Errorf("%s: handed on as it is: %v", name, err)
				}
				if _, err := Emit(p, Argo, o); err != nil {
					t.Errorf("%s: Argo: %v", name, err)
				}
			}
		}
	}
}
