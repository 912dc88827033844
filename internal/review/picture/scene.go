package picture

import (
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A Scene is a picture as shapes, for who draws it by other means than SVG.
type Scene struct {
	Title         string
	Width, Height float64
	Groups, Boxes []Shape // groups from the outside in
	Arrows        []Line
}

// A Shape is a box or the frame of a group.
type Shape struct {
	X, Y, W, H  float64
	Name, Small string // the lines in it
	Kind        string // of a group: a program.DAGKind
	Even        bool   // of a group: its depth
	Badges      []Badge
}

// A Line is an arrow: Bézier curves by their points, and its tip.
type Line struct {
	Curve  [][2]float64
	Tip    [2]float64
	Flow   Flow
	Always bool // it leads to what runs however things end
}

// NewScene places the tasks of a program.
func NewScene(p *program.Program, to Direction) (*Scene, error) {
	root, err := build(p)
	if err != nil {
		return nil, err
	}
	at, err := place(root, nil, to)
	if err != nil {
		return nil, err
	}
	s := &Scene{Title: title(p), Width: at.width, Height: at.height}
	root.walk(func(n *node) {
		r := at.boxes[n.id]
		shape := Shape{X: r.x, Y: r.y, W: r.w, H: r.h}
		if n.group() {
			shape.Name, shape.Small = header(n, Mark{})
			shape.Kind, shape.Even = n.kind(), depth(n) != ""
			s.Groups = append(s.Groups, shape)
			return
		}
		shape.Name, shape.Small, shape.Badges = clip(n.title(), maxChars), clip(below(n, Mark{}), maxChars), badges(n)
		s.Boxes = append(s.Boxes, shape)
	})
	for _, a := range at.arrows {
		l := Line{Tip: [2]float64{a.tip.x, a.tip.y}, Flow: flow(a.from, a.to), Always: a.to.task.Always}
		for _, p := range a.curve {
			l.Curve = append(l.Curve, [2]float64{p.x, p.y})
		}
		s.Arrows = append(s.Arrows, l)
	}
	return s, nil
}
