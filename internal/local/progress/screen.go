package progress

import (
	"fmt"
	"io"
	"strings"
)

const (
	hideCursor = "\x1b[?25l"
	showCursor = "\x1b[?25h"
	eraseDown  = "\x1b[J" // from the cursor to the end of the screen
	eraseLine  = "\x1b[K" // from the cursor to the end of the line
)

// A screen is the lines at the bottom of a terminal that are written anew, each only
// when it has changed. The cursor is below them.
type screen struct {
	w      io.Writer
	lines  []line
	width  int
	height int
	hide   bool // the cursor
	hidden bool
}

// draw shows lines in place of those that are there, and above them others that
// stay.
func (s *screen) draw(above []string, lines []line, width, height int) {
	var b strings.Builder
	if s.hide && !s.hidden {
		b.WriteString(hideCursor)
	}
	if s.lines == nil || len(above) > 0 || width != s.width || height != s.height {
		s.afresh(&b, above, lines, width, height)
	} else {
		s.change(&b, lines)
	}
	s.lines, s.width, s.height, s.hidden = lines, width, height, s.hide
	if b.Len() > 0 {
		io.WriteString(s.w, b.String()) // at once, so that no half of it is seen
	}
}

// afresh writes all lines in place of what is there.
func (s *screen) afresh(b *strings.Builder, above []string, lines []line, width, height int) {
	b.WriteString(s.erase(width, height))
	for _, text := range above {
		b.WriteString(text + "\n")
	}
	for _, l := range lines {
		b.WriteString(l.text + "\n")
	}
}

// erase removes the lines. A terminal that was made narrower has broken them into
// more; in one that was made lower those above its top are out of reach.
func (s *screen) erase(width, height int) string {
	if len(s.lines) == 0 {
		return ""
	}
	up := 0
	for _, l := range s.lines {
		up++
		if l.cells > width && width > 0 {
			up += (l.cells - 1) / width
		}
	}
	if up = min(up, height-1); up < 1 {
		return "\r" + eraseDown
	}
	return fmt.Sprintf("\r\x1b[%dA%s", up, eraseDown)
}

// change writes the lines that differ.
func (s *screen) change(b *strings.Builder, lines []line) {
	at := len(s.lines) // where the cursor is
	move := func(to int) {
		if to < at {
			fmt.Fprintf(b, "\x1b[%dA", at-to)
		} else if to > at {
			fmt.Fprintf(b, "\x1b[%dB", to-at)
		}
		at = to
	}
	for i, l := range lines {
		if i < len(s.lines) && s.lines[i].text == l.text {
			continue
		}
		move(i)
		if i < len(s.lines) {
			b.WriteString("\r" + l.text + eraseLine + "\r")
			continue
		}
		b.WriteString(l.text + "\n") // scrolls where there is no further line
		at++
	}
	move(len(lines))
	if len(lines) < len(s.lines) {
		b.WriteString(eraseDown)
	}
}

// end shows lines that stay, and the cursor.
func (s *screen) end(above []string, lines []line, width, height int) {
	var b strings.Builder
	s.afresh(&b, above, lines, width, height)
	b.WriteString(showCursor)
	s.lines, s.hidden = nil, false
	io.WriteString(s.w, b.String())
}
