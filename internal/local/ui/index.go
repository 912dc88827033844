package ui

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// maxRecord is the size of a run.json that is still read.
const maxRecord = 256 << 20

// An index knows the runs in a folder. What it has read of a file it keeps until the
// file changes.
type index struct {
	dir string

	mu        sync.Mutex
	summaries map[string]*summary
}

// A summary is what a list shows of a run.
type summary struct {
	run.Run // without tasks
	Problem string
	stamp   stamp
}

type stamp struct {
	at   time.Time
	size int64
}

func newIndex(dir string) *index { return &index{dir: dir, summaries: map[string]*summary{}} }

// all returns the runs, in no order.
func (x *index) all() ([]*summary, error) {
	entries, err := os.ReadDir(x.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, run.Unusable(err)
	}
	root, err := os.OpenRoot(x.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	found := make([]*summary, len(entries))
	limit := make(chan struct{}, 2*runtime.NumCPU())
	var wait sync.WaitGroup
	for i, e := range entries {
		limit <- struct{}{}
		wait.Go(func() {
			defer func() { <-limit }()
			found[i] = x.summary(root, e.Name())
		})
	}
	wait.Wait()
	all := slices.DeleteFunc(found, func(s *summary) bool { return s == nil })
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.summaries) > 2*len(all)+100 { // of folders that are gone
		x.summaries = map[string]*summary{}
	}
	return all, nil
}

// summary returns the summary of the run in a folder; nil if it has none.
func (x *index) summary(root *os.Root, id string) *summary {
	name := filepath.Join(id, "run.json")
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	now := stamp{info.ModTime(), info.Size()}
	x.mu.Lock()
	known := x.summaries[id]
	x.mu.Unlock()
	if known != nil && known.stamp == now {
		return x.alive(known)
	}
	s := &summary{stamp: now}
	if err := head(root, name, &s.Run); err != nil {
		s.Problem = err.Error()
	} else if s.Schema > run.Schema {
		s.Problem = "it was written by a later kfpgo"
	}
	s.ID, s.Dir = id, filepath.Join(x.dir, id)
	s.Pipeline = cmp.Or(s.Pipeline, id)
	x.mu.Lock()
	x.summaries[id] = s
	x.mu.Unlock()
	return x.alive(s)
}

// alive returns a summary that says whether the run is still running.
func (x *index) alive(s *summary) *summary {
	if s.State.Done() || s.Problem != "" || !run.Gone(s.Dir) {
		return s
	}
	gone := *s
	gone.State, gone.Error = run.Cancelled, brokenOff
	return &gone
}

const brokenOff = "broken off: its process was killed, or the machine went down"

// head reads a record up to its tasks, which are last and most of it.
func head(root *os.Root, name string, r *run.Run) error {
	f, err := openRegular(root, name)
	if err != nil {
		return err
	}
	defer f.Close()
	d := json.NewDecoder(f)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.New("run.json is not a record of a run")
	}
	members := map[string]json.RawMessage{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return fmt.Errorf("run.json: %w", err)
		}
		if key == "tasks" {
			break
		}
		var v json.RawMessage
		if err := d.Decode(&v); err != nil {
			return fmt.Errorf("run.json: %w", err)
		}
		members[key.(string)] = v // of an object
	}
	b, err := json.Marshal(members)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b, r); err != nil {
		return fmt.Errorf("run.json: %w", err)
	}
	return nil
}

// A query says which runs, in which order.
type query struct {
	Text, Pipeline, Sort string
	State                run.State
	Page                 int
}

// The orders of a list.
var orders = []struct{ Name, Label string }{
	{"new", "newest first"}, {"old", "oldest first"}, {"long", "longest first"}, {"short", "shortest first"}, {"name", "by pipeline"}, {"state", "by state"},
}

// choose returns the runs that a query is about, in its order.
func (q query) choose(all []*summary, now time.Time) []*summary {
	text := strings.ToLower(strings.TrimSpace(q.Text))
	var found []*summary
	for _, s := range all {
		if q.Pipeline != "" && s.Pipeline != q.Pipeline || q.State != "" && s.State != q.State || text != "" && !s.has(text) {
			continue
		}
		found = append(found, s)
	}
	newest := func(a, b *summary) int { return cmp.Or(b.Started.Compare(a.Started), cmp.Compare(b.ID, a.ID)) }
	order := map[string]func(a, b *summary) int{
		"old":   func(a, b *summary) int { return newest(b, a) },
		"long":  func(a, b *summary) int { return cmp.Or(cmp.Compare(b.took(now), a.took(now)), newest(a, b)) },
		"short": func(a, b *summary) int { return cmp.Or(cmp.Compare(a.took(now), b.took(now)), newest(a, b)) },
		"name":  func(a, b *summary) int { return cmp.Or(cmp.Compare(a.Pipeline, b.Pipeline), newest(a, b)) },
		"state": func(a, b *summary) int { return cmp.Or(cmp.Compare(a.State, b.State), newest(a, b)) },
	}[q.Sort]
	if order == nil {
		order = newest
	}
	slices.SortFunc(found, order)
	return found
}

// has reports whether a string is in what a list shows of a run, or in its parameters.
func (s *summary) has(text string) bool {
	for _, t := range []string{s.ID, s.Title, s.Pipeline, s.Schedule, s.Error} {
		if strings.Contains(strings.ToLower(t), text) {
			return true
		}
	}
	for name, v := range s.Params {
		if strings.Contains(strings.ToLower(name+"="+strings.Trim(string(v), `"`)), text) {
			return true
		}
	}
	return false
}

func (s *summary) took(now time.Time) time.Duration {
	if s.Started.IsZero() {
		return 0
	}
	if s.Ended.IsZero() {
		if s.State.Done() {
			return max(s.stamp.at.Sub(s.Started), 0)
		}
		return now.Sub(s.Started)
	}
	return s.Ended.Sub(s.Started)
}
