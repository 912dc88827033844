package flags

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// TestAgain: the command that returns to a run names the server that it is on, whichever
// flag said so, and no password.
func TestAgain(t *testing.T) {
	f := Server{On: "argo", context: "c", Settings: contexts.Settings{Server: "https://ada:5up3r@h", Insecure: true, TokenCommand: []string{"print", "5up3r"}}}
	got := f.Again()
	for _, want := range []string{" --on argo", " --context c", " --argo-server 'https://", "@h", " --insecure-skip-tls-verify", " --token-command print …"} {
		if !strings.Contains(got, want) || strings.Contains(got, "5up3r") {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
