package records

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

// MaxRecord is the size of a run.json that is still read.
const MaxRecord = 256 << 20

// An Index knows the runs in a folder. What it has read of a file it keeps until the
// file changes.
type Index struct {
	Dir string

	mu        sync.Mutex
	summaries map[string]*Summary
}

// A Summary is what a list shows of a run.
type Summary struct {
	run.Run // without tasks
	Problem string
	Stamp   Stamp
}

// A Stamp says whether a file has changed.
type Stamp struct {
	At   time.Time
	Size int64
}

// StampOf returns the stamp of a file.
func StampOf(info fs.FileInfo) Stamp { return Stamp{info.ModTime(), info.Size()} }

// NewIndex returns the index of a folder, which needn't exist yet.
func NewIndex(dir string) *Index { return &Index{Dir: dir, summaries: map[string]*Summary{}} }

// All returns the runs, in no order.
func (x *Index) All() ([]*Summary, error) {
	entries, err := os.ReadDir(x.Dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, run.Unusable(err)
	}
	root, err := os.OpenRoot(x.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	found := make([]*Summary, len(entries))
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
	all := slices.DeleteFunc(found, func(s *Summary) bool { return s == nil })
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.summaries) > 2*len(all)+100 { // of folders that are gone
		x.summaries = map[string]*Summary{}
	}
	return all, nil
}

// summary returns the summary of the run in a folder; nil if it has none.
func (x *Index) summary(root *os.Root, id string) *Summary {
	name := filepath.Join(id, "run.json")
	info, err := root.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	now := StampOf(info)
	x.mu.Lock()
	known := x.summaries[id]
	x.mu.Unlock()
	if known != nil && known.Stamp == now {
		return x.alive(known)
	}
	s := &Summary{Stamp: now}
	if err := head(root, name, &s.Run); err != nil {
		s.Problem = err.Error()
	} else if s.Schema > run.Schema {
		s.Problem = "it was written by a later kfpgo"
	}
	s.ID, s.Dir = id, filepath.Join(x.Dir, id)
	s.Pipeline = cmp.Or(s.Pipeline, id)
	x.mu.Lock()
	x.summaries[id] = s
	x.mu.Unlock()
	return x.alive(s)
}

// alive returns a summary that says whether the run is still running.
func (x *Index) alive(s *Summary) *Summary {
	if s.State.Done() || s.Problem != "" || !run.Gone(s.Dir) {
		return s
	}
	gone := *s
	gone.State, gone.Error = run.Cancelled, BrokenOff
	return &gone
}

// BrokenOff is the error of a run whose process is gone, though its record says that it is running.
const BrokenOff = "broken off: its process was killed, or the machine went down"

// BreakOff makes a record say what its process can't any more, if that is gone.
func BreakOff(r *run.Run) {
	if r.State.Done() || !run.Gone(r.Dir) {
		return
	}
	r.State, r.Error = run.Cancelled, BrokenOff
	for _, t := range r.Tasks {
		if !t.State.Done() {
			t.State, t.Reason = run.Cancelled, "the run was broken off"
		}
	}
}

// head reads a record up to its tasks, which are last and most of it.
func head(root *os.Root, name string, r *run.Run) error {
	f, err := OpenRegular(root, name)
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

// Has reports whether a string is in what a list shows of a run, or in its parameters.
func (s *Summary) Has(text string) bool {
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

// Took returns how long a run took, or has taken until now.
func (s *Summary) Took(now time.Time) time.Duration {
	if s.Started.IsZero() {
		return 0
	}
	if s.Ended.IsZero() {
		if s.State.Done() {
			return max(s.Stamp.At.Sub(s.Started), 0)
		}
		return now.Sub(s.Started)
	}
	return s.Ended.Sub(s.Started)
}
