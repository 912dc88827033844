package report

import (
	"html/template"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/picture"
)

// Options say where the parts of a page lead and what it holds. The zero Options are
// those of report.html, whose links lead to the same page and to files beside it.
type Options struct {
	Task     func(*run.Task) string                                     // the address of a task's details
	Artifact func(t *run.Task, port string, i int, written bool) string // of the ith one of a port
	Log      func(t *run.Task, attempt int) string                      // of what a task said
	Page     string                                                     // of the page with the matrices and curves
	Prefix   string                                                     // of the ids of those
	Draw     func(*program.Program, map[string]picture.Mark) (wide, narrow template.HTML, note string)

	Brief      bool      // no details of tasks; Task returns those of one
	From, Rows int       // the part of the time line
	State      run.State // the time line has tasks of this state alone
	Now        time.Time // of a running run
}

// Metadata shows the metadata of an artifact, without the parts that have a picture.
func (v *View) Metadata(a run.Artifact) []Value {
	return v.artifacts(&run.Task{}, map[string][]run.Artifact{"": {a}}, true)[0].Metadata
}
