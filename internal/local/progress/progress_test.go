package progress

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/testing/golden"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

func TestMain(m *testing.M) {
	// What receives signals starts with the first that asks; in a bubble of synctest it
	// would have to end there.
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGALRM)
	os.Exit(m.Run())
}

// A story is a run that is told at some speed, with what its steps say.
type story struct {
	t    *testing.T
	d    *Display
	vt   *vt
	said sync.Map
	b    bytes.Buffer
}

func tell(t *testing.T, v *vt, o Options) *story {
	s := &story{t: t, vt: v}
	o.Size = v.size
	o.Last = func(t run.Task) string {
		said, _ := s.said.Load(t.Path)
		line, _ := said.(string)
		return line
	}
	s.d = New(v, o)
	return s
}

func (s *story) task(path, kind string, state run.State, change ...func(*run.Task)) {
	t := run.Task{Path: path, Kind: kind, State: state, Attempts: 1}
	if was := s.d.tree.byPath[path]; was != nil {
		t.Started = was.task.Started
	}
	if state == run.Running && t.Started.IsZero() {
		t.Started = time.Now()
	}
	if state.Done() && !t.Started.IsZero() {
		t.Ended = time.Now()
	}
	for _, f := range change {
		f(&t)
	}
	s.d.Observe(t)
}

// look waits, and writes down what is seen then.
func (s *story) look(after time.Duration) {
	time.Sleep(after)
	synctest.Wait()
	fmt.Fprintf(&s.b, "-- after %v\n%s", time.Since(s.d.started), s.vt.screen())
	for y, row := range s.vt.rows {
		if y > s.vt.y && text(row) != "" {
			s.t.Errorf("there is something below the cursor: %q", text(row))
		}
	}
}

func failure(msg string) func(*run.Task) { return func(t *run.Task) { t.Error = msg } }
func reason(msg string) func(*run.Task)  { return func(t *run.Task) { t.Reason = msg } }
func attempt(n int) func(*run.Task)      { return func(t *run.Task) { t.Attempts = n } }

// day tells of a run with all that one can have.
func (s *story) day() {
	s.look(0)
	for _, path := range []string{"get", "prepare", "for-loop-1", "evaluate", "部署到生产环境的模型", "serve"} {
		kind := "go"
		if path == "for-loop-1" {
			kind = "loop"
		}
		s.task(path, kind, run.Pending)
	}
	s.task("get", "go", run.Running)
	s.look(time.Second)
	s.said.Store("get", "a line\n  10 %\r  57 % \x1b[32mof\x1b[0m it\x1b]0;title\x07\r")
	s.look(3 * time.Second)
	s.task("get", "go", run.Running, attempt(2), reason("attempt 1: no network\nat all"))
	s.said.Store("get", "")
	s.look(time.Second)
	s.task("get", "go", run.Succeeded, attempt(2))
	s.task("prepare", "python", run.Running, reason("pip installs numpy"))
	s.task("for-loop-1", "loop", run.Running)
	for i := range 12 {
		s.task(fmt.Sprintf("for-loop-1/%d", i), "loop", run.Running)
		s.task(fmt.Sprintf("for-loop-1/%d/train", i), "go", run.Pending)
		s.task(fmt.Sprintf("for-loop-1/%d/score", i), "go", run.Pending)
	}
	s.task("for-loop-1/0/train", "go", run.Running)
	s.task("for-loop-1/1/train", "go", run.Running)
	s.said.Store("for-loop-1/1/train", "\x1b[2J\x1b[H\x1b[31mowned\x9b5A\u202etxt.exe\n")
	s.look(2 * time.Second)
	s.task("for-loop-1/0/train", "go", run.Succeeded)
	s.task("for-loop-1/0/score", "go", run.Running)
	s.task("for-loop-1/1/train", "go", run.Failed, failure("exit status 3: out of memory, which is a long story that doesn't fit into a line of this terminal"))
	s.task("for-loop-1/1/score", "go", run.Skipped, reason("train ended FAILED"))
	s.task("for-loop-1/1", "loop", run.Failed)
	s.task("for-loop-1/2/train", "go", run.Cached)
	s.task("prepare", "python", run.Running)
	s.look(61 * time.Second)
	s.d.Note("still waiting: \x1b[Hno answer")
	for i := range 12 {
		for _, name := range []string{"train", "score"} {
			if s.d.tree.byPath[fmt.Sprintf("for-loop-1/%d/%s", i, name)].task.State == run.Pending {
				s.task(fmt.Sprintf("for-loop-1/%d/%s", i, name), "go", run.Succeeded)
			}
		}
	}
	s.task("for-loop-1/0/score", "go", run.Succeeded)
	s.task("for-loop-1", "loop", run.Failed)
	s.task("prepare", "python", run.Succeeded)
	s.task("evaluate", "go", run.Skipped, reason("for-loop-1 ended FAILED"))
	s.task("部署到生产环境的模型", "container", run.Cancelled, reason("interrupted"))
	s.look(time.Second)
	s.d.Stop()
	s.look(0)
}

