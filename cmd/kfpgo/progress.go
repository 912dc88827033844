package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/kfpgo/kfpgo/internal/run"
)

// A progress shows how far a run is: a line for each change of a task and, on a
// terminal, the tasks that run at the moment below them.
type progress struct {
	w    io.Writer
	size func() (width, height int) // of the terminal; nil if there is none
	quit chan struct{}
	done chan struct{}

	mu      sync.Mutex
	states  map[string]run.State
	tries   map[string]int
	reasons map[string]string
	running []run.Task
	drawn   int // lines below the others
}

func newProgress(w io.Writer) *progress {
	p := &progress{w: w, states: map[string]run.State{}, tries: map[string]int{}, reasons: map[string]string{}, quit: make(chan struct{}), done: make(chan struct{})}
	if f := terminal(w); f != nil {
		p.size = func() (int, int) {
			width, height, err := term.GetSize(int(f.Fd()))
			if err != nil || width <= 0 || height <= 0 {
				return 80, 24
			}
			return width, height
		}
	}
	go p.tick()
	return p
}

// terminal returns what is written to if that is a terminal, else nil.
func terminal(w io.Writer) *os.File {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		return f
	}
	return nil
}

// tick redraws the tasks that run, whose times go on.
func (p *progress) tick() {
	defer close(p.done)
	if p.size == nil {
		return
	}
	for {
		select {
		case <-p.quit:
			return
		case <-time.After(200 * time.Millisecond):
			p.mu.Lock()
			io.WriteString(p.w, p.erase()+p.draw())
			p.mu.Unlock()
		}
	}
}

// stop removes what is below the lines.
func (p *progress) stop() {
	close(p.quit)
	<-p.done
	p.mu.Lock()
	defer p.mu.Unlock()
	io.WriteString(p.w, p.erase())
}

// observe takes note of a change of a task.
func (p *progress) observe(t run.Task) {
	p.mu.Lock()
	defer p.mu.Unlock()
	line := p.line(t)
	p.states[t.Path], p.tries[t.Path], p.reasons[t.Path] = t.State, t.Attempts, t.Reason
	p.running = slices.DeleteFunc(p.running, func(r run.Task) bool { return r.Path == t.Path })
	if t.State == run.Running && leaf(t) {
		p.running = append(p.running, t)
	}
	if line != "" {
		io.WriteString(p.w, p.erase()+line+"\n"+p.draw())
	}
}

// leaf reports whether a task is a step, and not a group of tasks.
func leaf(t run.Task) bool {
	switch t.Kind {
	case "go", "python", "container", "resource", "importer":
		return true
	}
	return false
}

// line says what is new about a task; nothing: it needs no line.
func (p *progress) line(t run.Task) string {
	was, tried := p.states[t.Path], p.tries[t.Path]
	took := ""
	if !t.Started.IsZero() && !t.Ended.IsZero() {
		took = " in " + duration(t.Ended.Sub(t.Started))
	}
	switch {
	case t.State == run.Running && was == t.State && leaf(t) && t.Reason != "" && t.Reason != p.reasons[t.Path]:
		return t.Path + because(t.Reason) // it fails and is tried again, or waits for packages
	case t.State == was && (t.State != run.Running || t.Attempts <= max(tried, 1)):
	case t.State == run.Running && leaf(t) && t.Attempts > 1:
		return fmt.Sprintf("%s: attempt %d%s", t.Path, t.Attempts, because(t.Error))
	case t.State == run.Running && leaf(t) && p.size == nil:
		return t.Path + ": started"
	case t.State == run.Skipped:
		return t.Path + ": skipped" + because(t.Reason)
	case t.State == run.Failed && leaf(t):
		return fmt.Sprintf("%s: failed%s%s", t.Path, took, because(t.Error))
	case t.State.Done() && leaf(t):
		return t.Path + ": " + strings.ToLower(string(t.State)) + took
	}
	return ""
}

// note writes a line between the others.
func (p *progress) note(text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	io.WriteString(p.w, p.erase()+text+"\n"+p.draw())
}

func because(reason string) string {
	if reason == "" {
		return ""
	}
	first, more, _ := strings.Cut(strings.TrimSpace(reason), "\n")
	if more != "" {
		first += " ..."
	}
	return ": " + first
}

// erase returns what removes the lines that are drawn.
func (p *progress) erase() string {
	n := p.drawn
	p.drawn = 0
	return strings.Repeat("\x1b[1A\x1b[2K", n)
}

// draw returns a line for each running task, as many as there is room for.
func (p *progress) draw() string {
	if p.size == nil {
		return ""
	}
	width, height := p.size()
	var b strings.Builder
	for i, t := range p.running {
		line := fmt.Sprintf("  %s %s", t.Path, duration(time.Since(t.Started)))
		if p.drawn+2 >= height && i < len(p.running)-1 {
			line = fmt.Sprintf("  and %d more", len(p.running)-i)
		}
		if r := []rune(line); len(r) >= width && width > 1 {
			line = string(r[:width-1])
		}
		b.WriteString(line + "\n")
		if p.drawn++; p.drawn+1 >= height {
			break
		}
	}
	return b.String()
}
