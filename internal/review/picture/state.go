package picture

import (
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// signs are the signs of the states, which differ in shape too, for people who don't see
// colors.
var signs = map[run.State]string{
	run.Pending:   `<circle class="ring" cx="8" cy="8" r="7"/><path class="line" d="M8 4v4.5l3 1.5"/>`,
	run.Running:   `<circle class="disc" cx="8" cy="8" r="8"/><path class="fill" d="M6 4.2l6 3.8-6 3.8z"/>`,
	run.Succeeded: `<circle class="disc" cx="8" cy="8" r="8"/><path class="mark" d="M4.5 8.3l2.5 2.5 4.6-5"/>`,
	run.Failed:    `<rect class="disc" x="0.6" y="0.6" width="14.8" height="14.8" rx="3"/><path class="mark" d="M5 5l6 6M11 5l-6 6"/>`,
	run.Skipped:   `<circle class="ring dashed" cx="8" cy="8" r="7"/><path class="line" d="M5 8h6"/>`,
	run.Cached:    `<path class="disc" d="M8 0l8 8-8 8-8-8z"/><path class="mark" d="M5 8.2l2.2 2.2 3.8-4.2"/>`,
	run.Cancelled: `<circle class="disc" cx="8" cy="8" r="8"/><path class="mark" d="M4.8 8h6.4"/>`,
}

// StateClass is the class of a state in style sheets.
func StateClass(s run.State) string {
	if signs[s] == "" {
		return "none"
	}
	return kfptype.Word(s)
}

// Icon is the sign of a state, 16 by 16, to be put in an svg.
func Icon(s run.State) string { return signs[s] }
