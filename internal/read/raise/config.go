package raise

import (
	"cmp"
	"strings"
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
		"Workspace", workspace(c.Workspace))
	out := ""
	for _, c := range []string{config, b.argoConfig(c.Argo)} {
		if !strings.HasSuffix(c, "{}") && c != "" {
			out += ", " + c
		}
	}
	return out
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
		semaphore = fields("argo.ConfigKey", "ConfigMap", quoted(a.SemaphoreMap), "Key", gosrc.Quote(a.SemaphoreKey))
	}
	return fields("argo.Config", "Parallelism", nonzero(a.Parallelism),
		"ObjectServiceAccount", quoted(a.ObjectServiceAccount), "ServiceAccount", quoted(a.ServiceAccount), "ArchiveLogs", flag(a.ArchiveLogs),
		"Mutex", quoted(a.Mutex), "Semaphore", semaphore, "LockDatabase", flag(a.LockDatabase),
		"PodGC", chosen("argo.PodGC", a.PodGC, "OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"), "PodGCDelay", b.seconds(a.PodGCDelay),
		"ArtifactGC", chosen("argo.ArtifactGC", a.ArtifactGC, "OnWorkflowCompletion", "OnWorkflowDeletion"), "CacheFor", b.seconds(a.CacheFor))
}
