// Package runlineage is the artifacts of runs on this machine: what the records of
// all runs below a home folder say of them, and their files.
package runlineage

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/local/records"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// A Store is the runs below a home folder. It is a [lineage.Store].
type Store struct{ Home string }

var _ lineage.Store = Store{}

// Graph returns what all runs have done. A folder that has no record yet is left out,
// and so is one whose record can't be read, which the graph says.
func (s Store) Graph(ctx context.Context) (*lineage.Graph, error) {
	entries, err := os.ReadDir(filepath.Join(s.Home, "runs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, run.Unusable(err)
	}
	b := lineage.NewBuilder()
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, err := run.Load(filepath.Join(s.Home, "runs", e.Name()))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			b.Missing("run %s: %v", e.Name(), err)
			continue
		}
		Add(b, r)
	}
	return b.Graph(), nil
}

// Add adds what a run has done.
func Add(b *lineage.Builder, r *run.Run) {
	groups, byPath := groups(r), map[string]*run.Task{}
	for _, t := range r.Tasks {
		byPath[t.Path] = t
	}
	for _, t := range r.Tasks {
		if groups[t.Path] || t.State == run.Skipped || t.State == run.Pending {
			continue
		}
		e := &lineage.Execution{
			ID: r.ID + "/" + t.Path, Run: r.ID, Pipeline: r.Pipeline, Task: t.Path, Kind: t.Kind, State: string(t.State),
			Started: t.Started, Ended: t.Ended, Inputs: t.Inputs, Outputs: t.Outputs,
		}
		kind := lineage.Made
		switch {
		case t.State == run.Cached:
			kind = lineage.Reused
		case t.Kind == "importer":
			kind = lineage.Imported
		}
		add := func(kind lineage.EventKind, ports map[string][]run.Artifact) {
			for _, name := range slices.Sorted(maps.Keys(ports)) {
				for i, a := range ports[name] {
					b.Event(e, kind, name, i, lineage.Artifact{Name: a.Name, Type: a.Type, URI: a.URI, Metadata: a.Metadata})
				}
			}
		}
		reads := map[string][]run.Artifact{}
		if up := byPath[path.Dir(t.Path)]; t.Iteration != nil && up != nil {
			maps.Copy(reads, up.Reads) // what all iterations get is in the loop's record
		}
		maps.Copy(reads, t.Reads)
		add(lineage.Read, reads)
		add(kind, t.Writes)
	}
}

// groups returns the paths of tasks that hold other tasks, or would. They pass on what
// their tasks make.
func groups(r *run.Run) map[string]bool {
	leaves := []string{"go", "python", "container", "resource", "importer", "suspend"}
	out := map[string]bool{}
	for _, t := range r.Tasks {
		if !slices.Contains(leaves, t.Kind) {
			out[t.Path] = true
		}
		out[path.Dir(t.Path)] = true // the record of a loop of steps
	}
	return out
}

// Artifacts returns the artifacts that a query asks for. The run may be named by the
// beginning of its id, or by its folder.
func (s Store) Artifacts(ctx context.Context, q lineage.Query) (*lineage.Graph, error) {
	g, err := s.Graph(ctx)
	if err != nil {
		return nil, err
	}
	if q.Run != "" {
		r, err := records.Find(s.Home, q.Run)
		if err != nil {
			return nil, err
		}
		q.Run = r.ID
	}
	return g.Select(q), nil
}

// Lineage returns an artifact with its past and its future in all runs.
func (s Store) Lineage(ctx context.Context, ref string) (*lineage.Trace, error) {
	g, err := s.Graph(ctx)
	if err != nil {
		return nil, err
	}
	a, err := g.Find(ref)
	if err != nil {
		return nil, err
	}
	return g.Trace(a), nil
}

// Files returns the files of an artifact on this machine.
func (s Store) Files(_ context.Context, a *lineage.Artifact) iter.Seq2[*lineage.File, error] {
	root := run.LocalPath(a.URI)
	if !filepath.IsAbs(root) {
		return fail(fmt.Errorf("%s is not on this machine: kfpgo fetches nothing from there for runs here", a.URI))
	}
	if err := s.inside(root); err != nil {
		return fail(err)
	}
	return lineage.Local(root)
}

// inside refuses what a step has written if a link leads from it out of the folder of its
// run. What lies elsewhere was named by the user, links included.
func (s Store) inside(file string) error {
	home, err := filepath.Abs(s.Home)
	if err != nil {
		return err
	}
	homes := []string{home}
	if real, err := filepath.EvalSymlinks(home); err == nil && real != home {
		homes = append(homes, real)
	}
	for _, home := range homes {
		runs := filepath.Join(home, "runs")
		below, err := filepath.Rel(runs, file)
		if err != nil || below == "." || !filepath.IsLocal(below) {
			continue
		}
		id, _, _ := strings.Cut(filepath.ToSlash(below), "/")
		folder, err := filepath.EvalSymlinks(filepath.Join(runs, id))
		if err != nil {
			return err
		}
		to, err := filepath.EvalSymlinks(file)
		if err != nil {
			if to, err := os.Readlink(file); err == nil {
				return fmt.Errorf("%s is a link to %s, where nothing is", file, to)
			}
			return nil // it is gone, which who reads it finds
		}
		if in, err := filepath.Rel(folder, to); err != nil || !filepath.IsLocal(in) {
			return fmt.Errorf("%s is a link to %s, out of the folder of its run, and is not followed; have the step copy the file, or read it there yourself", file, to)
		}
	}
	return nil
}

func fail(err error) iter.Seq2[*lineage.File, error] {
	return func(yield func(*lineage.File, error) bool) { yield(nil, err) }
}
