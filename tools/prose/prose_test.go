// Package prose has the style that Vale checks the documentation by.
package prose

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStyle feeds Vale each idiom, which it must find, and sentences in the words of the field, in which it must
// find nothing. The command is built by make lint, which names it in VALE.
func TestStyle(t *testing.T) {
	vale := os.Getenv("VALE")
	if vale == "" {
		t.Fatal("VALE must name the built command; make prose sets it")
	}
	for _, c := range []struct {
		sentence string
		idiom    bool
	}{
		{"See servers for how to be let in.", true},
		{"The user is let in by a token.", true},
		{"The command says how to mend it.", true},
		{"It was mended since.", true},
		{"You are told when it is applied.", true},
		{"Nobody is told.", true},
		{"It never touches a run that goes on.", true},
		{"All verbs take a name.", true},
		{"It starts runs at times.", true},
		{"That text is no constant.", true},
		{"The value is no integer.", true},
		{"A secret as a parameter is none.", true},
		{"KFP hands on the fire time.", true},
		{"The server tells of a cached task.", true},
		{"It leaves alone what there is.", true},
		{"A lease of 0 is for ever.", true},
		{"The page shows what is wrong.", true},
		{"For authentication see the page about servers.", false},
		{"The command suggests a fix.", false},
		{"The error is reported when the schedule is applied.", false},
		{"It never touches a run in progress.", false},
		{"The subcommand takes a name.", false},
		{"The value is not an integer: give one, such as 3.", false},
		{"There is no default, and there is no address of a server.", false},
		{"KFP passes the fire time to the step.", false},
		{"Run `kfpgo mend` and `is no constant` in code.", false},
	} {
		file := filepath.Join(t.TempDir(), "sentence.md")
		if err := os.WriteFile(file, []byte(c.sentence+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command(vale, "--config", ".vale.ini", "--output", "line", file).CombinedOutput()
		if found := err != nil && len(out) > 0; found != c.idiom {
			t.Errorf("%q: %v, %s", c.sentence, err, out)
		}
	}
}
