package engine

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A step is one execution of a component that isn't a DAG.
type step struct {
	*frame
	t   *program.Task
	c   *program.Component
	in  env
	rec *run.Task

	dir      string                    // tasks/<path>
	arts     map[string][]run.Artifact // where its artifacts go
	mounts   map[string]string         // path in the pod: folder of this machine
	readOnly map[string]bool           // of the paths in mounts
	env      []string
	devices  []int
	log      *os.File
	timeout  time.Duration
	again    tries
}

// step runs a component that isn't a DAG, again if it fails and may be retried.
func (f *frame) step(ctx context.Context, t *program.Task, c *program.Component, in env, rec *run.Task) *result {
	s := &step{frame: f, t: t, c: c, in: in, rec: rec, dir: filepath.Join(f.e.dir, "tasks", folder(rec.Path))}
	if err := s.settings(); err != nil {
		return f.e.fail(rec, err)
	}
	if r := s.resumed(); r != nil {
		f.e.update(rec, func(rec *run.Task) { rec.Started = time.Now().UTC() })
		return f.e.end(rec, r, "it succeeded in run "+f.e.o.Resume.ID)
	}
	key := s.cacheKey()
	if r := s.cached(key); r != nil {
		f.e.update(rec, func(rec *run.Task) { rec.Started = time.Now().UTC() })
		return f.e.end(rec, r, "an equal step has succeeded before")
	}
	gpus, err := s.countGPUs()
	if err != nil {
		return f.e.fail(rec, err)
	}
	before := rec.Attempts // in tries of a pipeline around it
	for attempt := 1; ; attempt++ {
		out, err := s.turn(ctx, before+attempt, gpus)
		if err == nil {
			r := &result{state: run.Succeeded, env: out}
			s.remember(key, r)
			return f.e.end(rec, r, "")
		}
		if ctx.Err() != nil {
			return f.e.end(rec, &result{state: run.Cancelled}, "interrupted")
		}
		if attempt > s.again.retries {
			return f.e.fail(rec, err)
		}
		f.e.update(rec, func(rec *run.Task) { rec.Reason = clip(fmt.Sprintf("attempt %d: %v", attempt, err)) })
		if !s.again.pause(ctx, attempt) {
			return f.e.end(rec, &result{state: run.Cancelled}, "interrupted")
		}
	}
}

// turn waits until the step may run, and runs it once. What it waits for is given
// back before the next attempt, so that a step that backs off stops no other.
func (s *step) turn(ctx context.Context, n, gpus int) (env, error) {
	unlock, err := s.lock(ctx)
	if err != nil {
		return env{}, err
	}
	defer unlock()
	if gpus > 0 {
		ids, err := s.e.gpus.take(ctx, gpus)
		if err != nil {
			return env{}, err
		}
		defer s.e.gpus.give(ids)
		s.devices = ids
	}
	if s.c.Exec.Suspend != nil && !s.c.Exec.OnLocal {
		return s.attempt(ctx, n) // a person may be slow
	}
	select {
	case s.e.slots <- struct{}{}:
		defer func() { <-s.e.slots }()
	case <-ctx.Done():
		return env{}, ctx.Err()
	}
	return s.attempt(ctx, n)
}

// attempt runs the step once.
func (s *step) attempt(ctx context.Context, n int) (env, error) {
	name := filepath.Join("tasks", folder(s.rec.Path), "log."+strconv.Itoa(n))
	s.e.update(s.rec, func(rec *run.Task) {
		if rec.State, rec.Attempts, rec.Logs = run.Running, n, append(rec.Logs, filepath.ToSlash(name)); rec.Started.IsZero() {
			rec.Started = time.Now().UTC()
		}
	})
	if err := s.fresh(); err != nil {
		return env{}, err
	}
	var err error
	if s.log, err = os.OpenFile(filepath.Join(s.e.dir, name), os.O_CREATE|os.O_RDWR|os.O_TRUNC, 0o600); err != nil {
		return env{}, err
	}
	defer s.log.Close()
	if s.timeout > 0 {
		limited, cancel := context.WithTimeoutCause(ctx, s.timeout, fmt.Errorf("it ran longer than its timeout of %v", s.timeout))
		defer cancel()
		ctx = limited
	}
	out, err := s.run(ctx)
	if cause := context.Cause(ctx); err != nil && cause != nil && !errors.Is(cause, context.Canceled) {
		err = cause
	}
	for _, as := range out.arts {
		for i := range as {
			as[i].NoFile = !there(as[i])
		}
	}
	return out, err
}

// there reports whether an artifact has what it stands for, as far as this machine knows.
func there(a run.Artifact) bool {
	file := run.LocalPath(a.URI)
	if !filepath.IsAbs(file) {
		return true
	}
	_, err := os.Stat(file)
	return err == nil
}

// fresh makes the step's folders, without what an earlier attempt left there.
func (s *step) fresh() error {
	at := s.artifactDir()
	if err := errors.Join(os.RemoveAll(at), os.MkdirAll(s.dir, 0o755), os.MkdirAll(at, 0o755)); err != nil {
		return err
	}
	if err := s.podVolumes(); err != nil {
		return err
	}
	os.Remove(filepath.Join(s.dir, "output.json"))
	s.arts = map[string][]run.Artifact{}
	for _, out := range s.c.Outputs {
		if out.Type.Artifact {
			s.arts[out.Name] = []run.Artifact{{Name: out.Name, Type: out.Type.Name, URI: "file://" + filepath.Join(at, out.Name)}}
		}
	}
	return nil
}

