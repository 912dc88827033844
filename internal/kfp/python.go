package kfp

import (
	"github.com/kfpgo/kfpgo/internal/kfpspec"
	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/pyrun"
)

// python returns the container of a Python step: the image's Python with the
// runtime, and the step's source as an argument.
func (w *writer) python(at place, c *program.Component) *kfpspec.Container {
	image := w.imageText(at, c.Exec.Python.Image)
	return &kfpspec.Container{Image: image, Command: pyrun.Command(), Args: pyrun.Args(c, "{{$}}", true)}
}
