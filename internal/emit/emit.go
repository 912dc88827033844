// Package emit writes a program for a target, by the target's name.
package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/argo"
	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/program"
)

// The targets, by name.
const (
	KFP  = "kfp"
	Argo = "argo"
)

// Targets lists the names, for messages and for completion.
var Targets = []string{KFP, Argo}

// Options say what a program doesn't know.
type Options struct {
	Image        string // of the program: it runs the Go steps
	ArtifactRoot string // argo: the URI of the folder that holds the artifacts
}

// Emit returns the YAML of a program for a target.
func Emit(p *program.Program, target string, o Options) ([]byte, error) {
	if err := Check(target, o); err != nil {
		return nil, err
	}
	if target == Argo {
		return argo.Write(p, argo.Options{Image: o.Image, ArtifactRoot: o.ArtifactRoot})
	}
	return kfp.Write(p, kfp.Options{Image: o.Image, Version: Version()})
}

// Check returns what is wrong with a target and its options, whatever the program.
func Check(target string, o Options) error {
	switch {
	case !slices.Contains(Targets, target):
		return fmt.Errorf("there is no target %q; the targets are %s", target, strings.Join(Targets, " and "))
	case target != Argo && o.ArtifactRoot != "":
		return fmt.Errorf("an artifact root is for target argo; target %s has its own, the pipeline root", target)
	}
	return nil
}
