package dsl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// An executorInput is what the KFP launcher passes for {{$}}. Off KFP it is
// assembled in the same form, with one more member that says for whom.
type executorInput struct {
	contract.Input[json.RawMessage]
}

type artifactList = contract.List[json.RawMessage]

// loaded returns what the field loads: the artifact, or all of a list.
func loaded(l artifactList, list bool) json.RawMessage {
	switch {
	case list && l.Artifacts != nil:
		b, _ := json.Marshal(l.Artifacts)
		return b
	case len(l.Artifacts) == 0 || list:
		return nil
	}
	return l.Artifacts[0]
}

// parseInput reads an executor input.
func parseInput(input []byte) (*executorInput, error) {
	var x executorInput
	if err := json.Unmarshal(input, &x); err != nil {
		return nil, fmt.Errorf("executor input: %w", err)
	}
	if x.Kfpgo.V > contract.Version {
		return nil, fmt.Errorf("executor input: version %d of the step contract; this program knows %d: build it with a newer kfpgo", x.Kfpgo.V, contract.Version)
	}
	switch x.Kfpgo.Outputs {
	case "":
		x.compose()
		return &x, nil
	case contract.Argo, contract.Local:
		return &x, nil
	}
	return nil, fmt.Errorf("executor input: kfpgo.outputs is %q; it must be argo or local", x.Kfpgo.Outputs)
}

// value returns what an input was given: nil for absent and for null.
func (x *executorInput) value(f graph.Field) json.RawMessage {
	b := x.Inputs.ParameterValues[f.Name]
	if f.Type.Artifact {
		list, given := x.Inputs.Artifacts[f.Name]
		if given && f.Type.List && list.Artifacts == nil { // as KFP's launcher writes an empty one
			list.Artifacts = []json.RawMessage{}
		}
		b = loaded(list, f.Type.List)
	}
	switch b = bytes.TrimSpace(b); {
	case len(b) == 0 || bytes.Equal(b, []byte("null")):
		return nil
	case f.Type.Name == kfptype.FinalStatus:
		return finalStatus(b)
	case f.Type.Name == kfptype.Integer:
		return integer(b)
	}
	return b
}

// integer turns a whole number in the form of a double, as some JSON writers
// print it, into the form that Go reads as an integer. Others stay as they are.
func integer(b json.RawMessage) json.RawMessage {
	if !bytes.ContainsAny(b, ".eE") {
		return b
	}
	f, err := strconv.ParseFloat(string(b), 64)
	if err != nil || f != float64(int64(f)) || f >= 1<<63 || f < -1<<63 {
		return b
	}
	return strconv.AppendInt(nil, int64(f), 10)
}

// setEnv sets the variables that come as inputs.
func (x *executorInput) setEnv() error {
	for name, v := range x.Inputs.ParameterValues {
		name, ok := strings.CutPrefix(name, contract.EnvInput)
		if !ok || string(v) == "null" {
			continue
		}
		if err := os.Setenv(name, text(v)); err != nil {
			return fmt.Errorf("variable %s: %w", name, err)
		}
	}
	return nil
}

// execute runs the component from an executor input, and writes what the input
// asks for.
func (c *Component[In, Out]) execute(ctx context.Context, input json.RawMessage) (out json.RawMessage, err error) {
	err = guard(func() error { // values have methods of the user's, too
		out, err = c.perform(ctx, input)
		return err
	})
	return out, err
}

func (c *Component[In, Out]) perform(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
	x, err := parseInput(input)
	if err != nil {
		return nil, err
	}
	if err := x.setEnv(); err != nil {
		return nil, err
	}
	given := map[string]json.RawMessage{}
	for _, f := range c.c.Inputs {
		b := x.value(f)
		if b == nil {
			b = f.Default
		}
		switch {
		case b != nil:
			given[f.Name] = b
		case !f.Optional:
			return nil, fmt.Errorf("input %s was not given", f.Name)
		}
	}
	if c.c.Kind == graph.Resource && x.Kfpgo.Outputs != contract.Local {
		return c.operate(ctx, x, given)
	}
	var in In
	var out Out
	for _, f := range c.c.Inputs {
		if b := cmp.Or(string(given[f.Name]), notGiven(f)); b != "" {
			if err := c.input(&in, f).load([]byte(b)); err != nil {
				return nil, fmt.Errorf("input %s: %w", f.Name, err)
			}
		}
	}
	promised := map[string]json.RawMessage{}
	for _, f := range c.c.Outputs {
		if b := loaded(x.Outputs.Artifacts[f.Name], f.Type.List); b != nil {
			promised[f.Name] = b
			if err := c.output(&out, f).load(b); err != nil {
				return nil, fmt.Errorf("output %s: %w", f.Name, err)
			}
			if err := makeFolder(b); err != nil {
				return nil, fmt.Errorf("output %s: %w", f.Name, err)
			}
		}
	}
	run := c.run
	if x.Kfpgo.Outputs == contract.Local {
		run = c.Func()
	}
	if err := c.invoke(ctx, run, in, &out, promised); err != nil {
		return nil, err
	}
	values := map[string]json.RawMessage{}
	for _, f := range c.c.Outputs {
		b, err := c.output(&out, f).store()
		if err != nil {
			return nil, fmt.Errorf("output %s: %w", f.Name, err)
		}
		if b != nil {
			values[f.Name] = b
		}
	}
	return x.write(c.c, values)
}

// notGiven returns what an input loads that was not given: an artifact that is
// there for its Path to be empty, and nothing for others.
func notGiven(f graph.Field) string {
	if f.Type.Artifact && !f.Type.List {
		return "{}"
	}
	return ""
}

// operate does the operation of a resource component against the cluster.
func (c *Component[In, Out]) operate(ctx context.Context, x *executorInput, given map[string]json.RawMessage) (json.RawMessage, error) {
	if record.Operate == nil {
		return nil, fmt.Errorf("this program can't reach a cluster; import github.com/kfpgo/kfpgo/dsl/k8s in it")
	}
	values, err := record.Operate(ctx, c.c, given)
	if err != nil {
		return nil, err
	}
	return x.write(c.c, values)
}

// makeFolder makes the folder that an output artifact is written in, so that its
// path works for os.WriteFile too.
func makeFolder(artifact json.RawMessage) error {
	var a runArtifact
	if err := json.Unmarshal(artifact, &a); err != nil {
		return err
	}
	if p := a.path(); filepath.IsAbs(p) {
		return os.MkdirAll(filepath.Dir(p), 0o755)
	}
	return nil
}

// localPath maps a URI to where the KFP launcher puts the file.
func localPath(uri string) string {
	scheme, rest, ok := strings.Cut(uri, "://")
	if !ok {
		return uri
	}
	switch scheme {
	case "file":
		return rest
	case "gs":
		return "/gcs/" + rest
	case "s3", "minio":
		return "/" + scheme + "/" + rest
	case "oci": // an image whose files the kubelet mounts
		return "/oci/" + strings.ReplaceAll(rest, "/", "_")
	}
	return uri
}
