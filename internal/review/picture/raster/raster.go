// Package raster draws pictures of pipelines as PNG, in the Go project's own fonts, which
// are part of it: the same pipeline gives the same image on every machine.
package raster

import (
	"bytes"
	"fmt"
	"image/color"
	"math"
	"sync"

	"git.sr.ht/~sbinet/gg"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/review/picture"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The colours of the light style sheet.
var (
	ink   = rgb(0x1a2230)
	soft  = rgb(0x566073)
	line  = rgb(0x8a94a6)
	blue  = rgb(0x1a5fb4)
	frame = rgb(0xc9d0db)
	tint  = rgb(0xf4f6fa)
	paper = rgb(0xffffff)

	badgeColours = map[string][2]color.RGBA{"gpu": {rgb(0x14743c), rgb(0xecf8f0)}, "volume": {rgb(0x6a3fb0), rgb(0xf4effc)}}
)

func rgb(v uint32) color.RGBA {
	return color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255}
}

const (
	pad     = 14
	legend  = 26  // height of what says how to read the lines
	density = 2   // pixels a point, as screens have today
	most    = 120 // million pixels: more is larger than viewers open
)

var fonts = sync.OnceValues(func() (f [2]*opentype.Font, err error) {
	for i, ttf := range [][]byte{goregular.TTF, gobold.TTF} {
		if f[i], err = opentype.Parse(ttf); err != nil {
			return f, err
		}
	}
	return f, nil
})

// PNG returns the picture of a program.
func PNG(p *program.Program, to picture.Direction) ([]byte, error) {
	s, err := picture.NewScene(p, to)
	if err != nil {
		return nil, err
	}
	f, err := fonts()
	if err != nil {
		return nil, err
	}
	w, h := math.Max(s.Width, 360)+2*pad, s.Height+2*pad+legend
	scale := float64(density)
	if area := w * h * scale * scale; area > most*1e6 {
		scale = math.Sqrt(most * 1e6 / (w * h))
	}
	dc := gg.NewContext(int(math.Ceil(w*scale)), int(math.Ceil(h*scale)))
	d := &drawing{dc: dc, scale: scale}
	for _, face := range []struct {
		to   *font.Face
		font *opentype.Font
		size float64
	}{{&d.bold, f[1], 12.5}, {&d.small, f[0], 11}, {&d.badge, f[1], 9.5}} {
		if *face.to, err = opentype.NewFace(face.font, &opentype.FaceOptions{Size: face.size * scale, DPI: 72, Hinting: font.HintingNone}); err != nil {
			return nil, err
		}
	}
	dc.SetColor(paper)
	dc.Clear()
	d.x, d.y = pad, pad
	for _, g := range s.Groups {
		d.group(g)
	}
	for _, a := range s.Arrows {
		d.arrow(a)
	}
	for _, b := range s.Boxes {
		d.box(b)
	}
	d.legend(s.Height + pad + legend/2)
	var b bytes.Buffer
	if err := dc.EncodePNG(&b); err != nil {
		return nil, fmt.Errorf("the picture of pipeline %s: %w", p.Name, err)
	}
	return b.Bytes(), nil
}

// A drawing is in points, which it scales to pixels itself: so that letters are drawn
// at their size, not enlarged.
type drawing struct {
	dc                 *gg.Context
	scale, x, y        float64
	bold, small, badge font.Face
}

func (d *drawing) at(x, y float64) (float64, float64) {
	return (x + d.x) * d.scale, (y + d.y) * d.scale
}

func (d *drawing) rect(x, y, w, h, radius float64) {
	x, y = d.at(x, y)
	d.dc.DrawRoundedRectangle(x, y, w*d.scale, h*d.scale, radius*d.scale)
}

func (d *drawing) stroke(c color.Color, width float64, dashes ...float64) {
	for i := range dashes {
		dashes[i] *= d.scale
	}
	d.dc.SetColor(c)
	d.dc.SetLineWidth(width * d.scale)
	d.dc.SetDash(dashes...)
	d.dc.Stroke()
	d.dc.SetDash()
}

// text writes what the font has; a letter that it lacks is a box with nothing in it.
func (d *drawing) text(face font.Face, c color.Color, s string, x, y, room float64) {
	d.dc.SetFontFace(face)
	d.dc.SetColor(c)
	r := []rune(printable.Line(s))
	for full := string(r); room > 0; r = r[:len(r)-1] {
		s := string(r)
		if s != full {
			s += "…"
		}
		if w, _ := d.dc.MeasureString(s); w <= room*d.scale || len(r) == 0 {
			x, y = d.at(x, y)
			d.dc.DrawString(s, x, y)
			return
		}
	}
}

