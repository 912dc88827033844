package argoread_test

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/argoread"
)

// TestItemsWithTags: Argo replaces the tags in the items of a loop before it repeats
// the task.
func TestItemsWithTags(t *testing.T) {
	const file = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: a}
spec:
  entrypoint: main
  arguments: {parameters: [{name: who, value: me}]}
  templates:
  - name: main
    steps:
    - - {name: say, template: say, withItems: [{to: "{{workflow.parameters.who}}", text: "\"hi\" {{workflow.name}}"}, {to: you, text: bye}], arguments: {parameters: [{name: text, value: '{{item.text}} {{item.to}}'}]}}
  - name: say
    inputs: {parameters: [{name: text}]}
    container: {image: a, command: [echo, '{{inputs.parameters.text}}']}
`
	p, _, err := argoread.Read("a.yaml", []byte(file))
	if err != nil {
		t.Fatal(err)
	}
	var items program.Value
	for _, c := range p.Components {
		if c.DAG == nil {
			continue
		}
		for _, task := range c.DAG.Tasks {
			if task.Each != nil {
				items = task.Each.Items
			}
		}
	}
	if !items.JSON() || len(items.Of) != 2 || items.Text[0] != `[{"text":` || items.Text[1] != `,"to":` || items.Text[2] != `},{"text":"bye","to":"you"}]` {
		t.Errorf("%+v", items)
	}
}
