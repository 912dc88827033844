//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const promote = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: promote}
spec:
  entrypoint: main
  templates:
  - name: main
    steps:
    - - {name: approve, template: approval}
    - - {name: again, template: approval, when: "{{steps.approve.outputs.parameters.approve}} != YES"}
  - name: approval
    suspend: {}
    inputs: {parameters: [{name: approve, default: 'NO', enum: ['YES', 'NO'], description: "Deploy it?"}]}
    outputs: {parameters: [{name: approve, valueFrom: {supplied: {}}}]}
`

// TestAnswer: on a terminal a run asks for the outputs of a step that waits for a person.
func TestAnswer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "promote.yaml"), []byte(promote), 0o644); err != nil {
		t.Fatal(err)
	}
	p := onTerminal(t, 80, 24, kfpgoIn(dir, []string{"run", "promote.yaml"}))
	p.until(t, "Deploy it? approve (one of YES, NO) [NO]: ")
	p.master.WriteString("maybe\n")
	p.until(t, `"maybe" is not one of YES, NO`)
	p.master.WriteString("\n")
	p.until(t, "condition-1/again waits for your answer")
	p.master.WriteString("YES\n")
	err := p.cmd.Wait()
	<-p.done
	if err != nil || !strings.Contains(p.text(), "state    SUCCEEDED") {
		t.Errorf("%v\n%s", err, p.text())
	}
}
