package raise

import (
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// config returns the settings of the whole pipeline as an argument.
func (b *builder) config() string {
	var parts []string
	add := func(field, value string) { parts = append(parts, field+": "+value) }
	if b.p.Title != "" && b.p.Title != b.mainName() || b.p.Title == b.p.Name {
		add("DisplayName", gosrc.Quote(b.p.Title))
	}
	if b.p.Root != "" {
		add("Root", gosrc.Quote(b.p.Root))
	}
	if c := b.p.Config; c != nil {
		for _, d := range []struct {
			field   string
			seconds int64
		}{{"Deadline", c.Deadline}, {"TTL", c.TTL}, {"TTLOnSuccess", c.TTLOnSuccess}, {"TTLOnFailure", c.TTLOnFailure}} {
			if d.seconds != 0 {
				add(d.field, b.duration(time.Duration(d.seconds)*time.Second))
			}
		}
		if a := c.Argo; a != nil {
			add("Argo", b.argoConfig(a))
		}
		if w := c.Workspace; w != nil {
			ws := []string{"Size: " + gosrc.Quote(w.Size)}
			if lit, ok := anyLiteral(w.Patch); ok && len(w.Patch) > 0 && jsonType(w.Patch) == kfptype.Struct && string(w.Patch) != "{}" {
				ws = append(ws, "Patch: "+lit)
			}
			add("Workspace", braces("dsl.Workspace", ws))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return ", " + braces("dsl.Config", parts)
}

// argoConfig returns the literal of what only Argo knows of a pipeline.
func (b *builder) argoConfig(a *graph.Argo) string {
	var parts []string
	add := func(set bool, format string, v any) {
		if set {
			parts = append(parts, fmt.Sprintf(format, v))
		}
	}
	seconds := func(field string, n int64) {
		if n != 0 {
			parts = append(parts, field+": "+b.duration(time.Duration(n)*time.Second))
		}
	}
	add(a.Parallelism != 0, "Parallelism: %d", a.Parallelism)
	add(a.ObjectServiceAccount != "", "ObjectServiceAccount: %s", gosrc.Quote(a.ObjectServiceAccount))
	add(a.ServiceAccount != "", "ServiceAccount: %s", gosrc.Quote(a.ServiceAccount))
	add(a.ArchiveLogs, "ArchiveLogs: %t", a.ArchiveLogs)
	add(a.Mutex != "", "Mutex: %s", gosrc.Quote(a.Mutex))
	add(a.SemaphoreMap != "", "Semaphore: dsl.ConfigKey{ConfigMap: "+gosrc.Quote(a.SemaphoreMap)+", Key: %s}", gosrc.Quote(a.SemaphoreKey))
	add(a.PodGC != "", "PodGC: %s", constant("dsl.PodGC", a.PodGC, "OnPodCompletion", "OnPodSuccess", "OnWorkflowCompletion", "OnWorkflowSuccess"))
	seconds("PodGCDelay", a.PodGCDelay)
	add(a.ArtifactGC != "", "ArtifactGC: %s", constant("dsl.ArtifactGC", a.ArtifactGC, "OnWorkflowCompletion", "OnWorkflowDeletion"))
	seconds("CacheFor", a.CacheFor)
	return braces("dsl.ArgoConfig", parts)
}
