package picture

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/review/picture/graphviz"
)

// Sizes in points, which the drawing uses as pixels.
const (
	boxHeight    = 46
	headerHeight = 24
	smallHeight  = 13
	textWidth    = 8.5 // of one character of a title
	smallWidth   = 6.7 // of one of what is below it
	maxChars     = 34
)

type point struct{ x, y float64 }

// places is where everything is, y downwards.
type places struct {
	width, height float64
	boxes         map[int]rect // by id of the node, groups too
	arrows        []arrow
}

type rect struct{ x, y, w, h float64 }

// An arrow is Bézier curves, whose points are curve, and its tip.
type arrow struct {
	from, to *node
	curve    []point
	tip      point
}

// layout has Graphviz place the boxes. It gets numbers and sizes only, no text.
func layout(root *node, marks map[string]Mark, to Direction) (*places, error) {
	text, arrows := dot(root, marks, to)
	out, err := graphviz.Layout(context.Background(), text)
	if err != nil {
		return nil, err
	}
	return parse(out, arrows)
}

// dot writes the graph in Graphviz' language. Edges between groups go from a box
// in one to a box in the other and are cut at the frames. Further, unseen edges
// keep all of a group on its side.
func dot(root *node, marks map[string]Mark, to Direction) (string, []arrow) {
	var b strings.Builder
	ranksep := 0.32
	if to == Down {
		ranksep = 0.5 // the words of groups are between ranks
	}
	ranksep += 0.04 * float64(min(fanOut(root), 12)) // many arrows of one box need a run-up
	fmt.Fprintf(&b, "digraph {\nrankdir=%s ranksep=%.2f compound=true nodesep=0.2 margin=0 remincross=true\n", to, ranksep)
	b.WriteString("node [shape=box fixedsize=true label=\"\"]\nedge [arrowsize=0.8]\n")
	dotGroup(&b, root, marks)
	var arrows []arrow
	root.walk(func(n *node) {
		for _, before := range n.needed() {
			tails, heads := before.sinks(), n.sources()
			if len(tails) == 0 || len(heads) == 0 {
				continue
			}
			tail, head := tails[len(tails)/2], heads[len(heads)/2]
			fmt.Fprintf(&b, "n%d -> n%d [id=%d weight=2", tail.id, head.id, len(arrows))
			if before.group() {
				fmt.Fprintf(&b, " ltail=cluster%d", before.id)
			}
			if n.group() {
				fmt.Fprintf(&b, " lhead=cluster%d", n.id)
			}
			if before.group() && tail.parent != before || n.group() && head.parent != n {
				b.WriteString(" minlen=2") // frames take the place between the ranks
			}
			b.WriteString("]\n")
			arrows = append(arrows, arrow{from: before, to: n})
			for _, t := range tails[:min(len(tails), 50)] {
				if t != tail {
					fmt.Fprintf(&b, "n%d -> n%d [style=invis weight=0]\n", t.id, head.id)
				}
			}
			for _, h := range heads[:min(len(heads), 50)] {
				if h != head {
					fmt.Fprintf(&b, "n%d -> n%d [style=invis weight=0]\n", tail.id, h.id)
				}
			}
		}
	})
	b.WriteString("}\n")
	return b.String(), arrows
}

// fanOut is how many arrows more than one lead to or from a box, at most.
func fanOut(root *node) int {
	out := map[*node]int{}
	most := 1
	root.walk(func(n *node) {
		needed := n.needed()
		most = max(most, len(needed))
		for _, before := range needed {
			out[before]++
			most = max(most, out[before])
		}
	})
	return most - 1
}

func dotGroup(b *strings.Builder, g *node, marks map[string]Mark) {
	for _, n := range g.children {
		if !n.group() {
			fmt.Fprintf(b, "n%d [width=%.3f height=%.3f]\n", n.id, boxWidth(n, marks[n.path])/72, boxHeight/72.0)
			continue
		}
		// A table of a fixed size keeps the place for the group's words.
		w, h := headerSize(n, marks[n.path])
		fmt.Fprintf(b, "subgraph cluster%d {\nmargin=10 labeljust=l labelloc=t label=<<TABLE BORDER=\"0\" FIXEDSIZE=\"TRUE\" WIDTH=\"%.0f\" HEIGHT=\"%.0f\"><TR><TD></TD></TR></TABLE>>\n",
			n.id, w, h)
		dotGroup(b, n, marks)
		b.WriteString("}\n")
	}
}

