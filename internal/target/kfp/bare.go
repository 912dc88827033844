package kfp

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// In the JSON of a list or struct KFP knows placeholders in strings only. So a number, a
// list or any other value that isn't a string is a string for a step of kfpgo, which is only a
// placeholder in a form of its own. The step puts the JSON of the value in place of the
// text: package dsl in composed.go, and the runtime of Python steps. No string of an author
// reads so, since {{$ is refused in those.

// listOrStruct returns the JSON of a list or struct for a step that puts the values into
// it itself. Form is that of the placeholders in its strings.
func (w *writer) listOrStruct(at place, what string, v program.Value, inputs *kfpspec.TaskInputs, form func(placeholder string) string) string {
	var b strings.Builder
	for _, piece := range v.Pieces() {
		switch of := piece.Value; {
		case of == nil:
			b.WriteString(w.format(at, what, program.Value{Text: []string{piece.JSON}}, inputs, form))
		case piece.Text:
			text := *of
			text.Text = make([]string, len(of.Text))
			for i, t := range of.Text {
				text.Text[i] = inJSON(t)
			}
			b.WriteString(`"` + w.format(at, what, text, inputs, form) + `"`)
		case of.Kind == program.Const:
			b.Write(w.image(at, of.Const))
		default:
			name := strings.NewReplacer(`"`, "", `\`, "").Replace(hidden(*of))
			if name = w.channel(at, what, *of, inputs, name); name != "" {
				b.WriteString(`"` + inJSON(placeholder.Bare(name)) + `"`)
			}
		}
	}
	return b.String()
}
