// Package tried is what the tests of ready-made components have in common.
package tried

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/compiler/argo"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	emitargo "github.com/kfpgo/kfpgo/internal/target/argo"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/testing/kubefake"
	"github.com/kfpgo/kfpgo/internal/testing/want"
)

// Compiled compares a pipeline, compiled for KFP and for Argo, with golden files.
func Compiled(t *testing.T, d dsl.Definition) {
	t.Helper()
	for name, target := range map[string]compiler.Target{"kfp": compiler.KFP, "argo": argo.Workflow} {
		opts := []compiler.Option{compiler.Image("ghcr.io/acme/steps:1")}
		if name == "argo" {
			opts = append(opts, compiler.ArtifactRoot("s3://bucket/runs"))
		}
		got, err := compiler.Compile(d, target, opts...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		golden.Check(t, filepath.Join("testdata", name+".yaml"), got)
	}
}

// Role compares the role that a pipeline's pods need with a golden file.
func Role(t *testing.T, d dsl.Definition) {
	t.Helper()
	g := recorded.Graph(d)
	p, err := lower.Lower(g, g.Component(1))
	if err != nil {
		t.Fatal(err)
	}
	got, err := emitargo.RBAC(p, emitargo.Options{Namespace: "team-a"})
	if err != nil {
		t.Fatal(err)
	}
	// The binding of a ClusterRole is for an account of one namespace, which nobody guesses.
	if _, err := emitargo.RBAC(p, emitargo.Options{}); bytes.Contains(got, []byte("ClusterRoleBinding")) == (err == nil) {
		t.Errorf("without a namespace: %v", err)
	}
	golden.Check(t, filepath.Join("testdata", "role.yaml"), got)
}

// Sent compares the objects that a cluster was sent with a golden file below
// testdata/objects, which test/systems decodes into the types of the real APIs.
func Sent(t *testing.T, c *kubefake.Cluster, name string) {
	t.Helper()
	var docs [][]byte
	for _, j := range c.Sent() {
		y, err := yaml.JSONToYAML(j)
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, y)
	}
	golden.Check(t, filepath.Join("testdata", "objects", name+".yaml"), bytes.Join(docs, []byte("---\n")))
}

// Mistakes compares the mistakes of definitions in a file with the want comments
// in it.
func Mistakes(t *testing.T, file string, defs ...dsl.Definition) {
	t.Helper()
	got := map[int][]string{}
	for _, d := range defs {
		var list dsl.ErrorList
		if !errors.As(d.Check(), &list) {
			t.Errorf("%s has no mistakes: %v", d.Name(), d.Check())
		}
		for _, e := range list {
			if filepath.Base(e.File) != file {
				t.Error(e)
			}
			got[e.Line] = append(got[e.Line], e.Msg)
		}
	}
	want.Check(t, file, got)
}

// Fails checks that an error says all that is asked for.
func Fails(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want %q", parts)
		return
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("got %v\nwant %s", err, p)
		}
	}
}
