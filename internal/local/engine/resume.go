package engine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// resumable lists the steps of an earlier run that succeeded, by path.
func resumable(p *program.Program, o *Options) (map[string]*run.Task, error) {
	if o.Resume == nil {
		return nil, nil
	}
	if o.Resume.Pipeline != p.Name {
		return nil, fmt.Errorf("run %s is of pipeline %s, and can't be resumed as one of %s", o.Resume.ID, o.Resume.Pipeline, p.Name)
	}
	tasks := map[string]*run.Task{}
	for _, t := range o.Resume.Tasks {
		if t.State == run.Succeeded || t.State == run.Cached {
			tasks[t.Path] = t
		}
	}
	return tasks, nil
}

// resumed returns the outputs that the step had in the run that is resumed, if it
// succeeded there with equal inputs and they are still there. Steps run again that
// work on volumes of that run, which are gone, or on objects, and so does what is to
// run at the end of every run.
func (s *step) resumed() *result {
	old := s.e.earlier[s.rec.Path]
	if old == nil || old.Component != s.c.Name || old.Kind != s.rec.Kind || s.t.Exit || s.c.Exec.Resource != nil || !same(old.Inputs, s.in.params) || !same(old.Reads, s.in.arts) {
		return nil
	}
	for _, dir := range s.mounts {
		if strings.HasPrefix(dir, s.e.volumes.run+string(filepath.Separator)) {
			return nil
		}
	}
	for _, as := range old.Writes {
		for _, a := range as {
			if !a.NoFile && !there(a) {
				return nil
			}
		}
	}
	return &result{state: run.Cached, env: env{params: old.Outputs, arts: old.Writes}}
}

// same compares values as JSON, in which nothing and an empty map are the same.
func same[V any](a, b map[string]V) bool {
	if len(a) != len(b) {
		return false
	}
	if len(a) == 0 {
		return true
	}
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}
