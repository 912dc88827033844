package kfp

import (
	"errors"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// displayNames is the first server, as the N of 2.N, that finds the outputs of a task with a
// display name (kubeflow/pipelines 11938).
const displayNames = 14

// older reports whether the server that was chosen is one before 2.minor.
func (w *writer) older(minor int) bool { return w.o.Server != nil && *w.o.Server < minor }

// forServer makes the IR one that the server that was chosen takes: fields that it
// may not know are written only where something needs them. Servers before 2.5 refuse a field that they
// don't know, and later ones ignore it.
func (w *writer) forServer() {
	minor := *w.o.Server
	for _, x := range w.spec.DeploymentSpec.Executors {
		if x.Container != nil && x.Container.Resources != nil && minor < 4 {
			onlyNumbers(x.Container.Resources)
		}
	}
	for _, k := range w.platform {
		onlyNeeded(k)
	}
}

// suits refuses what the server gets wrong or doesn't have: the one that was chosen, or
// for what goes to a server whose version nobody gave, the newest.
func (w *writer) suits() {
	minor := feature.Newest
	if w.o.Server != nil {
		minor = *w.o.Server
	} else if !w.exact() {
		return
	}
	var errs graph.Errors
	if errors.As(feature.CheckServer(w.p, minor), &errs) {
		w.errs = append(w.errs, errs...)
	}
}

// mustCache reports whether the server that was chosen fails on an operation that isn't
// cached: those before 2.5 do on claims ("must specify FingerPrint"). A claim that gets
// a new name each time isn't found in the cache anyway.
func (w *writer) mustCache(c *program.Component) bool {
	return w.older(5) && builtin(c) != ""
}

// onlyNumbers leaves the fields of 2.0, which hold all that is constant.
func onlyNumbers(r *kfpspec.Resources) {
	r.ResourceCPULimit, r.ResourceCPURequest, r.ResourceMemoryLimit, r.ResourceMemoryRequest = "", "", "", ""
	if a := r.Accelerator; a != nil {
		a.ResourceType, a.ResourceCount = "", ""
	}
}

// onlyNeeded leaves names that are constants in their old fields, and takes out
// what says no more than its absence.
func onlyNeeded(k *kfpspec.KubernetesExecutor) {
	for i := range k.SecretAsVolume {
		v := &k.SecretAsVolume[i]
		v.SecretNameParameter, v.Optional = reference(v.SecretNameParameter), ifTrue(v.Optional)
	}
	for i := range k.SecretAsEnv {
		v := &k.SecretAsEnv[i]
		v.SecretNameParameter, v.Optional = reference(v.SecretNameParameter), ifTrue(v.Optional)
	}
	for i := range k.ConfigMapAsVolume {
		v := &k.ConfigMapAsVolume[i]
		v.ConfigMapNameParameter, v.Optional = reference(v.ConfigMapNameParameter), ifTrue(v.Optional)
	}
	for i := range k.ConfigMapAsEnv {
		v := &k.ConfigMapAsEnv[i]
		v.ConfigMapNameParameter, v.Optional = reference(v.ConfigMapNameParameter), ifTrue(v.Optional)
	}
	for i := range k.ImagePullSecret {
		v := &k.ImagePullSecret[i]
		v.SecretNameParameter = reference(v.SecretNameParameter)
	}
	for i := range k.PVCMount {
		k.PVCMount[i].PVCNameParameter = nil // its old fields hold references too
	}
}

func reference(p *kfpspec.InputParameter) *kfpspec.InputParameter {
	if p == nil || p.RuntimeValue != nil {
		return nil
	}
	return p
}

func ifTrue(b *bool) *bool {
	if b == nil || !*b {
		return nil
	}
	return b
}