// artifactDir is where the step's artifacts go.
func (s *step) artifactDir() string {
	return filepath.Join(s.e.dir, "artifacts", folder(s.rec.Path))
}

// longest is the path of a task above which its folders have short names: a name
// of a file may have 4096 bytes on Linux and 1024 elsewhere.
const longest = 700

// folder returns a task's path as one of folders.
func folder(path string) string {
	if len(path) <= longest {
		return filepath.FromSlash(path)
	}
	sum := sha256.Sum256([]byte(path))
	return filepath.Join("deep", fmt.Sprintf("%x", sum[:12]))
}

func (s *step) run(ctx context.Context) (env, error) {
	x := s.c.Exec
	switch {
	case x.OnLocal:
		return s.goStep(ctx, s.c.Titled())
	case x.Go != nil && s.e.away(x.Go):
		return s.goContainer(ctx)
	case x.Go != nil:
		return s.goStep(ctx, x.Go.Name)
	case x.Python != nil:
		return s.pythonStep(ctx)
	case x.Container != nil:
		return s.container(ctx)
	case x.Resource != nil:
		return s.resource()
	case x.Suspend != nil:
		return s.suspend(ctx)
	}
	var uri string
	if err := json.Unmarshal(s.in.params["uri"], &uri); err != nil {
		return env{}, fmt.Errorf("the uri of an importer is %s, not a string", s.in.params["uri"])
	}
	out := env{arts: map[string][]run.Artifact{}}
	for _, port := range s.c.Outputs {
		meta, err := s.importMetadata(x.Importer)
		if err != nil {
			return env{}, err
		}
		a := run.Artifact{Name: port.Name, Type: port.Type.Name, URI: uri, Metadata: meta}
		if text, ok := strings.CutPrefix(uri, feature.Data); ok {
			if text, err = url.PathUnescape(text); err == nil {
				err = os.WriteFile(filepath.Join(s.artifactDir(), port.Name), []byte(text), 0o644)
			}
			if err != nil {
				return env{}, err
			}
			a.URI = s.arts[port.Name][0].URI
		}
		out.arts[port.Name] = []run.Artifact{a}
	}
	return out, nil
}

// importMetadata returns the properties of an imported artifact, with the values
// of its inputs in their strings.
func (s *step) importMetadata(x *program.Importer) (map[string]any, error) {
	if len(x.Metadata) == 0 {
		return nil, nil
	}
	var expand func(v any) (any, error)
	expand = func(v any) (got any, err error) {
		switch v := v.(type) {
		case string:
			return placeholder.Expand(v, s.placeholder(nil))
		case []any:
			for i := range v {
				if v[i], err = expand(v[i]); err != nil {
					return nil, err
				}
			}
		case map[string]any:
			for k := range v {
				if v[k], err = expand(v[k]); err != nil {
					return nil, err
				}
			}
		}
		return v, nil
	}
	out := map[string]any{}
	for name, b := range x.Metadata {
		var v any
		err := json.Unmarshal(b, &v)
		if err == nil {
			out[name], err = expand(v)
		}
		if err != nil {
			return nil, fmt.Errorf("metadata %s: %w", name, err)
		}
	}
	return out, nil
}

// settings evaluates the options of the task.
func (s *step) settings() error {
	set := &s.t.Settings
	s.timeout = time.Duration(set.TimeoutSecs) * time.Second
	var err error
	if s.again, err = s.tries(set.Retry); err != nil {
		return err
	}
	before := map[string]string{}
	for _, v := range set.Env {
		b, ok, err := s.eval(v.Value)
		if err != nil {
			return fmt.Errorf("variable %s: %w", v.Name, err)
		}
		if !ok {
			continue
		}
		text := plain(b)
		if _, constant := v.Value.Constant(); constant && len(v.Value.Field) == 0 {
			text = program.EnvText(text, before, func(s string) string { return s })
		}
		before[v.Name] = text
		s.env = append(s.env, v.Name+"="+text)
	}
	if err := errors.Join(s.quantities(), s.sources()); err != nil {
		return err
	}
	s.mounts = map[string]string{}
	for _, m := range set.PVCMounts {
		b, ok, err := s.eval(m.Claim)
		if err != nil || !ok {
			return errors.Join(fmt.Errorf("the claim mounted at %s was not given", m.Path), err)
		}
		dir, err := s.e.volumes.mount(plain(b))
		if err != nil {
			return err
		}
		if m.SubPath != "" {
			dir = filepath.Join(dir, filepath.FromSlash(path.Clean("/"+m.SubPath)))
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
		}
		s.mounts[m.Path] = dir
	}
	return s.objectVolumes()
}

func (f *frame) count(v program.Value, what string) (int, error) {
	b, _, err := f.eval(v)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", what, err)
	}
	n, err := strconv.Atoi(string(b))
	if err != nil || n < 0 {
		return 0, fmt.Errorf("%s is %s; it must be a whole number from 0 up", what, b)
	}
	return n, nil
}
