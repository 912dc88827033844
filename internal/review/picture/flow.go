package picture

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Flow is what an arrow stands for.
type Flow string

// The flows, of which an arrow has the first that holds.
const (
	Artifacts  Flow = "artifacts"
	Parameters Flow = "parameters"
	Order      Flow = "order" // nothing is passed on
)

// flow returns what a box or group gets from another.
func flow(from, to *node) Flow {
	f := Order
	see := func(v program.Value, artifact bool) {
		var look func(v program.Value)
		look = func(v program.Value) {
			if v.Kind == program.Output && v.Task == from.task.Name {
				if artifact || v.Type.Artifact {
					f = Artifacts
				} else if f == Order {
					f = Parameters
				}
			}
			for _, of := range v.Of {
				look(of)
			}
		}
		look(v)
	}
	for name, v := range to.task.Args {
		artifact := false
		if to.component != nil {
			if in := to.component.Input(name); in != nil {
				artifact = in.Type.Artifact
			}
		}
		see(v, artifact)
	}
	if e := to.task.Each; e != nil {
		see(e.Items, e.Artifact)
	}
	to.task.Map(func(v program.Value) program.Value { see(v, false); return v })
	return f
}

// A Badge says what a task needs that not every machine has.
type Badge struct{ Kind, Text string }

// badges are those of a box.
func badges(n *node) []Badge {
	if n.task == nil || n.group() {
		return nil
	}
	var all []Badge
	for _, a := range n.task.Settings.Accelerators {
		text := "GPU"
		if count, ok := a.Count.Constant(); ok && count != "1" {
			if count == "0" {
				continue
			}
			text = clip(count, 4) + " GPUs"
		}
		all = append(all, Badge{"gpu", text})
		break
	}
	if k := n.task.Settings; len(k.PVCMounts)+len(k.EphemeralVolumes) > 0 {
		text := "volume"
		if m := len(k.PVCMounts) + len(k.EphemeralVolumes); m > 1 {
			text = fmt.Sprintf("%d volumes", m)
		}
		all = append(all, Badge{"volume", text})
	}
	return all
}

const (
	badgeHeight = 15
	badgeGap    = 5
)

// BadgeWidth is the width of a badge.
func BadgeWidth(b Badge) float64 { return width(b.Text)*smallWidth*0.9 + 10 }

// badgesWidth is how much room they take to the right of a box's second line.
func badgesWidth(all []Badge) float64 {
	w := 0.0
	for _, b := range all {
		w += BadgeWidth(b) + badgeGap
	}
	return w
}
