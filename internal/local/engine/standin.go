package engine

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// instead says what to do about components that can't run on this machine: a program in Go
// can have functions that stand in for them here, and a file can't.
func (e *engine) instead(cs ...*program.Component) string {
	pos := e.p.Component(e.p.Main).Pos
	if len(cs) > 0 {
		pos = cs[0].Pos
	}
	if feature.FromFile(e.p, pos) {
		return "run the file on a cluster, with kfpgo run --on argo or --on kfp"
	}
	if len(cs) == 0 {
		return "give their components an OnLocal function, which runs in their place here"
	}
	return fmt.Sprintf("give component %s an OnLocal function, which runs in its place here", cs[0].Titled())
}
