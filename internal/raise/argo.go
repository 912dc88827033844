package raise

import (
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/internal/graph"
)

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
	add(a.ServiceAccount != "", "ServiceAccount: %s", quote(a.ServiceAccount))
	add(a.ArchiveLogs, "ArchiveLogs: %t", a.ArchiveLogs)
	add(a.Mutex != "", "Mutex: %s", quote(a.Mutex))
	add(a.SemaphoreMap != "", "Semaphore: dsl.ConfigKey{ConfigMap: "+quote(a.SemaphoreMap)+", Key: %s}", quote(a.SemaphoreKey))
	add(a.PodGC != "", "PodGC: dsl.PodGC%s", a.PodGC)
	seconds("PodGCDelay", a.PodGCDelay)
	add(a.ArtifactGC != "", "ArtifactGC: dsl.ArtifactGC%s", a.ArtifactGC)
	seconds("CacheFor", a.CacheFor)
	return braces("dsl.ArgoConfig", parts)
}
