package raise

import (
	"cmp"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// config returns the settings of the whole pipeline as an argument.
func (b *builder) config() string {
	title := ""
	if b.p.Title != "" && b.p.Title != b.mainName() || b.p.Title == b.p.Name {
		title = gosrc.Quote(b.p.Title)
	}
	c := cmp.Or(b.p.Config, &program.Config{})
	config := fields("dsl.Config", "DisplayName", title, "Root", quoted(b.p.Root),
		"Deadline", b.seconds(c.Deadline), "TTL", b.seconds(c.TTL), "TTLOnSuccess", b.seconds(c.TTLOnSuccess), "TTLOnFailure", b.seconds(c.TTLOnFailure),
		"Argo", b.argoConfig(c.Argo), "Workspace", workspace(c.Workspace))
	if config == "dsl.Config{}" {
		return ""
	}
	return ", " + config
}

func (b *builder) seconds(n int64) string { return b.duration(time.Duration(n) * time.Second) }

func workspace(w *program.Workspace) string {
	if w == nil {
		return ""
	}
	patch, ok := anyLiteral(w.Patch)
	if !ok || len(w.Patch) == 0 || jsonType(w.Patch) != kfptype.Struct || string(w.Patch) == "{}" {
		patch = ""
	}
	return fields("dsl.Workspace", "Size", gosrc.Quote(w.Size), "Patch", patch)
}

// argoConfig returns the literal of what only Argo knows of a pipeline.
func (b *builder) argoConfig(a *graph.Argo) string {
	if a == nil {
		return ""
	}
	semaphore := ""
	if a.SemaphoreKey != "" {
		semaphore = fields("dsl.ConfigKey", "ConfigMap", quoted(a.SemaphoreMap), "Key", gosrc.Quote(a.SemaphoreKey))
	}
	return fields("dsl.ArgoConfig", "Parallelism", nonzero(a.Parallelism),
		"ObjectServiceAccount", quoted(a.ObjectServiceAccount), "ServiceAccount", quoted(a.ServiceAccount), "ArchiveLogs", flag(a.ArchiveLogs),
		"Mutex", quoted(a.Mutex), "Semaphore", semaphore, "LockDatabase", flag(a.LockDatabase),
		"PodGC", chosen("dsl.PodGC", a.PodGC, "OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"), "PodGCDelay", b.seconds(a.PodGCDelay),
		"ArtifactGC", chosen("dsl.ArtifactGC", a.ArtifactGC, "OnWorkflowCompletion", "OnWorkflowDeletion"), "CacheFor", b.seconds(a.CacheFor))
}
