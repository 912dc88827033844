package picture

import (
	"fmt"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A Plan is where the boxes of a pipeline are, whatever has become of them: they keep
// their places while a run is running.
type Plan struct {
	*Folding
	root          *node
	right, narrow *places
}

// NewPlan places the boxes of a program, folded if there are more than most, with room
// for how they went.
func NewPlan(p *program.Program, most int) (*Plan, error) {
	folding := Fold(p, most)
	root, err := build(folding.Program)
	if err != nil {
		return nil, err
	}
	room := map[string]Mark{}
	root.walk(func(n *node) {
		m := Mark{State: run.Running, Note: "00 min 00 s"}
		for at := n; at != nil; at = at.parent {
			if at.component != nil && at.component.DAG != nil && at.component.DAG.Kind == program.Loop || folding.several(at) {
				m.Note = "100 times, 10 running"
			}
		}
		room[n.path] = m
	})
	plan := &Plan{Folding: folding, root: root}
	if plan.right, err = layout(root, room, Right); err == nil {
		plan.narrow, err = layout(root, room, Down)
	}
	if err != nil {
		return nil, fmt.Errorf("the picture of pipeline %s can't be laid out: %w", p.Name, err)
	}
	if plan.right.width < plan.narrow.width {
		plan.narrow = plan.right
	}
	return plan, nil
}

// SVG returns the picture with marks, which may change from one call to the next.
func (pl *Plan) SVG(marks map[string]Mark, to Direction) []byte {
	at := pl.right
	if to == Narrow {
		at = pl.narrow
	}
	if len(marks) > 0 {
		marks = inherit(pl.root, pl.Marks(marks))
	}
	return draw(pl.Program, pl.root, at, marks)
}
