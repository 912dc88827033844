package argo

import (
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Config is what Argo Workflows does for a whole pipeline, and other targets
// don't: there it means nothing. It is an option of dsl.Pipeline, beside dsl.Config.
//
//	var Sweep = dsl.Pipeline("sweep", sweep, dsl.Config{TTL: 24 * time.Hour}, argo.Config{
//		Parallelism: 20,
//		PodGC:       argo.PodGCOnPodSuccess,
//		CacheFor:    7 * 24 * time.Hour,
//	})
type Config struct {
	Parallelism    int    // pods of a run at once; 0: no limit (parallelism)
	ServiceAccount string // that the pods run as, unless kfpgo is given another (serviceAccountName)
	// ObjectServiceAccount is that of the steps that work on objects of the cluster:
	// resource and volume operations, and ready-made components that make objects. With it
	// the token in the pods of all other steps, whoever made their images, has no right
	// on objects. Default: ServiceAccount.
	ObjectServiceAccount string

	ArchiveLogs bool // keep the logs of the steps as artifacts (archiveLogs)

	// Runs that name the same Mutex, or key of a config map, in one namespace wait for each
	// other: of a Mutex one runs at a time, and of Semaphore as many as the key says
	// (synchronization).
	Mutex     string
	Semaphore ConfigKey
	// LockDatabase takes both from the database that several controllers of Argo share, since
	// Argo 3.7: there a Semaphore has a Key and no ConfigMap.
	LockDatabase bool

	PodGC      PodGC         // when pods are deleted; default: with the Workflow (podGC.strategy)
	PodGCDelay time.Duration // how long after that (podGC.deleteDelayDuration)

	ArtifactGC ArtifactGC // when the artifacts of a run are deleted; default: never (artifactGC.strategy)

	// CacheFor keeps what a step has made for so long, and gives it to an equal
	// step with equal inputs in its place (memoize, with maxAge). The config map of
	// a component holds it. A step runs all the same if it has dsl.NoCache or no
	// outputs, takes or makes artifacts, mounts a volume, or asks about the run. An image counts by
	// its name: pin its digest, as kfpgo compile --build does. 0: every step runs.
	CacheFor time.Duration
}

// A ConfigKey is a key of a config map.
type ConfigKey struct{ ConfigMap, Key string }

// A PodGC says when the pods of a run are deleted, in Argo's words.
type PodGC string

// The times of [Config.PodGC].
const (
	PodGCOnPodCompletion      PodGC = "OnPodCompletion"      // each at its end
	PodGCOnPodSuccess         PodGC = "OnPodSuccess"         // each that succeeded, at its end
	PodGCOnWorkflowCompletion PodGC = "OnWorkflowCompletion" // all at the end of the run
	PodGCOnWorkflowSuccess    PodGC = "OnWorkflowSuccess"    // all at the end of a run that succeeded
)

// An ArtifactGC says when the artifacts of a run are deleted, in Argo's words.
type ArtifactGC string

// The times of [Config.ArtifactGC].
const (
	ArtifactGCOnWorkflowCompletion ArtifactGC = "OnWorkflowCompletion" // at the end of the run
	ArtifactGCOnWorkflowDeletion   ArtifactGC = "OnWorkflowDeletion"   // with the Workflow
)

var accountName = record.Rule{
	What: "the name of a service account", Max: 253,
	Form: graph.AccountForm, Hint: graph.AccountHint,
}

// ConfigurePipeline makes a Config a dsl.PipelineOption.
func (a Config) ConfigurePipeline(p *record.Component) {
	bad := func(format string, args ...any) {
		p.Errorf(p.Pos, "pipeline %s: "+format, append([]any{p.Name}, args...)...)
	}
	switch {
	case a == Config{}:
		return
	case p.Config == nil:
		p.Config = &graph.Config{}
	case p.Config.Argo != nil:
		p.Errorf(p.Pos, "pipeline %s has two argo.Configs", p.Name)
	}
	if a.Parallelism < 0 {
		bad("argo.Config.Parallelism is %d; it must be at least 1, or 0 for no limit", a.Parallelism)
	}
	if a.ServiceAccount != "" {
		if err := accountName.Check(a.ServiceAccount); err != nil {
			bad("argo.Config.ServiceAccount: %v", err)
		}
	}
	if a.ObjectServiceAccount != "" {
		if err := accountName.Check(a.ObjectServiceAccount); err != nil {
			bad("argo.Config.ObjectServiceAccount: %v", err)
		}
	}
	if a.Mutex != "" {
		if err := lockName.Check(a.Mutex); err != nil {
			bad("argo.Config.Mutex: %v", err)
		}
	}
	if s := a.Semaphore; s != (ConfigKey{}) {
		switch {
		case a.LockDatabase && (s.ConfigMap != "" || s.Key == ""):
			bad("argo.Config.Semaphore of the database has a Key and no ConfigMap")
		case !a.LockDatabase && (s.ConfigMap == "" || s.Key == ""):
			bad("argo.Config.Semaphore is a config map and a key of it, which says how many may run; one of them is empty")
		}
		for _, text := range []string{s.ConfigMap, s.Key} {
			if err := lockName.Check(text); text != "" && err != nil {
				bad("argo.Config.Semaphore: %v", err)
			}
		}
	}
	if a.LockDatabase && a.Mutex == "" && a.Semaphore == (ConfigKey{}) {
		bad("argo.Config.LockDatabase without a Mutex or Semaphore, of which it says where they are")
	}
	switch a.PodGC {
	case "", PodGCOnPodCompletion, PodGCOnPodSuccess, PodGCOnWorkflowCompletion, PodGCOnWorkflowSuccess:
	default:
		bad("argo.Config.PodGC is %q; use one of the constants argo.PodGCOn...", a.PodGC)
	}
	if a.PodGC == "" && a.PodGCDelay != 0 {
		bad("argo.Config.PodGCDelay without a PodGC, which says after what")
	}
	switch a.ArtifactGC {
	case "", ArtifactGCOnWorkflowCompletion, ArtifactGCOnWorkflowDeletion:
	default:
		bad("argo.Config.ArtifactGC is %q; use argo.ArtifactGCOnWorkflowCompletion or argo.ArtifactGCOnWorkflowDeletion", a.ArtifactGC)
	}
	p.Config.Argo = &graph.Argo{
		Parallelism: int64(a.Parallelism), ServiceAccount: a.ServiceAccount, ObjectServiceAccount: a.ObjectServiceAccount, ArchiveLogs: a.ArchiveLogs,
		Mutex: a.Mutex, SemaphoreMap: a.Semaphore.ConfigMap, SemaphoreKey: a.Semaphore.Key, LockDatabase: a.LockDatabase,
		PodGC: string(a.PodGC), PodGCDelay: p.Seconds("argo.Config.PodGCDelay", a.PodGCDelay),
		ArtifactGC: string(a.ArtifactGC), CacheFor: p.Seconds("argo.Config.CacheFor", a.CacheFor),
	}
}
