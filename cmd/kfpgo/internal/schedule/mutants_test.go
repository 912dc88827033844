package schedule

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

// TestScheduleMutants: a file of schedules with anything in any place is one, or an error.
func TestScheduleMutants(t *testing.T) {
	const good = `
name: nightly
pipeline: pipeline.yaml
cron: "0 3 * * *"
zone: Europe/Zurich
start: 2027-01-01
end: 2028-01-01T00:00:00Z
maxConcurrency: 2
catchUp: true
params: {n: 1, list: [1]}
fireTime: [at]
fireDate: [day]
---
name: often
pipeline: pipeline.yaml
every: 90m
paused: true
params: {n: 1}
`
	dir := t.TempDir()
	file := filepath.Join(dir, "schedules.yaml")
	read := func(text []byte) ([]defined, error) {
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := &cobra.Command{}
		cmd.SetContext(t.Context())
		cmd.SetErr(io.Discard)
		return (&sourceFlags{file: file}).schedules(cmd, nil)
	}
	if err := os.WriteFile(filepath.Join(dir, "pipeline.yaml"), []byte(pipelineYAML), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := read([]byte(good)); err != nil || len(all) != 2 {
		t.Fatalf("%d schedules, %v", len(all), err)
	}
	mutants.Each(t, []byte(good), func(bad []byte) { _, _ = read(bad) })
	for _, bad := range []string{"", "---\n---\n", "&a [*a]", "name: &a {x: *a}", "params: &a {n: *a}", "<<: [null]", "[]", "null", "\x00", "name: \xff", "every: 1e400h", "cron: \"" + string(make([]byte, 1<<16)) + "\""} {
		mutants.Try(t, bad[:min(len(bad), 20)], []byte(bad), func(b []byte) {
			if _, err := read(b); err == nil {
				t.Errorf("%.20q: no error", bad)
			}
		})
	}
}

// pipelineYAML is a pipeline with inputs of the types that schedules give values for.
const pipelineYAML = `
pipelineInfo: {name: p}
schemaVersion: 2.1.0
sdkVersion: kfp-2.17.3
root:
  inputDefinitions:
    parameters:
      n: {parameterType: NUMBER_INTEGER}
      list: {parameterType: LIST, isOptional: true}
      at: {parameterType: STRING, isOptional: true}
      day: {parameterType: STRING, isOptional: true}
  dag:
    tasks:
      say: {taskInfo: {name: say}, componentRef: {name: comp-say}}
components:
  comp-say: {executorLabel: exec-say}
deploymentSpec:
  executors:
    exec-say: {container: {image: busybox, command: [echo]}}
`
