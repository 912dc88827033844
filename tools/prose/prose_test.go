// Package prose has the style by which Vale checks the documentation, and the strings and comments of the Go code.
package prose

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
		{"The group may be told of later.", true},
		{"The server tells of a cached task.", true},
		{"It never touches a run that goes on.", true},
		{"Runs that go on are left alone.", true},
		{"All verbs take a name.", true},
		{"It starts runs at times.", true},
		{"That text is no constant.", true},
		{"The value is no integer.", true},
		{"These are no steps.", true},
		{"The value\nis no integer, in two lines.", true},
		{"A secret as a parameter is none.", true},
		{"KFP hands on the fire time.", true},
		{"The flag stands for what was given.", true},
		{"It leaves alone what there is.", true},
		{"The task shows what is wired wrongly.", true},
		{"The page shows what is wrong.", true},
		{"It prints what was read.", true},
		{"The tasks are wired.", true},
		{"Nothing is known of its type.", true},
		{"It compares texts and numbers.", true},
		{"The parameter is a text.", true},
		{"The value is text in Argo.", true},
		{"A lease of 0 is for ever.", true},
		{"A run is set going by a schedule.", true},
		{"It comes about by chance.", true},
		{"For authentication see the page about servers.", false},
		{"The command suggests a fix.", false},
		{"The error is reported when the schedule is applied.", false},
		{"It never touches a run in progress.", false},
		{"The subcommand takes a name.", false},
		{"The format verb is one of package fmt.", false},
		{"The value is not an integer: give one, such as 3.", false},
		{"There is no default, and there is no address of a server.", false},
		{"If there is\nno default, give one.", false},
		{"There are none.", false},
		{"`p.yaml:1`: Xthere is no parameter.", false},
		{"It is no longer used.", false},
		{"KFP passes the fire time to the step.", false},
		{"Go on the left, Python on the right.", false},
		{"The parameter is a string.", false},
		{"It is a text file.", false},
		{"It prints what the step wrote.", false},
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

// TestStrings has Vale check a page of internal/tool/strings, which must keep its lines.
func TestStrings(t *testing.T) {
	const page = "../../internal/tool/strings/testdata/kept.go.md"
	out, err := exec.Command(os.Getenv("VALE"), "--config", ".vale.ini", "--output", "line", page).Output()
	if err == nil {
		t.Error("found nothing")
	}
	var lines []string
	for line := range strings.Lines(string(out)) {
		fields := strings.SplitN(strings.TrimPrefix(line, page+":"), ":", 2)
		lines = append(lines, fields[0])
	}
	code, err := os.ReadFile("../../internal/tool/strings/testdata/src/kept/kept.go")
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	for i, line := range strings.Split(string(code), "\n") {
		if strings.HasSuffix(line, " want") {
			want = append(want, strconv.Itoa(i+1))
		}
	}
	if !slices.Equal(lines, want) {
		t.Errorf("findings in lines %v, want %v:\n%s", lines, want, out)
	}
}
