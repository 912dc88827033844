// Package withargo gives package emit the targets of Argo, whose types bring in most
// of Kubernetes: only what imports this links them.
package withargo

import (
	"github.com/kfpgo/kfpgo/internal/emit"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

func init() { emit.SetArgo(emit.ArgoBackend{Write: write, RBAC: rbac}) }

func options(o emit.Options) argo.Options {
	return argo.Options{Image: o.Image, ArtifactRoot: o.ArtifactRoot, ServiceAccount: o.Account, ObjectServiceAccount: o.ObjectAccount, Version: o.ArgoVersion}
}

func write(p *program.Program, target string, o emit.Options) ([]byte, error) {
	switch target {
	case emit.ArgoTemplate, emit.ArgoClusterTemplate:
		return argo.Template(p, options(o), target == emit.ArgoClusterTemplate)
	case emit.ArgoCron:
		return argo.Cron(p, options(o))
	}
	return argo.Write(p, options(o))
}

func rbac(p *program.Program, o emit.Options) ([]byte, error) {
	a := options(o)
	a.Namespace = o.Manifest.Namespace
	return argo.RBAC(p, a)
}
