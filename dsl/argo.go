package dsl

import (
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// An ArgoConfig is what Argo Workflows does for a whole pipeline, and other targets
// don't: there it means nothing. It is a field of [Config].
//
//	var Sweep = dsl.Pipeline("sweep", sweep, dsl.Config{
//		TTL: 24 * time.Hour,
//		Argo: dsl.ArgoConfig{
//			Parallelism: 20,
//			PodGC:       dsl.PodGCOnPodSuccess,
//			CacheFor:    7 * 24 * time.Hour,
//		},
//	})
type ArgoConfig struct {
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
	// a component holds it. A step runs all the same if it has [NoCache] or no
	// outputs, takes or makes artifacts, mounts a volume, or asks about the run. An image counts by
	// its name: pin its digest, as kfpgo compile --build does. 0: every step runs.
	CacheFor time.Duration
}

// A ConfigKey is a key of a config map.
type ConfigKey struct{ ConfigMap, Key string }

// A PodGC says when the pods of a run are deleted, in Argo's words.
type PodGC string

// The times of [ArgoConfig.PodGC].
const (
	PodGCOnPodCompletion      PodGC = "OnPodCompletion"      // each at its end
	PodGCOnPodSuccess         PodGC = "OnPodSuccess"         // each that succeeded, at its end
	PodGCOnWorkflowCompletion PodGC = "OnWorkflowCompletion" // all at the end of the run
	PodGCOnWorkflowSuccess    PodGC = "OnWorkflowSuccess"    // all at the end of a run that succeeded
)

// An ArtifactGC says when the artifacts of a run are deleted, in Argo's words.
type ArtifactGC string

// The times of [ArgoConfig.ArtifactGC].
const (
	ArtifactGCOnWorkflowCompletion ArtifactGC = "OnWorkflowCompletion" // at the end of the run
	ArtifactGCOnWorkflowDeletion   ArtifactGC = "OnWorkflowDeletion"   // with the Workflow
)

var accountName = record.Rule{
	What: "the name of a service account", Max: 253,
	Form: graph.AccountForm, Hint: graph.AccountHint,
}

var syncName = record.Rule{
	What: "a name or key", Max: 253,
	Form: lazyregexp.New(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`),
	Hint: "letters, digits, -, _ and dots, with a letter or digit at both ends",
}

// record checks the settings. Seconds checks a duration.
func (a ArgoConfig) record(p *record.Component, seconds func(string, time.Duration) int64) *graph.Argo {
	if a == (ArgoConfig{}) {
		return nil
	}
	bad := func(format string, args ...any) {
		p.Errorf(p.Pos, "pipeline %s: "+format, append([]any{p.Name}, args...)...)
	}
	if a.Parallelism < 0 {
		bad("Argo.Parallelism is %d; it must be at least 1, or 0 for no limit", a.Parallelism)
	}
	if a.ServiceAccount != "" {
		if err := accountName.Check(a.ServiceAccount); err != nil {
			bad("Argo.ServiceAccount: %v", err)
		}
	}
	if a.ObjectServiceAccount != "" {
		if err := accountName.Check(a.ObjectServiceAccount); err != nil {
			bad("Argo.ObjectServiceAccount: %v", err)
		}
	}
	if a.Mutex != "" {
		if err := syncName.Check(a.Mutex); err != nil {
			bad("Argo.Mutex: %v", err)
		}
	}
	if s := a.Semaphore; s != (ConfigKey{}) {
		switch {
		case a.LockDatabase && (s.ConfigMap != "" || s.Key == ""):
			bad("Argo.Semaphore of the database has a Key and no ConfigMap")
		case !a.LockDatabase && (s.ConfigMap == "" || s.Key == ""):
			bad("Argo.Semaphore is a config map and a key of it, which says how many may run; one of them is empty")
		}
		for _, text := range []string{s.ConfigMap, s.Key} {
			if err := syncName.Check(text); text != "" && err != nil {
				bad("Argo.Semaphore: %v", err)
			}
		}
	}
	if a.LockDatabase && a.Mutex == "" && a.Semaphore == (ConfigKey{}) {
		bad("Argo.LockDatabase without a Mutex or Semaphore, of which it says where they are")
	}
	switch a.PodGC {
	case "", PodGCOnPodCompletion, PodGCOnPodSuccess, PodGCOnWorkflowCompletion, PodGCOnWorkflowSuccess:
	default:
		bad("Argo.PodGC is %q; use one of the constants PodGCOn...", a.PodGC)
	}
	if a.PodGC == "" && a.PodGCDelay != 0 {
		bad("Argo.PodGCDelay without a PodGC, which says after what")
	}
	switch a.ArtifactGC {
	case "", ArtifactGCOnWorkflowCompletion, ArtifactGCOnWorkflowDeletion:
	default:
		bad("Argo.ArtifactGC is %q; use ArtifactGCOnWorkflowCompletion or ArtifactGCOnWorkflowDeletion", a.ArtifactGC)
	}
	return &graph.Argo{
		Parallelism: int64(a.Parallelism), ServiceAccount: a.ServiceAccount, ObjectServiceAccount: a.ObjectServiceAccount, ArchiveLogs: a.ArchiveLogs,
		Mutex: a.Mutex, SemaphoreMap: a.Semaphore.ConfigMap, SemaphoreKey: a.Semaphore.Key, LockDatabase: a.LockDatabase,
		PodGC: string(a.PodGC), PodGCDelay: seconds("Argo.PodGCDelay", a.PodGCDelay),
		ArtifactGC: string(a.ArtifactGC), CacheFor: seconds("Argo.CacheFor", a.CacheFor),
	}
}
