package argo

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// argoConfig sets what only Argo does for a whole pipeline.
func (b *builder) argoConfig(main *program.Component, a *graph.Argo, spec *wfv1.WorkflowSpec) {
	if a == nil {
		return
	}
	if a.Parallelism > 0 {
		spec.Parallelism = &a.Parallelism
	}
	if a.ArchiveLogs {
		spec.ArchiveLogs = &a.ArchiveLogs
	}
	if a.PodGC != "" {
		spec.PodGC = &wfv1.PodGC{Strategy: wfv1.PodGCStrategy(a.PodGC)}
		if a.PodGCDelay > 0 {
			spec.PodGC.DeleteDelayDuration = (time.Duration(a.PodGCDelay) * time.Second).String()
		}
	}
	if a.Mutex != "" || a.SemaphoreKey != "" {
		spec.Synchronization = &wfv1.Synchronization{}
		if a.Mutex != "" {
			spec.Synchronization.Mutexes = []*wfv1.Mutex{{Name: a.Mutex, Database: a.LockDatabase}}
		}
		switch {
		case a.SemaphoreKey == "":
		case a.LockDatabase:
			spec.Synchronization.Semaphores = []*wfv1.SemaphoreRef{{Database: &wfv1.SyncDatabaseRef{Key: a.SemaphoreKey}}}
		default:
			spec.Synchronization.Semaphores = []*wfv1.SemaphoreRef{{ConfigMapKeyRef: keyOfMap(a.SemaphoreMap, a.SemaphoreKey)}}
		}
	}
	if a.ArtifactGC != "" {
		spec.ArtifactGC = &wfv1.WorkflowLevelArtifactGC{ArtifactGC: wfv1.ArtifactGC{Strategy: wfv1.ArtifactGCStrategy(a.ArtifactGC)}}
	}
}

// memoize keeps what the step has made, if the pipeline asks for that. The key is
// all that the step depends on: the template, the values of its inputs, and the
// namespace, since Argo keeps the config maps of all namespaces in its own.
func (l *leaf) memoize() {
	if l.p.Config == nil || l.p.Config.Argo == nil || l.p.Config.Argo.CacheFor == 0 || !l.cacheable() {
		return
	}
	set := &l.task.Settings
	parts := []string{"workflow.namespace"}
	if set.CacheKey != "" {
		parts = append(parts, literal("key "+set.CacheKey))
	} else {
		parts = append(parts, literal(fmt.Sprintf("%x", sha256.Sum256([]byte(mustJSON(l.t))))))
		for _, p := range l.t.Inputs.Parameters {
			parts = append(parts, "inputs.parameters["+literal(p.Name)+"]")
		}
	}
	key := "" // Argo 4 has no such field; the full CRDs of Argo 3 ask for it
	if !l.o.limited() {
		key = "kfpgo"
	}
	name := strings.Trim(letterFirst(l.p.Name+"-"+l.comp.Name), "-")
	l.t.Memoize = &wfv1.Memoize{
		Key:    tag("sprig.sha256sum(join([" + strings.Join(parts, ", ") + "], '|'))"),
		MaxAge: (time.Duration(l.p.Config.Argo.CacheFor) * time.Second).String(),
		Cache:  &wfv1.Cache{ConfigMap: keyOfMap(name, key)},
	}
}

// cacheable reports whether an equal step makes equal outputs, and Argo can keep
// them: artifacts are where their run has put them.
func (l *leaf) cacheable() bool {
	set := &l.task.Settings
	if set.NoCache || len(set.PVCMounts)+len(set.SecretVolumes)+len(set.ConfigMapVolumes) > 0 {
		return false
	}
	if slices.ContainsFunc(slices.Concat(l.comp.Inputs, l.comp.Outputs), func(p program.Port) bool { return p.Type.Artifact }) {
		return false
	}
	if len(l.comp.Outputs) == 0 {
		return false // what it does is all that it is for
	}
	if l.p.Config.Workspace != nil {
		return false // a volume that the tasks share
	}
	return !strings.Contains(mustJSON(l.t), "workflow.") && !strings.Contains(mustJSON(l.t), "pod.name")
}
