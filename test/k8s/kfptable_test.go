package k8s

import (
	"cmp"
	_ "embed"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"

	"gopkg.in/yaml.v3"
)

// constructs are the pipelines that each run of the tests takes to KFP: one a construct.
// The others are for FULL=1.
var constructs = []string{
	`Inputs text="true"`, `Defaults flag="x" n="-1" text=""`, `Skipped`, `Env`, `Dollars`, `Braces`, `Expressions`, `Filter limit="9" texts="[]"`, `Filter texts="[\"abc\", \"\", \"ab\"]"`,
	`Twice n="1"`, `Format`, "Several text=" + quote(told), `Converts`, `Notebooks`, `Raises text="x"`, `Breaks`, `Sized`, `calc#Pipeline a="12"`, `hello#Pipeline name="Ada {{x}}"`, `TooLong`,
	// What is known to fail, by reason.
	`Branch n="6"`, `Joined n="1"`, `Loops`, `Copies`, `Fails`, `flipcoin#Pipeline games="1" seed="0"`, `Given text=""`, `Sources`, `Where`, `Volume`, `Values`, `Odds`,
	`Ignores`, `Imported text="hello"`, `Runs`, `Absent`, `Tells text="it's {x} #1"`, `Flagged text="{{f}} g"`, `InputFile data="(the path of a file with the text imported)"`,
}

// newer are those for the KFP that people run today; TestKFPTwice has more.
var newer = []string{
	`hello#Pipeline name="Ada {{x}}"`, `calc#Pipeline a="12"`, "Several text=" + quote(told), `Notebooks`, `Raises text="x"`, `Env`, `Dollars`, `Braces`, `Expressions`, `Tells text="it's {x} #1"`, `Flagged`, `Joined n="1"`,
	`Grid`, `Files`, `Fails`, `Kept`, `Ignores`, `Chosen`, `Configured`, `Volume`, `Sources`, `Where`, `flipcoin#Pipeline games="1" seed="0"`,
	`Given text=""`, `GivenFile`, `Sweep`, `Composed`, `Imported text="hello"`, `Values`, `Beside`, `Converts`, `Copies`, `Nested`, `Twins`,
}

// left are pipelines that FULL=1 leaves out too.
var left = map[string]string{
	"Broad": "its 210 branches are 420 pods on KFP, an hour on this machine",
}

// version is that of the KFP under test.
var version = cmp.Or(os.Getenv("KFP"), "2.0.5")

// A limit is why a KFP can't run a pipeline as the table has it, and what is reported
// then. A test fails when it can, or when it fails in another way.
type limit struct{ State, Said, Why string }

func (l *limit) differs(got outcome) string {
	text := got.log
	if got.state == "SUCCEEDED" {
		text = fmt.Sprint(got.outputs, got.ended)
	}
	if got.state != l.State || !strings.Contains(text, l.Said) {
		return got.state + " " + text
	}
	return ""
}

//go:embed known.yaml
var knownYAML []byte

// known are the limits of the KFP under test, by pipeline, or by row where that is other
// than its pipeline; nil for a row that has none.
var known = sync.OnceValue(func() map[string]*limit {
	var file struct {
		Limits  map[string]*limit
		Servers map[string]map[string]yaml.Node
	}
	if err := yaml.Unmarshal(knownYAML, &file); err != nil {
		panic(err)
	}
	all := map[string]*limit{}
	for row, n := range file.Servers[version] {
		l := &limit{}
		if n.Kind == yaml.ScalarNode {
			if l = file.Limits[n.Value]; l == nil && n.Value != "equal" && n.Value != "untried" {
				panic(row + ": there is no limit " + n.Value)
			}
		} else if err := n.Decode(l); err != nil {
			panic(err)
		}
		all[row] = l
	}
	return all
})

func limitOf(p pipeline) *limit {
	if l, ok := known()[p.String()]; ok {
		return l
	}
	return known()[p.short()]
}

// short is the name of the pipeline without its arguments.
func (p pipeline) short() string { return p.name[strings.LastIndexByte(p.name, '/')+1:] }

// TestKnown: each row of known.yaml is one of the table.
func TestKnown(t *testing.T) {
	rows := map[string]bool{}
	for _, p := range pipelines {
		rows[p.short()], rows[p.String()] = true, true
	}
	for row := range known() {
		if !rows[row] {
			t.Errorf("no pipeline is called %s", row)
		}
	}
	if len(known()) == 0 {
		t.Errorf("nothing is known of KFP %s", version)
	}
}
