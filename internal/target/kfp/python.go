package kfp

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// maxArgument is what Linux takes for one argument of a command, less what the
// executor input may add.
const maxArgument = 120_000

// python returns the container of a Python step: the image's Python with the
// runtime, and the step's source as an argument. Or the form of KFP's own SDK.
func (w *writer) python(at place, c *program.Component) *kfpspec.Container {
	k := &kfpspec.Container{Image: w.imageText(at, c.Exec.Python.Image)}
	if c.Exec.Python.SDK != nil {
		k.Command, k.Args = pyrun.SDK(c.Exec.Python)
	} else {
		k.Command, k.Args = pyrun.Command(), pyrun.Args(c, contract.ExecutorInput, true)
	}
	for _, arg := range slices.Concat(k.Command, k.Args) {
		if len(arg) > maxArgument {
			at.errorf("the source of component %s with its files has %d bytes, and an argument takes %d; move some of it into a package of the image, or make it an artifact", c.Titled(), len(arg), maxArgument)
		}
	}
	return k
}
