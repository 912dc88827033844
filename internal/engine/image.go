package engine

import "github.com/kfpgo/kfpgo/internal/program"

// withoutProgram returns a program whose Go steps run in the images that they
// name: those of a file of IR, of which there is no program here.
func withoutProgram(p *program.Program) *program.Program {
	changed := false
	components := make([]*program.Component, len(p.Components))
	for i, c := range p.Components {
		components[i] = c
		if c.Exec == nil || c.Exec.Go == nil || c.Exec.Go.Image == "" || c.Exec.OnLocal {
			continue
		}
		g := c.Exec.Go
		in := *c
		in.Exec = &program.Executor{Container: &program.Container{
			Image: g.Image, Command: []string{"/app", "kfpgo:exec", g.Name}, Args: []string{"{{$}}"},
		}}
		components[i], changed = &in, true
	}
	if !changed {
		return p
	}
	return p.With(components)
}
