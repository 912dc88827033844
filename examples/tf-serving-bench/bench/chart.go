package bench

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The chart's measures, in its own units.
const (
	chartW, chartH = 520, 300
	left, right    = 52, 16
	top, bottom    = 20, 40
	plotW, plotH   = chartW - left - right, chartH - top - bottom
	series         = 9 // how many lines style.css has colours for
)

// A line is a server in a chart.
type line struct {
	label  string
	style  int
	points []point
}

type point struct {
	at       int // place on the horizontal axis
	p50, p99 float64
}

// Latency draws how long each server took for each size in a format: a line
// through the medians, and above each the time that 99 of 100 were below. Both
// axes are logarithmic.
func (r *Report) Latency(format string) template.HTML {
	sizes := r.sizes()
	var lines []line
	low, high := math.Inf(1), 0.0
	for i, s := range r.Servers {
		l := line{label: s.Label(), style: i % series}
		for j, c := range s.Cells {
			p := r.Pictures[j]
			if p.Format != format {
				continue
			}
			l.points = append(l.points, point{slices.Index(sizes, p.Size), c.P50, c.P99})
			low, high = min(low, c.P50), max(high, c.P99)
		}
		if len(l.points) > 0 {
			lines = append(lines, l)
		}
	}
	if len(lines) == 0 {
		return template.HTML(`<p class="none">No server was measured.</p>`)
	}
	low, high = math.Pow(2, math.Floor(math.Log2(max(low, 0.01)))), math.Pow(2, math.Ceil(math.Log2(max(high, 0.02))))
	y := func(v float64) float64 {
		return top + plotH*(1-(math.Log2(max(v, low))-math.Log2(low))/(math.Log2(high)-math.Log2(low)))
	}
	x := func(i int) float64 { return left + plotW*(float64(i)+0.5)/float64(len(sizes)) }

	var b strings.Builder
	b.WriteString(open(fmt.Sprintf("Latency for %s by size, in milliseconds", name(format)), r.told(format)))
	step := max(1, int(math.Ceil((math.Log2(high)-math.Log2(low))/7)))
	for e := int(math.Log2(low)); e <= int(math.Log2(high)); e += step {
		v := math.Pow(2, float64(e))
		fmt.Fprintf(&b, `<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text class="tick end" x="%d" y="%.1f">%s</text>`, left, y(v), chartW-right, y(v), left-8, y(v)+4, strconv.FormatFloat(v, 'g', 4, 64))
	}
	axis(&b, sizes, x)
	for n, l := range lines {
		shift := 5 * (float64(n) - float64(len(lines)-1)/2) // so that equal ones are both seen
		var path strings.Builder
		for i, p := range l.points {
			fmt.Fprintf(&path, "%c%.1f %.1f", "ML"[min(i, 1)], x(p.at)+shift, y(p.p50))
		}
		fmt.Fprintf(&b, `<g class="s%d"><path class="line" d="%s"/>`, l.style, path.String())
		for _, p := range l.points {
			px := x(p.at) + shift
			fmt.Fprintf(&b, `<path class="whisker" d="M%.1f %.1fV%.1fm-3 0h6"/><circle class="dot" cx="%.1f" cy="%.1f" r="4"/>`, px, y(p.p50), y(p.p99), px, y(p.p50))
		}
		b.WriteString("</g>")
	}
	b.WriteString("</svg>")
	legend(&b, lines)
	return template.HTML(b.String()) // numbers, and text that is escaped
}

// Weight draws how many bytes each size has as PNG and as JPEG.
func (r *Report) Weight() template.HTML {
	sizes, high := r.sizes(), 1
	for _, p := range r.Pictures {
		if p.Format != "original" {
			high = max(high, p.Bytes)
		}
	}
	x := func(i int) float64 { return left + plotW*(float64(i)+0.5)/float64(len(sizes)) }
	var b, told strings.Builder
	for _, p := range r.Pictures {
		if p.Format != "original" {
			fmt.Fprintf(&told, "%d pixels as %s: %d bytes. ", p.Size, name(p.Format), p.Bytes)
		}
	}
	b.WriteString(open("Bytes by size", told.String()))
	for i := range 5 {
		v := high * i / 4
		y := top + plotH*(1-float64(i)/4)
		fmt.Fprintf(&b, `<line class="grid" x1="%d" y1="%.1f" x2="%d" y2="%.1f"/><text class="tick end" x="%d" y="%.1f">%s</text>`, left, y, chartW-right, y, left-8, y+4, Bytes(v))
	}
	axis(&b, sizes, x)
	width := min(30, plotW/float64(len(sizes))/3)
	for _, p := range r.Pictures {
		f := slices.Index(Formats, p.Format)
		if f < 0 {
			continue
		}
		h := plotH * float64(p.Bytes) / float64(high)
		fmt.Fprintf(&b, `<rect class="bar s%d" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, f, x(slices.Index(sizes, p.Size))+(float64(f)-1)*width, top+plotH-h, width-2, h)
	}
	b.WriteString("</svg>")
	legend(&b, []line{{label: name("png"), style: 0}, {label: name("jpeg"), style: 1}})
	return template.HTML(b.String())
}

func open(title, desc string) string {
	return fmt.Sprintf(`<svg class="chart" viewBox="0 0 %d %d" role="img" aria-label="%s"><title>%[3]s</title><desc>%s</desc>`, chartW, chartH, html.EscapeString(title), html.EscapeString(desc))
}

func axis(b *strings.Builder, sizes []int, x func(int) float64) {
	fmt.Fprintf(b, `<line class="axis" x1="%d" y1="%d" x2="%d" y2="%d"/>`, left, top+plotH, chartW-right, top+plotH)
	for i, s := range sizes {
		fmt.Fprintf(b, `<text class="tick middle" x="%.1f" y="%d">%d px</text>`, x(i), chartH-bottom+20, s)
	}
}

func legend(b *strings.Builder, lines []line) {
	b.WriteString(`<ul class="legend">`)
	for _, l := range lines {
		fmt.Fprintf(b, `<li><svg class="key s%d" viewBox="0 0 24 12" aria-hidden="true"><path class="line" d="M0 6H24"/><circle class="dot" cx="12" cy="6" r="4"/></svg>%s</li>`, l.style, html.EscapeString(l.label))
	}
	b.WriteString("</ul>")
}

// told says what a chart shows, for those who don't see it.
func (r *Report) told(format string) string {
	var b strings.Builder
	for _, s := range r.Servers {
		for j, c := range s.Cells {
			if p := r.Pictures[j]; p.Format == format {
				fmt.Fprintf(&b, "%s, %d pixels: half within %s ms, 99 of 100 within %s ms. ", s.Label(), p.Size, short(c.P50), short(c.P99))
			}
		}
	}
	return b.String()
}

// sizes are those of the pictures, from the largest down.
func (r *Report) sizes() (list []int) {
	for _, p := range r.Pictures {
		if p.Format != "original" && !slices.Contains(list, p.Size) {
			list = append(list, p.Size)
		}
	}
	slices.Sort(list)
	slices.Reverse(list)
	return list
}

func name(format string) string {
	if format == "original" {
		return format
	}
	return strings.ToUpper(format)
}
