package flags

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// TestGroups: each flag is shown once, in its group, and none that is hidden.
func TestGroups(t *testing.T) {
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	fs.Bool("plain", false, "")
	fs.Bool("home", false, "")
	fs.Bool("hidden", false, "")
	fs.MarkHidden("hidden")
	InGroup(fs, Here, "home")
	new(Server).Add(fs)
	in := map[string]string{}
	var titles []string
	for _, g := range Groups(fs, "Flags") {
		titles = append(titles, g.Title)
		for line := range strings.Lines(g.Usages) {
			name, _, _ := strings.Cut(strings.TrimLeft(line, " -"), " ")
			if was, twice := in[strings.TrimSpace(name)]; twice {
				t.Errorf("%s is in %s and in %s", name, was, g.Title)
			}
			in[strings.TrimSpace(name)] = g.Title
		}
	}
	if got, want := strings.Join(titles, ", "), "Flags, On this machine, Connection to the server, Authentication"; got != want {
		t.Errorf("got groups %s, want %s", got, want)
	}
	for name, want := range map[string]string{
		"plain": "Flags", "home": Here, "context": Connection, "endpoint": Connection, "ca": Connection, "kubeconfig": Connection,
		"token-file": Authentication, "password-file": Authentication, "user": Authentication, "cert": Authentication, "key": Authentication, "hidden": "",
	} {
		if in[name] != want {
			t.Errorf("--%s is in %q, want %q", name, in[name], want)
		}
	}
}