func (d *drawing) group(g picture.Shape) {
	d.rect(g.X, g.Y, g.W, g.H, 10)
	d.dc.SetColor(tint)
	if g.Even {
		d.dc.SetColor(paper)
	}
	d.dc.FillPreserve()
	switch program.DAGKind(g.Kind) {
	case program.Branches, program.Condition:
		d.stroke(frame, 1.2, 6, 4)
	case program.Loop:
		d.stroke(frame, 2.4)
	default:
		d.stroke(frame, 1.2)
	}
	d.text(d.bold, ink, g.Name, g.X+10, g.Y+20, g.W-14)
	d.text(d.small, soft, g.Small, g.X+10, g.Y+35, g.W-14)
}

func (d *drawing) box(b picture.Shape) {
	d.rect(b.X, b.Y, b.W, b.H, 8)
	d.dc.SetColor(paper)
	d.dc.FillPreserve()
	d.stroke(line, 1.3)
	room := b.W - 16
	d.text(d.bold, ink, b.Name, b.X+10, b.Y+20, room)
	x := b.X + b.W - 6
	for i := len(b.Badges) - 1; i >= 0; i-- {
		badge := b.Badges[i]
		w := picture.BadgeWidth(badge)
		x -= w
		c := badgeColours[badge.Kind]
		d.rect(x, b.Y+25, w, 15, 7.5)
		d.dc.SetColor(c[1])
		d.dc.FillPreserve()
		d.stroke(c[0], 0.8)
		d.dc.SetFontFace(d.badge)
		d.dc.SetColor(c[0])
		px, py := d.at(x+w/2, b.Y+32.5)
		d.dc.DrawStringAnchored(badge.Text, px, py, 0.5, 0.35)
		x -= 5
	}
	d.text(d.small, soft, b.Small, b.X+10, b.Y+36, x-b.X-12)
}

func (d *drawing) arrow(a picture.Line) {
	if len(a.Curve) < 4 {
		return
	}
	x, y := d.at(a.Curve[0][0], a.Curve[0][1])
	d.dc.MoveTo(x, y)
	for i := 1; i+2 < len(a.Curve); i += 3 {
		var p [6]float64
		for j := range 3 {
			p[2*j], p[2*j+1] = d.at(a.Curve[i+j][0], a.Curve[i+j][1])
		}
		d.dc.CubicTo(p[0], p[1], p[2], p[3], p[4], p[5])
	}
	c := d.line(a.Flow, a.Always)
	last := a.Curve[len(a.Curve)-1]
	dx, dy := a.Tip[0]-last[0], a.Tip[1]-last[1]
	for i, p := range [][2]float64{a.Tip, {last[0] - dy*0.45, last[1] + dx*0.45}, {last[0] + dy*0.45, last[1] - dx*0.45}} {
		px, py := d.at(p[0], p[1])
		if i == 0 {
			d.dc.MoveTo(px, py)
		} else {
			d.dc.LineTo(px, py)
		}
	}
	d.dc.ClosePath()
	d.dc.SetColor(c)
	d.dc.Fill()
}

// line strokes an arrow as its flow is drawn, and returns the colour of that.
func (d *drawing) line(f picture.Flow, always bool) color.Color {
	switch {
	case always:
		d.stroke(line, 1.4, 4, 3)
	case f == picture.Artifacts:
		d.stroke(blue, 2.2)
		return blue
	case f == picture.Order:
		d.stroke(line, 1.4, 1.5, 3)
	default:
		d.stroke(line, 1.4)
	}
	return line
}

// legend says what the lines mean.
func (d *drawing) legend(y float64) {
	d.x, d.y = pad, 0
	x := 0.0
	for _, l := range []struct {
		f      picture.Flow
		always bool
		text   string
		w      float64
	}{{picture.Artifacts, false, "artifacts", 60}, {picture.Parameters, false, "parameters", 72}, {picture.Order, false, "order only", 66}, {picture.Order, true, "in any case", 70}} {
		x1, y1 := d.at(x, y)
		x2, _ := d.at(x+22, y)
		d.dc.MoveTo(x1, y1)
		d.dc.LineTo(x2, y1)
		d.line(l.f, l.always)
		d.text(d.small, soft, l.text, x+27, y+4, l.w+20)
		x += 27 + l.w
	}
}
