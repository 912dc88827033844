package emit

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// Changes are what is to be in place of what a program says.
type Changes struct {
	Name     string         // of the pipeline
	Title    string         // that the UI shows
	Defaults params.Options // values of inputs
	NoCache  bool           // every task runs even if an equal one has run before
}

var pipelineName = lazyregexp.New(`^[a-z0-9][a-z0-9-]{0,127}$`)

func (c Changes) check() error {
	if c.Name != "" && !pipelineName.MatchString(c.Name) {
		return fmt.Errorf("%q can't be the name of a pipeline: it takes lower-case letters, digits and dashes, at most 128, and begins with a letter or digit", c.Name)
	}
	return nil
}

// apply returns a program with the changes. The program itself stays as it is.
func (c Changes) apply(p *program.Program, target string) (*program.Program, error) {
	given := c.Defaults.Flags != nil || c.Defaults.YAML != nil
	if c.Name == "" && c.Title == "" && !c.NoCache && !given {
		return p, nil
	}
	p = p.Clone()
	if c.Name != "" {
		p.Name, p.Title = c.Name, ""
	}
	p.Title = cmp.Or(c.Title, p.Title)
	if c.NoCache {
		for _, t := range p.Tasks() {
			if called := p.Component(t.Component); called == nil || called.DAG == nil || called.DAG.Kind == program.Pipeline {
				t.Settings.NoCache, t.Settings.CacheKey = true, ""
			}
		}
	}
	if !given {
		return p, nil
	}
	root := p.Component(p.Main)
	if root == nil {
		return nil, fmt.Errorf("pipeline %s: its main component %q is not a pipeline", p.Name, p.Main)
	}
	c.Defaults.Partial = true
	values, err := params.Read(root.Inputs, c.Defaults)
	if err != nil {
		return nil, err
	}
	var errs []error
	root.Inputs = slices.Clone(root.Inputs)
	for i := range root.Inputs {
		in := &root.Inputs[i]
		v, ok := values[in.Name]
		switch {
		case ok && in.Type.Artifact:
			errs = append(errs, fmt.Errorf("input %s is an artifact, which can't have a default", in.Name))
		case ok:
			if !OnArgo(target) {
				if err := kfp.Carries(v, in.Type.Name); err != nil {
					errs = append(errs, fmt.Errorf("parameter %s: %w", in.Name, err))
				}
			}
			in.Default = v
		}
	}
	return p, errors.Join(errs...)
}
