package pairs

import (
	"cmp"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Row is a feature of KFP's Python SDK 2.17, for the page of the reference that
// says how it is written with kfpgo. Every row must be shown by a pair, unless it
// says where it is instead.
type Row struct {
	ID      string // the name in Python, by which pairs name it
	Go      string // what it is with kfpgo, in Markdown; for an option, its tags say it
	Example string // that can be run: dsl.ExampleFunc, k8s.Example_manifests or a folder of examples

	// AtRunTime says that IR has no trace of the row, since it is what a step's code
	// calls, and names the functions of package pyrun's tests that call it. KFP's
	// executor and kfpgo's run them and must leave the same behind.
	AtRunTime []string

	// Elsewhere says why no pair can show the row: it leaves no trace in IR.
	Elsewhere string
}

// A Section is the rows that belong together.
type Section struct {
	Title string
	Rows  []Row
}

// Sections returns the whole list.
func Sections() []Section {
	all := slices.Concat(languageRows, taskRows, kubernetesRows, compilerRows, elsewhereRows)
	options := map[string][]string{} // by the name in Python
	for _, o := range program.Options() {
		for _, name := range o.KFP {
			for _, fn := range o.Go {
				options[name] = append(options[name], "`"+fn+"`")
			}
		}
	}
	for i := range all {
		all[i].Rows = slices.Clone(all[i].Rows)
		for j := range all[i].Rows {
			r := &all[i].Rows[j]
			r.Go = cmp.Or(r.Go, strings.Join(options[r.ID], ", "))
		}
	}
	return all
}

// Rows returns the rows of all sections, by ID.
func Rows() map[string]Row {
	rows := map[string]Row{}
	for _, s := range Sections() {
		for _, r := range s.Rows {
			rows[r.ID] = r
		}
	}
	return rows
}

// Shown returns the pairs that show each row.
func Shown() map[string][]Pair {
	shown := map[string][]Pair{}
	for _, p := range All() {
		for _, id := range p.Rows {
			shown[id] = append(shown[id], p)
		}
	}
	return shown
}
