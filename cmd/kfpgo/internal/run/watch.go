package run

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/cli"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/input"
	"github.com/kfpgo/kfpgo/internal/build/discover"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/local/stepcode"
	"github.com/kfpgo/kfpgo/internal/model/params"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
	"github.com/kfpgo/kfpgo/internal/review/progdiff"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// The times of watching: how often files are looked at, and for how long nothing may
// change before a burst of saves is over.
const (
	watchEvery = 100 * time.Millisecond
	watchQuiet = 250 * time.Millisecond
)

// A watcher runs a pipeline again whenever something of it has changed.
type watcher struct {
	began time.Time // of the first run, for schedules

	cmd      *cobra.Command
	pipeline string
	given    params.Options
	o        engine.Options
	show     logsShown
	files    *discover.Watch
	w        io.Writer
	dir      string // that the user is in

	mu      sync.Mutex       // of files
	program *program.Program // as it ran last
	prints  map[string]print // of its steps, by path
	ended   map[string]run.State
}

// wait returns what has changed when a burst of changes is over. While the program is
// built what it is built from isn't known yet, so the first look comes when it is.
func (w *watcher) wait() []string {
	var last string
	var since time.Time
	for {
		select {
		case <-w.cmd.Context().Done():
			return nil
		case <-time.After(watchEvery):
		}
		w.mu.Lock()
		paths := w.files.Changed()
		now := w.files.Stamps(paths)
		w.mu.Unlock()
		switch {
		case len(paths) == 0:
			last = ""
		case now != last:
			last, since = now, time.Now()
		case time.Since(since) >= watchQuiet:
			return paths
		}
	}
}

// names are paths as the user sees them.
func (w *watcher) names(paths []string) string {
	var names []string
	for _, path := range paths {
		if rel, err := filepath.Rel(w.dir, path); err == nil && len(rel) < len(path) {
			path = rel
		}
		names = append(names, path)
	}
	// A file that was created or deleted is reported itself, without its folder.
	names = slices.DeleteFunc(names, func(n string) bool {
		return slices.ContainsFunc(names, func(other string) bool { return strings.HasPrefix(other, n+"/") || n == "." && other != "." })
	})
	if len(names) > 5 {
		return strings.Join(names[:5], ", ") + fmt.Sprintf(" and %d more", len(names)-5)
	}
	return strings.Join(names, ", ")
}

// once builds and runs the package once.
func (w *watcher) once(ctx context.Context) error {
	given := w.given
	if err := flags.ReadParams(&given); err != nil {
		return err
	}
	p, err := input.Load(ctx, w.pipeline)
	if err != nil {
		return err
	}
	if w.began.IsZero() {
		w.began = time.Now() // all runs are for one time, so that it makes no step run again
	}
	at, err := p.Fire(w.began, &given)
	if err != nil {
		return err
	}
	w.mu.Lock()
	w.files.Built(p.Built)
	w.mu.Unlock()
	o := w.o
	if p.Schedule != nil {
		o.Schedule, o.Scheduled = p.Schedule.Name, at
	}
	if o.Code, err = codeOf(p, w.dir); err != nil {
		return err
	}
	if w.program != nil {
		for _, line := range differences(w.program, p.Program) {
			cli.Say(w.w, "  %s", line)
		}
	}
	var mu sync.Mutex
	prints := map[string]print{}
	o.Printed = func(path string, of engine.Print, never string) {
		mu.Lock()
		defer mu.Unlock()
		prints[path] = print{of, never}
	}
	r, err := execute(ctx, w.cmd, p, given, o, w.show)
	if r == nil {
		return err
	}
	for _, t := range r.Tasks {
		if line := w.why(t, prints[t.Path]); line != "" {
			cli.Say(w.w, "%s", line)
		}
		w.ended[t.Path] = t.State
	}
	w.program = p.Program
	maps.Copy(w.prints, prints)
	return err
}

