package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/rivo/uniseg"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The signs of the states, which differ in shape, and their colours.
var signs = map[run.State]struct{ sign, ascii, color string }{
	run.Pending:   {"○", ".", "2"},
	run.Running:   {"●", ">", "34"},
	run.Succeeded: {"✔", "+", "32"},
	run.Failed:    {"✖", "x", "31"},
	run.Skipped:   {"–", "-", "2"},
	run.Cached:    {"◆", "=", "35"},
	run.Cancelled: {"■", "!", "33"},
}

// firstLine returns the first line of a message.
func firstLine(s string) string {
	first, more, _ := strings.Cut(strings.TrimSpace(s), "\n")
	first = printable.Line(strings.TrimSpace(first))
	if strings.TrimSpace(more) != "" {
		first += " ..."
	}
	return first
}

// lastLine returns what is seen last of the end of a log: a bar that draws itself
// anew after a carriage return is its last state.
func lastLine(s string) string {
	for s != "" {
		i := strings.LastIndexAny(s, "\r\n")
		if line := printable.Line(strings.TrimSpace(printable.Log(s[i+1:]))); line != "" {
			return line
		}
		s = s[:max(i, 0)]
	}
	return ""
}

// cells is how wide a string is on a terminal.
func cells(s string) int { return uniseg.StringWidth(s) }

// clip cuts a string that takes more than n cells.
func clip(s string, n int, ascii bool) string {
	if cells(s) <= n {
		return s
	}
	dots := "…"
	if ascii {
		dots = "~"
	}
	if n <= 0 {
		return ""
	}
	var b strings.Builder
	at := 0
	for g := uniseg.NewGraphemes(s); g.Next(); {
		if at+g.Width() > n-1 {
			break
		}
		at += g.Width()
		b.WriteString(g.Str())
	}
	return b.String() + dots
}

// asciiOnly replaces what a terminal without other letters would garble.
func asciiOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 0x80 {
			return '?'
		}
		return r
	}, s)
}

// lines are the rows as text that fits the width, with colours.
func (d *Display) lines(rows []row, width int) []line {
	names := 0
	for _, r := range rows {
		if !r.head {
			names = max(names, 2*r.depth+cells(r.name))
		}
	}
	room := max(width-1, 1) // a full line would wrap
	names = min(names, max(room*2/5, 8))
	lines := make([]line, 0, len(rows))
	for _, r := range rows {
		lines = append(lines, d.line(r, names, room))
	}
	return lines
}

// A line is what is drawn, and how many cells it takes.
type line struct {
	text  string
	cells int
}

func (d *Display) line(r row, names, room int) line {
	letters := func(s string) string {
		if d.o.ASCII {
			return asciiOnly(s)
		}
		return s
	}
	if r.head {
		s := clip(letters(r.name), room, d.o.ASCII)
		return line{d.style("1", s), cells(s)}
	}
	sign, color := ".", "2"
	if s, ok := signs[r.state]; ok {
		sign, color = s.sign, s.color
		if d.o.ASCII {
			sign = s.ascii
		}
	} else if !d.o.ASCII {
		sign = "○"
	}
	indent := min(2*r.depth, max(names-8, 0))
	name := clip(letters(r.name), names-indent, d.o.ASCII)
	rest := strings.Repeat(" ", indent) + name + strings.Repeat(" ", max(names-indent-cells(name), 0))
	rest += fmt.Sprintf("  %6s", r.time)
	note := letters(r.note)
	if note != "" {
		rest += "  "
	}
	rest = clip(" "+rest, room-1, d.o.ASCII)
	note = clip(note, room-1-cells(rest), d.o.ASCII)
	if note == "" {
		rest = strings.TrimRight(rest, " ")
	}
	l := line{cells: 1 + cells(rest) + cells(note)}
	l.text = d.style(color, sign) + rest
	if r.rank == failed {
		l.text += d.style(color, note)
	} else if note != "" {
		l.text += d.style("2", note)
	}
	return l
}

func (d *Display) style(code, s string) string {
	if !d.o.Color || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// Duration is how long something took, or has taken until now.
func Duration(d time.Duration, ended bool) string {
	switch {
	case ended && d < 10*time.Second:
		return fmt.Sprintf("%.1fs", max(d, 0).Seconds())
	case ended:
		return d.Round(time.Second).String()
	}
	return Seconds(d)
}

// Seconds is a duration in whole seconds.
func Seconds(d time.Duration) string { return max(d, 0).Truncate(time.Second).String() }
