package picture

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/xml"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Style is the style sheet of pictures and of the signs of Icon: colours by class
// of the state, for light and dark.
//
//go:embed style.css
var Style string

const pad = 4

// draw writes the picture. All text goes through text.
func draw(p *program.Program, root *node, at *places, marks map[string]Mark) []byte {
	var b bytes.Buffer
	w, h := at.width+2*pad, at.height+2*pad
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" class="kfpgo-picture" role="group" aria-label="%s" viewBox="0 0 %.0f %.0f" width="%.0f" height="%.0f" style="--width:%.0fpx">`,
		text("Tasks of pipeline "+title(p)), w, h, w, h, w)
	fmt.Fprintf(&b, "\n<style>\n%s</style>\n<g transform=\"translate(%d %d)\">\n", Style, pad, pad)
	root.walk(func(n *node) {
		if n.group() {
			drawGroup(&b, n, at.boxes[n.id], marks)
		}
	})
	for _, a := range at.arrows {
		drawArrow(&b, a, marks)
	}
	root.walk(func(n *node) {
		if !n.group() {
			drawBox(&b, n, at.boxes[n.id], marks)
		}
	})
	b.WriteString("</g>\n</svg>\n")
	return b.Bytes()
}

func title(p *program.Program) string { return cmp.Or(p.Title, p.Name) }

func drawGroup(b *bytes.Buffer, n *node, r rect, marks map[string]Mark) {
	m := marks[n.path]
	fmt.Fprintf(b, `<g class="group %s %s"><title>%s</title><rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="10"/>`,
		class(m), kindClass(n)+depth(n), text(tooltip(n, m)), r.x, r.y, r.w, r.h)
	words, small := header(n, m)
	fmt.Fprintf(b, `<text class="words" x="%.1f" y="%.1f">%s</text>`, r.x+10, r.y+20, text(words))
	if small != "" {
		fmt.Fprintf(b, `<text class="small" x="%.1f" y="%.1f">%s</text>`, r.x+10, r.y+35, text(small))
	}
	b.WriteString("</g>\n")
}

// header returns the words at the top of a group: its meaning, and smaller below
// how it went, and the name if its author gave it one.
func header(n *node, m Mark) (words, small string) {
	var parts []string
	for _, p := range []string{n.task.Title, detail(n), m.Note} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	words, small = n.words, strings.Join(parts, " · ")
	if words == "" {
		words = n.title()
	}
	return clip(words, groupChars), clip(small, groupChars)
}

