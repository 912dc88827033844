package kfp

import (
	"github.com/kfpgo/kfpgo/internal/kfpspec"
	"github.com/kfpgo/kfpgo/internal/program"
)

// python returns the container of a Python step.
func (w *writer) python(at place, c *program.Component) *kfpspec.Container {
	py := c.Exec.Python
	return &kfpspec.Container{Image: w.imageText(at, py.Image), Command: []string{"python3", "-c", py.Source}, Args: []string{"{{$}}"}}
}