// TestStory: what is seen in the course of a run, in terminals of several kinds.
func TestStory(t *testing.T) {
	for _, tt := range []struct {
		name          string
		width, height int
		o             Options
	}{
		{"wide", 100, 24, Options{Title: "day", Color: true}},
		{"narrow", 34, 24, Options{Title: "day"}},
		{"low", 80, 7, Options{Title: "day"}},
		{"ascii", 80, 24, Options{ASCII: true}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				v := newVT(t, tt.width, tt.height)
				s := tell(t, v, tt.o)
				s.day()
				golden.Check(t, "testdata/"+tt.name+".txt", s.b.Bytes())
				if v.hidden {
					t.Error("the cursor stayed hidden")
				}
				if (v.sgr > 0) != tt.o.Color {
					t.Errorf("%d colours", v.sgr)
				}
			})
		})
	}
}

// TestTiny: nothing breaks in terminals that nobody has.
func TestTiny(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 2}, {5, 3}, {12, 2}} {
		synctest.Test(t, func(t *testing.T) {
			s := tell(t, newVT(t, size[0], size[1]), Options{Title: "day"})
			s.day()
		})
	}
}

// TestResize: a terminal that becomes narrower, lower, wider and higher again shows
// each line once, and what was above is still there.
func TestResize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVT(t, 90, 24)
		v.Write([]byte("$ kfpgo run\n"))
		s := tell(t, v, Options{Title: "resized"})
		for i := range 9 {
			s.task(fmt.Sprintf("task-%d", i), "go", run.Running)
			s.said.Store(fmt.Sprintf("task-%d", i), strings.Repeat("words ", 20))
		}
		s.look(time.Second)
		for _, size := range [][2]int{{40, 24}, {40, 8}, {90, 24}, {20, 24}, {120, 40}} {
			v.resize(size[0], size[1])
			s.look(time.Second)
			seen := v.screen()
			if n := strings.Count(seen, "task-8"); size[1] > 10 && n != 1 {
				t.Errorf("at %v task-8 is seen %d times:\n%s", size, n, seen)
			}
			if n := strings.Count(seen, "resized:"); n != 1 {
				t.Errorf("at %v the heading is seen %d times:\n%s", size, n, seen)
			}
			if size[1] > 12 && !strings.Contains(strings.Join(v.scrolled, "\n")+seen, "$ kfpgo run") {
				t.Errorf("at %v the line above is gone:\n%s", size, seen)
			}
		}
		s.d.Stop()
	})
}