// parse reads Graphviz' JSON.
func parse(out []byte, arrows []arrow) (*places, error) {
	var g struct {
		BB      string `json:"bb"`
		Objects []struct {
			Name, BB, Pos, Width, Height string
		} `json:"objects"`
		Edges []struct {
			ID, Pos string
		} `json:"edges"`
	}
	if err := json.Unmarshal(out, &g); err != nil {
		return nil, fmt.Errorf("graphviz' answer: %w", err)
	}
	all := numbers(g.BB)
	if len(all) != 4 {
		return nil, fmt.Errorf("graphviz' answer has the size %q", g.BB)
	}
	p := &places{width: all[2] - all[0], height: all[3] - all[1], boxes: map[int]rect{}}
	at := func(x, y float64) point { return point{x - all[0], all[3] - y} }
	for _, o := range g.Objects {
		id, err := strconv.Atoi(strings.TrimLeft(o.Name, "cluster"+"n"))
		if err != nil {
			continue
		}
		if bb := numbers(o.BB); len(bb) == 4 {
			corner := at(bb[0], bb[3])
			p.boxes[id] = rect{corner.x, corner.y, bb[2] - bb[0], bb[3] - bb[1]}
		} else if pos := numbers(o.Pos); len(pos) == 2 {
			w, h := numbers(o.Width), numbers(o.Height)
			c := at(pos[0], pos[1])
			p.boxes[id] = rect{c.x - w[0]*36, c.y - h[0]*36, w[0] * 72, h[0] * 72}
		}
	}
	for _, e := range g.Edges {
		i, err := strconv.Atoi(e.ID)
		if err != nil || i >= len(arrows) {
			continue // one of the unseen
		}
		a := arrows[i]
		for _, s := range strings.Fields(e.Pos) {
			tip := strings.HasPrefix(s, "e,")
			xy := numbers(strings.TrimPrefix(s, "e,"))
			if len(xy) != 2 {
				continue
			}
			if c := at(xy[0], xy[1]); tip {
				a.tip = c
			} else {
				a.curve = append(a.curve, c)
			}
		}
		if len(a.curve) < 4 {
			a.straight(p.boxes[a.from.id], p.boxes[a.to.id])
		}
		p.arrows = append(p.arrows, a)
	}
	return p, nil
}

// straight leads an arrow from box to box, for those that Graphviz finds no way
// for: it gives up on a few that end at a frame.
func (a *arrow) straight(from, to rect) {
	middle := func(from, size, other, otherSize float64) (float64, float64) {
		lo, hi := max(from, other), min(from+size, other+otherSize)
		if lo < hi {
			return (lo + hi) / 2, (lo + hi) / 2
		}
		return from + size/2, other + otherSize/2
	}
	var start point
	if from.x+from.w <= to.x {
		start.x, a.tip.x = from.x+from.w, to.x
		start.y, a.tip.y = middle(from.y, from.h, to.y, to.h)
	} else {
		start.y, a.tip.y = from.y+from.h, to.y
		start.x, a.tip.x = middle(from.x, from.w, to.x, to.w)
	}
	dx, dy := a.tip.x-start.x, a.tip.y-start.y
	back := min(8/max(math.Hypot(dx, dy), 1), 1) // the length of the tip
	end := point{a.tip.x - dx*back, a.tip.y - dy*back}
	a.curve = []point{start, start, end, end}
}

// numbers reads numbers between commas; none if one isn't.
func numbers(s string) []float64 {
	var all []float64
	for f := range strings.SplitSeq(s, ",") {
		n, err := strconv.ParseFloat(f, 64)
		if err != nil {
			return nil
		}
		all = append(all, n)
	}
	return all
}
