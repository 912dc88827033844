package engine

import "github.com/kfpgo/kfpgo/internal/program"

// withoutProgram returns a program whose Go steps run in the images that they
// name: those of a file of IR, of which there is no program here.
func withoutProgram(p *program.Program) *program.Program {
	changed := false
	q := *p
	q.Components = make([]*program.Component, len(p.Components))
	for i, c := range p.Components {
		q.Components[i] = c
		if c.Exec == nil || c.Exec.Go == nil || c.Exec.Go.Image == "" || c.Exec.OnLocal {
			continue
		}
		g := c.Exec.Go
		in := *c
		in.Exec = &program.Executor{Container: &program.Container{
			Image: g.Image, Command: []string{"/app", "kfpgo:exec", g.Name}, Args: []string{"{{$}}"},
		}}
		q.Components[i], changed = &in, true
	}
	if !changed {
		return p
	}
	return &q
}
