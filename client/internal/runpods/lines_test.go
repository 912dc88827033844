package runpods

import (
	"strings"
	"testing"
)

// TestEngines: of a log of KFP 2.17 what the step has written is left, lines in the
// launcher's form among it.
func TestEngines(t *testing.T) {
	const log = `time="2026-11-29T14:59:04.397Z" level=info msg="capturing logs" argo=true
I1129 14:59:04.467708      17 main.go:139] Setting log level to: '1'
I1129 14:59:04.469829      17 cache.go:89] Connecting to cache endpoint ml-pipeline.kubeflow.svc.cluster.local:8887
W1129 14:59:06.534101      17 launcher_v2.go:590] Could not determine retry index from pod annotation, defaulting to 0
said 0
I1129 14:59:07.000000      40 main.go:12] a step that logs as the launcher does
time="2026-11-29T14:59:08Z" level=info msg="a step that logs as Argo does"

{
I1129 14:59:18.773494      17 launcher_v2.go:1230] ExecutorOutput: {
  "artifacts": {},
  "parameterValues": {}
}
I1129 14:59:18.784079      17 object_store.go:231] uploadFile(localFilePath="/minio/x")
time="2026-11-29T14:59:19.482Z" level=info msg="sub-process exited" argo=true error="<nil>"
`
	const want = `said 0
I1129 14:59:07.000000      40 main.go:12] a step that logs as the launcher does
time="2026-11-29T14:59:08Z" level=info msg="a step that logs as Argo does"

{
`
	hide, got := Engines(), ""
	for line := range strings.Lines(log) {
		if !hide(line) {
			got += line
		}
	}
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
