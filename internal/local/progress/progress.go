// Package progress shows how far a run is. On a terminal it is a few lines that are
// kept up to date: what runs, for how long and what it said last, with loops and
// groups in one line each where there isn't room for more. Elsewhere it is a line
// for each change.
package progress

import (
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/term"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// Options say how to show a run.
type Options struct {
	Title string                     // of the run
	Size  func() (width, height int) // of the terminal; nil: it has no size
	Color bool                       // of the signs, beside their shapes
	ASCII bool                       // the terminal knows no other letters
	Last  func(run.Task) string      // what a task that runs has said last; nil: unknown
}

// For returns the options for a writer: those of a terminal, if it is
// one that isn't dumb.
func For(w io.Writer, title string) Options {
	o := Options{Title: title}
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" || !ansi(f) {
		return o
	}
	o.Size = func() (int, int) {
		width, height, err := term.GetSize(int(f.Fd()))
		if err != nil || width <= 0 || height <= 0 {
			return 80, 24
		}
		return width, height
	}
	o.Color = os.Getenv("NO_COLOR") == ""
	o.ASCII = !unicodeLocale(os.Getenv)
	return o
}

// unicodeLocale reports whether the locale has letters beyond ASCII. One that isn't
// set is that of a machine of today.
func unicodeLocale(getenv func(string) string) bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToLower(getenv(name)); v != "" {
			return strings.Contains(v, "utf-8") || strings.Contains(v, "utf8")
		}
	}
	return true
}

// A Display shows one run.
type Display struct {
	o      Options
	screen screen
	plain  *plain // in place of the screen
	wake   chan struct{}
	quit   chan struct{}
	done   chan struct{}
	sigs   chan os.Signal

	mu      sync.Mutex
	tree    tree
	notes   []string
	started time.Time
	shown   bool // the cursor, since an interruption
}

// The rate at which a terminal is written to: at once after a change, but never
// sooner than this after the time before; and now and then since time passes.
const (
	fastest = 100 * time.Millisecond
	slowest = 500 * time.Millisecond
)

// New shows a run on w until Stop is called.
func New(w io.Writer, o Options) *Display {
	d := &Display{o: o, started: time.Now()}
	if o.Size == nil {
		d.plain = newPlain(w)
		return d
	}
	d.screen.w = w
	d.wake, d.quit, d.done, d.sigs = make(chan struct{}, 1), make(chan struct{}), make(chan struct{}), make(chan os.Signal, 1)
	signal.Notify(d.sigs, os.Interrupt, syscall.SIGTERM)
	go d.loop()
	return d
}

// Observe takes note of a change of a task.
func (d *Display) Observe(t run.Task) {
	d.mu.Lock()
	if d.plain != nil {
		d.plain.observe(t)
		d.mu.Unlock()
		return
	}
	d.tree.set(t)
	d.mu.Unlock()
	d.awake()
}

// Note says something that is about no task.
func (d *Display) Note(text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.plain != nil {
		d.plain.note(text)
		return
	}
	d.notes = append(d.notes, printable.Line(text))
	defer d.awake()
}

// Log shows a line of the log of a step, after the step's name.
func (d *Display) Log(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	text = strings.TrimRight(printable.Line(path)+": "+printable.Log(text), " \t")
	if d.plain != nil {
		d.plain.write(text)
		return
	}
	d.notes = append(d.notes, text)
	d.awake()
}

func (d *Display) awake() {
	select {
	case d.wake <- struct{}{}:
	default: // it will look anyway
	}
}

// loop draws. A burst of changes is one frame.
func (d *Display) loop() {
	defer close(d.done)
	tick := time.NewTicker(slowest)
	defer tick.Stop()
	for {
		select {
		case <-d.quit:
			return
		case <-d.sigs:
			// The run ends by itself now; should it be killed first, the cursor is there.
			signal.Stop(d.sigs)
			d.mu.Lock()
			d.shown = true
			d.mu.Unlock()
			io.WriteString(d.screen.w, showCursor)
			continue
		case <-d.wake:
		case <-tick.C:
		}
		d.frame()
		select {
		case <-d.quit:
			return
		case <-time.After(fastest):
		}
	}
}

// frame draws how things are.
func (d *Display) frame() {
	d.mu.Lock()
	width, height := d.o.Size()
	rows := d.rows(max(height-1, 1))
	notes, shown := d.notes, d.shown
	d.notes = nil
	d.mu.Unlock()
	d.screen.hide = !shown
	d.screen.draw(notes, d.lines(rows, width), width, height)
}

// Stop shows how the run ended, and leaves that there.
func (d *Display) Stop() {
	if d.plain != nil {
		return
	}
	close(d.quit)
	<-d.done
	signal.Stop(d.sigs)
	d.mu.Lock()
	defer d.mu.Unlock()
	width, height := d.o.Size()
	d.screen.end(d.notes, d.lines(d.rows(longestEnd), width), width, height)
}

// longestEnd is how many lines remain of a run at its end.
const longestEnd = 40