// TestManyTasks: 500 tasks of which 40 run at once, each with a log that grows all the time.
// What is written stays little, most of it times and last words, and each frame fits.
func TestManyTasks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVT(t, 100, 30)
		rnd := rand.New(rand.NewPCG(1, 2))
		s := tell(t, v, Options{Title: "many", Color: true})
		s.d.o.Last = func(t run.Task) string {
			return fmt.Sprintf("epoch %d of %s", time.Since(t.Started)/(2*time.Second), t.Path)
		}
		type end struct {
			path string
			at   time.Time
		}
		for i := range 500 {
			s.task(fmt.Sprintf("task-%03d", i), "go", run.Pending)
		}
		var running []end
		next, frames, written, rows, events := 0, 0, 0, 0, 500
		for next < 500 || len(running) > 0 {
			for len(running) < 40 && next < 500 {
				path := fmt.Sprintf("task-%03d", next)
				running = append(running, end{path, time.Now().Add(time.Duration(2+rnd.IntN(20)) * time.Second)})
				s.task(path, "go", run.Running)
				next, events = next+1, events+1
			}
			time.Sleep(50 * time.Millisecond)
			synctest.Wait()
			if b, r := v.taken(); b > 0 {
				frames, written, rows = frames+1, written+b, rows+r
				if r > 29 {
					t.Errorf("%d rows at once", r)
				}
				if strings.Count(v.screen(), "\n") > 30 || !strings.HasPrefix(v.screen(), "many: ") {
					t.Fatalf("it doesn't fit:\n%s", v.screen())
				}
			}
			keep := running[:0]
			for _, e := range running {
				if time.Now().Before(e.at) {
					keep = append(keep, e)
					continue
				}
				s.task(e.path, "go", run.Succeeded)
				events++
			}
			running = keep
		}
		took := time.Since(s.d.started).Seconds()
		s.d.Stop()
		t.Logf("%d events in %.0f s: %.1f frames, %.0f bytes and %.1f rows a second", events, took, float64(frames)/took, float64(written)/took, float64(rows)/took)
		if float64(frames)/took > 10.5 || float64(written)/took > 8000 {
			t.Errorf("%.1f frames and %.0f bytes a second", float64(frames)/took, float64(written)/took)
		}
		if len(v.scrolled) > longestEnd {
			t.Errorf("%d lines were left above:\n%s", len(v.scrolled), strings.Join(v.scrolled, "\n"))
		}
	})
}

// TestQuiet: where nothing changes nothing is written, but for the times.
func TestQuiet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		v := newVT(t, 80, 24)
		s := tell(t, v, Options{})
		for i := range 10 {
			s.task(fmt.Sprintf("done-%d", i), "go", run.Succeeded)
		}
		s.task("runs", "go", run.Running)
		s.look(1100 * time.Millisecond)
		v.taken()
		s.look(10 * time.Second)
		b, rows := v.taken()
		if rows != 2 || b > 10*(len("\x1b[11A\r11 of 12 done, 1 running, 12s\x1b[K\r\x1b[10B● runs  12s\x1b[K\r\x1b[1B")+20) {
			t.Errorf("%d bytes in %d rows, want the heading and the task that runs, once a second", b, rows)
		}
		s.d.Stop()
	})
}

// TestInterrupted: the cursor is back before the process may be killed.
func TestInterrupted(t *testing.T) {
	v := newVT(t, 80, 24)
	s := tell(t, v, Options{})
	s.task("runs", "go", run.Running)
	seen := func() bool { v.mu.Lock(); defer v.mu.Unlock(); return !v.hidden }
	for range 500 {
		if !seen() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if seen() {
		t.Fatal("the cursor was never hidden")
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for range 500 {
		if seen() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	time.Sleep(2 * slowest) // frames go on
	if !seen() {
		t.Error("the cursor is hidden after ctrl-C")
	}
	s.d.Stop()
}

func TestUnicodeLocale(t *testing.T) {
	for _, tt := range []struct {
		all, lang string
		want      bool
	}{{"", "", true}, {"C", "en_US.UTF-8", false}, {"", "en_US.UTF-8", true}, {"C.utf8", "C", true}, {"", "C", false}} {
		if got := unicodeLocale(func(name string) string {
			return map[string]string{"LC_ALL": tt.all, "LANG": tt.lang}[name]
		}); got != tt.want {
			t.Errorf("%+v: got %v", tt, got)
		}
	}
}

// FuzzShown: whatever a step says, what is shown can't act on a terminal.
func FuzzShown(f *testing.F) {
	for _, s := range []string{"\x1b[31mred\x1b[0m", "\x1b]0;t\x07x", "\x9b5A", "a\rb", "\x1b", "\x1b[", "é\x1b\x80", "\u009b1mx", "\u202eabc"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, got := range []string{lastLine(s), firstLine(s), clip(firstLine(s), 10, false)} {
			if printable.Line(got) != got {
				t.Errorf("%q became %q", s, got)
			}
		}
		if w := cells(clip(firstLine(s), 10, false)); w > 10 {
			t.Errorf("%q takes %d cells", clip(firstLine(s), 10, false), w)
		}
	})
}
