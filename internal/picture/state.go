package picture

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/run"
)

// states are the words, the classes and the signs of the states. The signs differ
// in shape too, for who can't tell the colours.
var states = map[run.State]struct{ word, class, sign string }{
	run.Pending:   {"pending", "pending", `<circle class="ring" cx="8" cy="8" r="7"/><path class="line" d="M8 4v4.5l3 1.5"/>`},
	run.Running:   {"running", "running", `<circle class="disc" cx="8" cy="8" r="8"/><path class="fill" d="M6 4.2l6 3.8-6 3.8z"/>`},
	run.Succeeded: {"succeeded", "succeeded", `<circle class="disc" cx="8" cy="8" r="8"/><path class="mark" d="M4.5 8.3l2.5 2.5 4.6-5"/>`},
	run.Failed:    {"failed", "failed", `<rect class="disc" x="0.6" y="0.6" width="14.8" height="14.8" rx="3"/><path class="mark" d="M5 5l6 6M11 5l-6 6"/>`},
	run.Skipped:   {"skipped", "skipped", `<circle class="ring dashed" cx="8" cy="8" r="7"/><path class="line" d="M5 8h6"/>`},
	run.Cached:    {"cached", "cached", `<path class="disc" d="M8 0l8 8-8 8-8-8z"/><path class="mark" d="M5 8.2l2.2 2.2 3.8-4.2"/>`},
	run.Cancelled: {"cancelled", "cancelled", `<circle class="disc" cx="8" cy="8" r="8"/><path class="mark" d="M4.8 8h6.4"/>`},
}

// Word is a state for people. One that isn't known is as it is.
func Word(s run.State) string {
	if w, ok := states[s]; ok {
		return w.word
	}
	return strings.ToLower(string(s))
}

// StateClass is the class of a state in style sheets.
func StateClass(s run.State) string {
	if w, ok := states[s]; ok {
		return w.class
	}
	return "none"
}

// Icon is the sign of a state, 16 by 16, to be put in an svg.
func Icon(s run.State) string { return states[s].sign }