func drawBox(b *bytes.Buffer, n *node, r rect, marks map[string]Mark) {
	m := marks[n.path]
	about := "<title>" + text(tooltip(n, m)) + "</title>"
	if m.Href != "" {
		fmt.Fprintf(b, `<a href="%s">%s`, text(m.Href), about) // the link's name
		about = ""
	}
	fmt.Fprintf(b, `<g class="box %s">%s`, class(m), about)
	if m.Runs > 1 || n.folded() { // a pile
		fmt.Fprintf(b, `<rect class="pile" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="8"/>`, r.x+4, r.y+4, r.w, r.h)
	}
	fmt.Fprintf(b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="8"/>`, r.x, r.y, r.w, r.h)
	x := r.x + 10
	if m.State != "" {
		fmt.Fprintf(b, `<g transform="translate(%.1f %.1f)">%s</g>`, r.x+9, r.y+r.h/2-8, Icon(m.State))
		x = r.x + 33
	}
	fmt.Fprintf(b, `<text class="name" x="%.1f" y="%.1f">%s</text><text class="small" x="%.1f" y="%.1f">%s</text>`,
		x, r.y+20, text(clip(n.title(), maxChars)), x, r.y+36, text(clip(below(n, m), maxChars)))
	drawBadges(b, badges(n), r)
	b.WriteString("</g>")
	if m.Href != "" {
		b.WriteString("</a>")
	}
	b.WriteByte('\n')
}

// drawBadges draws badges from right to left at the end of a box's second line.
func drawBadges(b *bytes.Buffer, all []Badge, r rect) {
	x := r.x + r.w - badgeGap - 1
	for i := len(all) - 1; i >= 0; i-- {
		w := BadgeWidth(all[i])
		x -= w
		fmt.Fprintf(b, `<g class="badge b-%s"><rect x="%.1f" y="%.1f" width="%.1f" height="%d" rx="7.5"/><text x="%.1f" y="%.1f">%s</text></g>`,
			all[i].Kind, x, r.y+25, w, badgeHeight, x+5, r.y+36, text(all[i].Text))
		x -= badgeGap
	}
}

// below is the second line of a box: how it went, or what it runs. A group that is a
// box has its meaning there.
func below(n *node, m Mark) string {
	went := m.Note
	if went == "" && m.State != "" {
		went = kfptype.Word(m.State)
	}
	switch {
	case n.folded() && n.words != "" && went != "":
		return went + " · " + n.words
	case n.folded() && n.words != "":
		return n.words
	case went != "":
		return went
	}
	return n.kind()
}

// tooltip says it all, nothing cut.
func tooltip(n *node, m Mark) string {
	s := n.title()
	switch {
	case n.words != "":
		s = n.words + " (" + s + ")"
	case n.kind() != "":
		s += " (" + n.kind() + ")"
	}
	if m.State != "" {
		s += ", " + kfptype.Word(m.State)
	}
	if m.Note != "" && !strings.EqualFold(m.Note, kfptype.Word(m.State)) {
		s += ", " + m.Note
	}
	return s
}

func drawArrow(b *bytes.Buffer, a arrow, marks map[string]Mark) {
	c := "arrow"
	if a.to.task.Always {
		c += " always"
	} else {
		c += " f-" + string(flow(a.from, a.to))
	}
	if marks[a.to.path].State == run.Skipped || marks[a.from.path].State == run.Skipped {
		c += " skipped"
	}
	last := a.curve[len(a.curve)-1]
	fmt.Fprintf(b, `<g class="%s"><title>%s</title><path d="M%.1f %.1f`, c, text(a.from.title()+" → "+a.to.title()), a.curve[0].x, a.curve[0].y)
	for i, p := range a.curve[1:] {
		if i%3 == 0 {
			b.WriteByte('C')
		}
		fmt.Fprintf(b, " %.1f %.1f", p.x, p.y)
	}
	dx, dy := a.tip.x-last.x, a.tip.y-last.y
	fmt.Fprintf(b, `"/><path class="tip" d="M%.1f %.1fL%.1f %.1fL%.1f %.1fZ"/></g>`+"\n",
		a.tip.x, a.tip.y, last.x-dy*0.45, last.y+dx*0.45, last.x+dy*0.45, last.y-dx*0.45)
}

// groupChars is how much of a group's words fits.
const groupChars = 48

func boxWidth(n *node, m Mark) float64 {
	w := max(width(clip(n.title(), maxChars))*textWidth, width(clip(below(n, m), maxChars))*smallWidth+badgesWidth(badges(n))) + 20
	if m.State != "" {
		w += 23
	}
	return max(w, 76)
}

func headerSize(n *node, m Mark) (w, h float64) {
	words, small := header(n, m)
	w = max(width(words)*textWidth, width(small)*smallWidth)
	if small != "" {
		return w, headerHeight + smallHeight
	}
	return w, headerHeight
}

// width estimates the width of a string in letters: those of China, Japan and Korea
// and emoji take two, m and w half more than others.
func width(s string) float64 {
	w := 0.0
	for _, r := range s {
		if strings.ContainsRune("mwMW", r) {
			w += 0.5
		}
		if w++; r >= 0x1100 {
			w++
		}
	}
	return w
}

// clip cuts what is too long to show.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// text escapes s for XML, attributes included, and what nobody could see.
func text(s string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(printable.Text(s))) // a Builder doesn't fail
	return b.String()
}

func class(m Mark) string { return "s-" + StateClass(m.State) }

// depth makes groups in groups differ.
func depth(n *node) string {
	d := 0
	for p := n.parent; p != nil; p = p.parent {
		d++
	}
	if d%2 == 0 {
		return " even"
	}
	return ""
}

func kindClass(n *node) string {
	if n.component != nil && n.component.DAG != nil {
		switch k := n.component.DAG.Kind; k {
		case program.Branches, program.Condition, program.Loop, program.Guarded, program.Pipeline:
			return "k-" + string(k)
		}
	}
	return "k-other"
}
