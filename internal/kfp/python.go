package kfp

import (
	"github.com/kfpgo/kfpgo/internal/kfpspec"
	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/pyrun"
)

// python returns the container of a Python step: the image's Python with the
// runtime, and the step's source as an argument. Or the form of KFP's own SDK.
func (w *writer) python(at place, c *program.Component) *kfpspec.Container {
	k := &kfpspec.Container{Image: w.imageText(at, c.Exec.Python.Image)}
	if c.Exec.Python.SDK != nil {
		k.Command, k.Args = pyrun.SDK(c.Exec.Python)
		return k
	}
	k.Command, k.Args = pyrun.Command(), pyrun.Args(c, "{{$}}", true)
	return k
}
