package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// pythonCommands are the commands of kfp 2.17 with all of their options.
const pythonCommands = `
kfp: --show-completion --install-completion --endpoint --iap-client-id -n --namespace --other-client-id --other-client-secret --existing-token --output --version
run list: -e --experiment-id --page-token -m --max-size --sort-by --filter
run create: -e --experiment-name -r --run-name -f --package-file -p --pipeline-id -n --pipeline-name -w --watch -v --version -t --timeout
run get: -w --watch -d --detail
recurring-run create: --catchup --no-catchup --cron-expression --description --enable-caching --disable-caching --enabled --disabled --end-time --experiment-id --experiment-name --job-name --interval-second --max-concurrency --pipeline-id --pipeline-package-path --start-time --version-id
recurring-run list: -e --experiment-id --page-token -m --max-size --sort-by --filter
pipeline create: -p --pipeline-name -d --description
pipeline create-version: -v --pipeline-version -p --pipeline-id -n --pipeline-name -d --description
pipeline list: --page-token -m --max-size --sort-by --filter
pipeline list-versions: --page-token -m --max-size --sort-by --filter
experiment create: -d --description
experiment list: --page-token -m --max-size --sort-by --filter
experiment archive: --experiment-id --experiment-name
experiment unarchive: --experiment-id --experiment-name
`

// TestPythonFlags: each option of KFP's command is one of ours, or is refused with what
// it is called here.
func TestPythonFlags(t *testing.T) {
	t.Setenv("KFPGO_CONFIG", filepath.Join(t.TempDir(), "none"))
	n, hints := 0, 0
	for line := range strings.Lines(strings.TrimSpace(pythonCommands)) {
		of, flags, _ := strings.Cut(strings.TrimSpace(line), ": ")
		for _, name := range strings.Fields(flags) {
			n++
			words := strings.Fields(strings.Replace(of, "run ", "runs ", 1))
			if of == "recurring-run create" || of == "recurring-run list" {
				words = strings.Fields(of)
			}
			if of == "kfp" {
				words = []string{"runs", "list"}
			}
			cmd, _, err := newRoot().Find(words)
			if err != nil || cmd.CommandPath() == "kfpgo" {
				t.Errorf("kfp %s has no verb of ours: %v", of, err)
				continue
			}
			has := cmd.Flags().Lookup(strings.TrimLeft(name, "-")) != nil || cmd.InheritedFlags().Lookup(strings.TrimLeft(name, "-")) != nil
			if !strings.HasPrefix(name, "--") {
				has = false
				find := func(f *pflag.Flag) { has = has || f.Shorthand == name[1:] }
				cmd.Flags().VisitAll(find)
				cmd.InheritedFlags().VisitAll(find)
			}
			if has || name == "--version" { // kfpgo version
				continue
			}
			hints++
			root := newRoot()
			root.SetArgs(append(words, name, "x"))
			err = root.ExecuteContext(t.Context())
			if err == nil || !strings.Contains(err.Error(), "KFP's "+name+" is ") {
				t.Errorf("kfp %s %s: %v", of, name, err)
				continue
			}
			// What it says is there, if it is a flag.
			_, ours, _ := strings.Cut(err.Error(), "is --")
			if ours, _, _ = strings.Cut(ours, " here"); ours != "" {
				ours = strings.FieldsFunc(ours, func(r rune) bool { return r == ' ' || r == ',' })[0]
				if cmd.Flags().Lookup(ours) == nil && cmd.InheritedFlags().Lookup(ours) == nil {
					t.Errorf("kfp %s %s: %s has no --%s", of, name, cmd.CommandPath(), ours)
				}
			}
		}
	}
	if n < 80 || hints < 40 {
		t.Errorf("%d options, %d with a hint", n, hints)
	}
	t.Logf("%d options of KFP's command, %d of which are called otherwise here", n, hints)
}

// TestPythonWords: what KFP's command takes as arguments.
func TestPythonWords(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{"run create x.yaml", "KFP's run create is kfpgo runs create"},
		{"run list", "KFP's run list is kfpgo runs list"},
		{"run create -e x", "KFP's run create is kfpgo runs create"},
		{"run x.yaml a=1", "a parameter is given as -p a=1"},
		{"runs create x.yaml a=1", "a parameter is given as -p a=1"},
		{"recurring-runs create n x.yaml a=1", "a parameter is given as -p a=1"},
		{"recurring-runs create", "no NAME was given"},
		{"runs create x.yaml y.yaml", `unexpected argument "y.yaml"`},
		{"runs list --no-such", "unknown flag: --no-such"},
	} {
		root := newRoot()
		root.SetArgs(strings.Fields(c.line))
		err := root.ExecuteContext(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
	}
}
