package pyrun_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// TestWritten: a function that doesn't write an artifact that it promised fails, by
// the artifact's name, as Go steps do.
func TestWritten(t *testing.T) {
	const unwritten = "f: output data was never written: there is no file or folder at "
	cases := []struct{ name, signature, body, want string }{
		{"nothing", "data: Output[Dataset]", "pass", unwritten},
		{"a file", "data: Output[Dataset]", "open(data.path, 'w').close()", ""},
		{"a folder", "data: Output[Dataset]", "import os; os.mkdir(data.path)", ""},
		{"a dangling link", "data: Output[Dataset]", "import os; os.symlink('nowhere', data.path)", unwritten},
		{"metadata", "data: Output[Dataset]", "data.metadata['table'] = 'b.c'", ""},
		{"elsewhere", "data: Output[Dataset]", "data.uri = 's3://bucket/data'", ""},
		{"another name", "data: Output[Dataset]", "open(data.path + '.csv', 'w').close()", unwritten},
		{"a path", "data: OutputPath(Dataset)", "pass", unwritten},
		{"metrics", "data: Output[Metrics]", "pass", ""},
		{"optional", "data: Output[Dataset]", "pass", ""},
		{"one of several workers", "data: Output[Dataset]", "import os; os.environ['CLUSTER_SPEC'] = '{\"task\":{\"type\":\"workerpool1\"}}'", ""},
	}
	var argvs [][]string
	for _, tt := range cases {
		source := "from kfp.dsl import *\n\ndef f(" + tt.signature + "):\n    " + tt.body + "\n"
		c := &program.Component{Name: "f", Exec: &program.Executor{Python: &program.Python{Source: source, Function: "f"}}}
		kind := "system.Dataset"
		if tt.name == "metrics" {
			kind = "system.Metrics"
		}
		c.Outputs = []program.Port{{Name: "data", Optional: tt.name == "optional", Type: graph.Type{Name: kind, Artifact: true}}}
		argvs = append(argvs, pyrun.Args(c, `{"outputs":{"artifacts":{"data":{"artifacts":[{"name":"data","uri":"`+t.TempDir()+`/data","type":{"schemaTitle":"`+kind+`"}}]}}}}`, true))
	}
	for i, ran := range forked(t, argvs) {
		if tt := cases[i]; tt.want == "" && ran.Said != "" || !strings.HasPrefix(ran.Said, tt.want) || (ran.Status != 0) != (tt.want != "") {
			t.Errorf("%s: status %d, %s; want %q", tt.name, ran.Status, ran.Said, tt.want)
		}
	}
}