// why says why a step ran again, or did not.
func (w *watcher) why(t *run.Task, now print) string {
	was, before := w.prints[t.Path]
	switch {
	case t.State == run.Cached:
		return t.Path + ": reused: nothing that it depends on has changed"
	case now.of == nil && now.never == "" || !t.State.Done():
		return "" // a group, or it did not get so far
	case now.never != "":
		return t.Path + ": ran: " + now.never
	case !before:
		return t.Path + ": ran: it is new here"
	}
	var reasons []string
	for _, name := range slices.Sorted(maps.Keys(now.of)) {
		old, there := was.of[name]
		switch {
		case there && old == now.of[name]:
		case strings.HasPrefix(name, "input ") && there:
			reasons = append(reasons, fmt.Sprintf("%s is %s, was %s", name, brief(now.of[name]), brief(old)))
		case strings.HasPrefix(name, "input "):
			reasons = append(reasons, fmt.Sprintf("%s is %s, was not given", name, brief(now.of[name])))
		case strings.HasPrefix(name, "artifact "):
			reasons = append(reasons, name+" has another content")
		case name == "settings":
			reasons = append(reasons, "its settings have changed")
		default:
			reasons = append(reasons, "its "+name+" has changed")
		}
	}
	for name := range was.of {
		if _, ok := now.of[name]; !ok {
			reasons = append(reasons, name+" is not given any more")
		}
	}
	if reasons == nil {
		switch w.ended[t.Path] {
		case run.Failed:
			reasons = append(reasons, "it failed before")
		case run.Cancelled:
			reasons = append(reasons, "it was stopped before")
		default:
			reasons = append(reasons, "what it made is gone")
		}
	}
	slices.Sort(reasons)
	return t.Path + ": ran: " + strings.Join(reasons, "; ")
}

type print struct {
	of    engine.Print
	never string
}

var errChanged = errors.New("changed")

// watch runs a pipeline until the context ends.
func watch(cmd *cobra.Command, pipeline string, given params.Options, o engine.Options, show logsShown) error {
	pattern, _, _ := strings.Cut(pipeline, "#")
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	w := &watcher{cmd: cmd, pipeline: pipeline, given: given, o: o, show: show, w: cmd.Root().ErrOrStderr(), dir: dir, prints: map[string]print{}, ended: map[string]run.State{}}
	var more []string
	if given.File != "" {
		more = append(more, given.File)
	}
	if w.files, err = discover.NewWatch(".", pattern, more...); err != nil {
		return err
	}
	for {
		w.files.Mark()
		ctx, cancel := context.WithCancelCause(cmd.Context())
		changes := make(chan []string, 1)
		go func() {
			paths := w.wait()
			if paths != nil {
				cancel(errChanged)
			}
			changes <- paths
		}()
		err := w.once(ctx)
		changed := context.Cause(ctx) == errChanged
		if cmd.Context().Err() == nil && !changed {
			if err != nil {
				cli.ExitCode(w.w, err, false)
			}
			fmt.Fprintln(w.w, "waiting for a change; ctrl-C ends it")
		}
		paths := <-changes
		cancel(nil)
		if cmd.Context().Err() != nil {
			return context.Canceled
		}
		fmt.Fprintln(w.w)
		if changed {
			fmt.Fprintln(w.w, "stopped, since something has changed meanwhile")
		}
		cli.Say(w.w, "changed: %s", w.names(paths))
	}
}

// codeOf digests what Go steps are made of, as far as that is known.
func codeOf(p *input.Pipeline, dir string) (map[string]string, error) {
	other, ok := p.Built.Files()
	if !ok {
		return nil, nil
	}
	pkg := p.Built.Package
	return stepcode.Digests(p.Program, stepcode.Sources{From: dir, Dir: pkg.Dir, Go: pkg.GoFiles, Other: other})
}

// differences say what has changed in the meaning of the pipeline.
func differences(was, is *program.Program) []string {
	const most = 10
	var lines []string
	for _, c := range progdiff.Diff(was, is) {
		lines = append(lines, c.String())
	}
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("and %d more", len(lines)-most))
	}
	return lines
}

// brief is a value in few letters.
func brief(s string) string {
	return cmp.Or(cli.Short(printable.Line(strings.TrimSpace(s)), 40), `""`)
}
