package progress

import (
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/rivo/uniseg"
)

// A vt is a terminal: what it shows, what has left it at its top, and how much was
// written. It knows the sequences that this package uses; any other is a mistake.
type vt struct {
	t             *testing.T
	mu            sync.Mutex
	width, height int
	rows          [][]string // cells; a wide letter is followed by an empty one
	wrapped       []bool     // whether the row goes on in the next one
	x, y          int
	scrolled      []string
	hidden        bool // the cursor
	written       int
	touched       map[int]int // rows that were written to
	sgr           int
}

func newVT(t *testing.T, width, height int) *vt {
	v := &vt{t: t, width: width, height: height, touched: map[int]int{}}
	for range height {
		v.rows, v.wrapped = append(v.rows, make([]string, width)), append(v.wrapped, false)
	}
	return v
}

func (v *vt) size() (int, int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.width, v.height
}

func (v *vt) Write(b []byte) (int, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.written += len(b)
	s := string(b)
	for s != "" {
		if rest, ok := strings.CutPrefix(s, "\x1b["); ok {
			i := strings.IndexFunc(rest, func(r rune) bool { return r >= 0x40 && r <= 0x7e })
			if i < 0 {
				v.t.Errorf("half a sequence: %q", s)
				return len(b), nil
			}
			v.control(rest[:i], rest[i])
			s = rest[i+1:]
			continue
		}
		cluster, rest, w, _ := uniseg.FirstGraphemeClusterInString(s, -1)
		s = rest
		switch cluster {
		case "\n", "\r\n":
			v.x = 0 // the line discipline adds a carriage return
			v.down()
		case "\r":
			v.x = 0
		default:
			if cluster[0] < 0x20 || cluster[0] == 0x7f {
				v.t.Errorf("a control character was written: %q", cluster)
			}
			v.put(cluster, w)
		}
	}
	return len(b), nil
}

func (v *vt) put(cluster string, w int) {
	if v.x+w > v.width {
		v.wrapped[v.y] = true
		v.x = 0
		v.down()
	}
	if w == 0 {
		return
	}
	v.touched[v.y]++
	v.rows[v.y][v.x] = cluster
	for i := 1; i < w; i++ {
		v.rows[v.y][v.x+i] = "\x00"
	}
	v.x += w
}

func (v *vt) down() {
	if v.y++; v.y < v.height {
		return
	}
	v.y--
	v.scrolled = append(v.scrolled, text(v.rows[0]))
	v.rows, v.wrapped = append(v.rows[1:], make([]string, v.width)), append(v.wrapped[1:], false)
}

func (v *vt) control(args string, final byte) {
	n, err := strconv.Atoi(args)
	if err != nil {
		n = 1
	}
	switch final {
	case 'A':
		v.y = max(v.y-n, 0)
	case 'B':
		v.y = min(v.y+n, v.height-1)
	case 'K':
		clear(v.rows[v.y][min(v.x, v.width):])
		v.wrapped[v.y] = false
	case 'J':
		clear(v.rows[v.y][min(v.x, v.width):])
		for y := v.y + 1; y < v.height; y++ {
			clear(v.rows[y])
		}
	case 'm':
		v.sgr++
	case 'h', 'l':
		if args != "?25" {
			v.t.Errorf("mode %s", args)
		}
		v.hidden = final == 'l'
	default:
		v.t.Errorf("sequence %q %c", args, final)
	}
}

func text(row []string) string {
	var b strings.Builder
	for _, c := range row {
		switch c {
		case "":
			b.WriteByte(' ')
		case "\x00":
		default:
			b.WriteString(c)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// resize makes the terminal narrower or wider, and breaks long lines as most
// terminals do.
func (v *vt) resize(width, height int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	var lines []string
	for i, row := range v.rows[:v.y] { // the cursor's is empty
		if i > 0 && v.wrapped[i-1] {
			lines[len(lines)-1] += text(row)
		} else {
			lines = append(lines, text(row))
		}
	}
	v.width, v.height, v.x, v.y = width, height, 0, 0
	v.rows, v.wrapped = nil, nil
	for range height {
		v.rows, v.wrapped = append(v.rows, make([]string, width)), append(v.wrapped, false)
	}
	for _, l := range lines {
		for g := uniseg.NewGraphemes(l); g.Next(); {
			v.put(g.Str(), g.Width())
		}
		v.x = 0
		v.down()
	}
}

// screen is what is seen, without empty lines at the end.
func (v *vt) screen() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	var b strings.Builder
	for _, row := range v.rows {
		b.WriteString(text(row) + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func (v *vt) taken() (written, rows int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	written, rows = v.written, len(v.touched)
	v.written, v.touched = 0, map[int]int{}
	return written, rows
}
