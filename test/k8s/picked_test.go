package k8s

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
	"time"
)

var notedText = regexp.MustCompile(`it's \{\{x\}\} at (\S+) on ([0-9-]+)`)

// TestPicked: a schedule that is picked by its name runs with its arguments, fired now in
// its zone, here and on Argo alike.
func TestPicked(t *testing.T) {
	t.Parallel()
	ready(t)
	slots <- struct{}{}
	defer func() { <-slots }()
	g := opened(t)
	config := filepath.Join(t.TempDir(), "config.yaml")
	no(t, os.WriteFile(config, fmt.Appendf(nil, "current: here\ncontexts: {here: {engine: argo, endpoint: %q, namespace: default}}\n", g.URL), 0o600))
	zone, err := time.LoadLocation("Pacific/Kiritimati")
	no(t, err)
	for _, on := range [][]string{nil, {"--on", "argo", "--image", "registry.local/suite:1", "--wait"}} {
		began := time.Now().Truncate(time.Second)
		cmd := exec.Command(kfpgo, append([]string{"run", "./suite#Nights"}, on...)...)
		cmd.Env = append(os.Environ(), "KFPGO_CONFIG="+config, "KFPGO_HOME="+t.TempDir())
		out, err := cmd.CombinedOutput()
		m := notedText.FindSubmatch(out)
		if err != nil || m == nil {
			t.Errorf("%v: %v\n%s", on, err, out)
			continue
		}
		at, err := time.Parse(time.RFC3339, string(m[1]))
		if _, offset := at.Zone(); err != nil || at.Before(began) || at.After(time.Now()) || offset != 14*60*60 || string(m[2]) != at.In(zone).Format(time.DateOnly) {
			t.Errorf("%v: it was given %s and %s; it began at %s", on, m[1], m[2], began)
		}
	}
}
