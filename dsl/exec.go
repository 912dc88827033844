package dsl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/source"
)

// Run runs the component's Go function, or its stand-in for local runs, in this
// process: for a unit test. Artifacts that it writes go to a new temporary folder.
//
//	out, err := calc.Add.Run(t.Context(), calc.AddIn{A: dsl.Const(2.0), B: dsl.Const(3.0)})
func (c *Component[In, Out]) Run(ctx context.Context, in In) (Out, error) {
	var out Out
	for _, f := range c.c.Inputs {
		p := c.input(&in, f)
		switch b, err := p.store(); {
		case err != nil:
			return out, fmt.Errorf("%s: input %s: %w", c.c.Name, f.Name, err)
		case b != nil:
		case p.value() != nil:
			return out, fmt.Errorf("%s: input %s must be a constant, not %s", c.c.Name, f.Name, p.value().Describe())
		case f.Default != nil:
			p.load(f.Default)
		case !f.Optional:
			return out, fmt.Errorf("%s: input %s is required", c.c.Name, f.Name)
		}
	}
	dir, err := os.MkdirTemp("", "kfpgo-"+filepath.Base(c.c.Name)+"-")
	if err != nil {
		return out, err
	}
	for _, f := range c.c.Outputs {
		if f.Type.Artifact && !f.Type.List {
			b, _ := json.Marshal(runArtifact{Name: f.Name, URI: filepath.Join(dir, f.Name)})
			c.output(&out, f).load(b)
		}
	}
	return out, c.invoke(ctx, in, &out)
}

// invoke calls the function, turns a panic into an error that names the user's
// line, and reports outputs that were not set.
func (c *Component[In, Out]) invoke(ctx context.Context, in In, out *Out) (err error) {
	if c.run == nil {
		return fmt.Errorf("a %s runs where its pipeline runs; give it OnLocal to run it here", c.c.Kind)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic at %s: %v", source.Caller(), r)
		}
	}()
	if err := c.run(ctx, in, out); err != nil {
		return err
	}
	var missing []string
	for _, f := range c.c.Outputs {
		b, err := c.output(out, f).store()
		if err != nil {
			return fmt.Errorf("output %s: %w", f.Name, err)
		}
		if b == nil && !f.Optional {
			missing = append(missing, f.Name)
		}
	}
	if missing != nil {
		return fmt.Errorf("output %s was never set", strings.Join(missing, ", "))
	}
	return nil
}

// An executorInput is what the KFP launcher passes for {{$}}.
type executorInput struct {
	Inputs struct {
		ParameterValues map[string]json.RawMessage `json:"parameterValues"`
		Artifacts       map[string]artifactList    `json:"artifacts"`
	} `json:"inputs"`
	Outputs struct {
		Artifacts  map[string]artifactList `json:"artifacts"`
		OutputFile string                  `json:"outputFile"`
	} `json:"outputs"`
}

type artifactList struct {
	Artifacts []json.RawMessage `json:"artifacts"`
}

// bytes returns what the field loads: the artifact, or all of a list.
func (l artifactList) bytes(list bool) json.RawMessage {
	switch {
	case list && l.Artifacts != nil:
		b, _ := json.Marshal(l.Artifacts)
		return b
	case len(l.Artifacts) == 0 || list:
		return nil
	}
	return l.Artifacts[0]
}

// execute runs the component from an executor input, and writes the executor
// output to the file that it names.
func (c *Component[In, Out]) execute(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
	var x executorInput
	if err := json.Unmarshal(input, &x); err != nil {
		return nil, fmt.Errorf("executor input: %w", err)
	}
	var in In
	var out Out
	for _, f := range c.c.Inputs {
		b := x.Inputs.ParameterValues[f.Name]
		if f.Type.Artifact {
			b = x.Inputs.Artifacts[f.Name].bytes(f.Type.List)
		}
		if b == nil || bytes.Equal(b, []byte("null")) {
			b = f.Default
		}
		if b == nil && f.Optional {
			continue
		}
		if b == nil {
			return nil, fmt.Errorf("input %s was not given", f.Name)
		}
		if err := c.input(&in, f).load(b); err != nil {
			return nil, fmt.Errorf("input %s: %w", f.Name, err)
		}
	}
	for _, f := range c.c.Outputs {
		if b := x.Outputs.Artifacts[f.Name].bytes(f.Type.List); b != nil {
			if err := c.output(&out, f).load(b); err != nil {
				return nil, fmt.Errorf("output %s: %w", f.Name, err)
			}
		}
	}
	if err := c.invoke(ctx, in, &out); err != nil {
		return nil, err
	}
	return c.write(x.Outputs.OutputFile, &out)
}

func (c *Component[In, Out]) write(file string, out *Out) (json.RawMessage, error) {
	params, artifacts := map[string]json.RawMessage{}, map[string]artifactList{}
	for _, f := range c.c.Outputs {
		b, err := c.output(out, f).store()
		switch {
		case err != nil:
			return nil, err
		case b == nil:
		case f.Type.Artifact:
			artifacts[f.Name] = artifactList{[]json.RawMessage{b}}
		default:
			params[f.Name] = b
		}
	}
	b, err := json.Marshal(map[string]any{"parameterValues": params, "artifacts": artifacts})
	if err != nil || file == "" {
		return b, err
	}
	return b, errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, b, 0o644))
}

// MountPath returns where a running component finds a volume that k8s.MountPVC
// mounts at a path: the path itself, or a folder of this machine in a local run.
func MountPath(path string) string {
	var mounts map[string]string
	if json.Unmarshal([]byte(os.Getenv("KFPGO_MOUNTS")), &mounts) == nil && mounts[path] != "" {
		return mounts[path]
	}
	return path
}
