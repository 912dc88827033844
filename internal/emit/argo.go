package emit

import (
	"errors"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// An ArgoBackend writes what Argo takes. Package withargo has it.
type ArgoBackend struct {
	Write func(p *program.Program, target string, o Options) ([]byte, error)
	RBAC  func(p *program.Program, o Options) ([]byte, error)
}

var forArgo *ArgoBackend

// SetArgo makes the targets of Argo work. It is for the init of package withargo.
func SetArgo(b ArgoBackend) { forArgo = &b }

func argoBackend() (*ArgoBackend, error) {
	if forArgo == nil {
		return nil, errors.New("this program has no target of Argo's: take the target from package compiler/argo, which brings them in")
	}
	return forArgo, nil
}
