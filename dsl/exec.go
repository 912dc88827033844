package dsl

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Run runs the component's Go function, or its stand-in for local runs, in this
// process: for a unit test. Artifacts that it writes go to a new temporary folder,
// which is left there; with package dsl/dsltest it is the test's own.
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
		case notGiven(f) != "":
			p.load([]byte(notGiven(f)))
		}
	}
	dir, given := "", map[string]json.RawMessage{}
	for _, f := range c.c.Outputs {
		if f.Type.Artifact && !f.Type.List {
			if dir == "" {
				var err error
				if dir, err = os.MkdirTemp("", "kfpgo-"+filepath.Base(c.c.Name)+"-"); err != nil {
					return out, err
				}
			}
			b, _ := json.Marshal(runArtifact{Name: f.Name, URI: filepath.Join(dir, f.Name)})
			if err := c.output(&out, f).load(b); err != nil {
				return out, err
			}
			given[f.Name] = b
		}
	}
	return out, guard(func() error { return c.invoke(ctx, c.Func(), in, &out, given) })
}

// invoke calls the function, and reports outputs that were not set or, of artifacts,
// not written. Given are the output artifacts as the step got them.
func (c *Component[In, Out]) invoke(ctx context.Context, run func(context.Context, In, *Out) error, in In, out *Out, given map[string]json.RawMessage) error {
	if run == nil {
		return fmt.Errorf("a %s runs where its pipeline runs; give it OnLocal to run it here", c.c.Kind)
	}
	if err := run(ctx, in, out); err != nil {
		return err
	}
	var missing []string
	var unwritten []error
	for _, f := range c.c.Outputs {
		b, err := c.output(out, f).store()
		if err != nil {
			return fmt.Errorf("output %s: %w", f.Name, err)
		}
		if b == nil && !f.Optional {
			missing = append(missing, f.Name)
		}
		unwritten = append(unwritten, written(f, given[f.Name], b))
	}
	if missing != nil {
		return fmt.Errorf("output %s was never set", strings.Join(missing, ", "))
	}
	return errors.Join(unwritten...)
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
