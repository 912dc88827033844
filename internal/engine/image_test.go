package engine

import (
	"testing"

	"github.com/kfpgo/kfpgo/internal/program"
)

// TestGoStepOfFile holds that a Go step of a file of IR runs in its image.
func TestGoStepOfFile(t *testing.T) {
	step := &program.Component{Name: "add", Exec: &program.Executor{Go: &program.GoStep{Name: "add", Image: "ghcr.io/acme/calc:1"}}}
	p := &program.Program{Components: []*program.Component{step}}
	p.Component("add") // fills the index, which must not be that of the copy
	got := withoutProgram(p).Component("add").Exec
	if got.Container == nil || got.Go != nil || got.Container.Image != "ghcr.io/acme/calc:1" || got.Container.Command[2] != "add" {
		t.Errorf("got %+v, want a container", got)
	}
	if step.Exec.Go == nil {
		t.Error("the program itself was changed")
	}
}
