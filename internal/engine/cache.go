package engine

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/run"
)

// digest returns a digest of the program that has the Go steps.
func digest(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("the program with the Go steps: %w", err)
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.Copy(h, f)
	return fmt.Sprintf("%x", h.Sum(nil)), err
}

// cacheKey returns the key under which the step's outputs are kept, or "" where
// they are not: for steps that turned caching off, that mount volumes, which
// change beside the inputs, or that work on a cluster's objects, and for Go
// steps in this process, whose code has no digest.
func (s *step) cacheKey() string {
	x := s.c.Exec
	set := &s.t.Settings
	if s.e.o.NoCache || set.NoCache || s.t.Exit || len(set.PVCMounts)+len(set.SecretVolumes)+len(set.ConfigMapVolumes) > 0 || x.Resource != nil || x.Importer != nil || asksRun(x.Container) ||
		(x.Go != nil || x.OnLocal) && s.e.digest == "" {
		return ""
	}
	image, err := s.image() // the settings say only where it comes from
	if err != nil {
		return ""
	}
	python := ""
	if x.Python != nil {
		python = s.e.o.Python
	}
	h := sha256.New()
	component := *s.c
	component.Pos.File, component.Pos.Line, component.Doc = "", 0, ""
	enc := json.NewEncoder(h)
	if err := enc.Encode([]any{2, component, set, image, s.env, s.in.params, python}); err != nil {
		return ""
	}
	if x.Go != nil || x.OnLocal {
		io.WriteString(h, s.e.digest)
	}
	for _, name := range slices.Sorted(maps.Keys(s.in.arts)) {
		for _, a := range s.in.arts[name] {
			fmt.Fprintf(h, "\n%s %s ", name, a.Type)
			if enc.Encode(a.Metadata) != nil || hashArtifact(h, a.URI) != nil {
				return ""
			}
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// asksRun reports whether a container is told what differs between runs.
func asksRun(c *program.Container) bool {
	return c != nil && slices.ContainsFunc(slices.Concat(c.Command, c.Args), func(t string) bool {
		return strings.Contains(t, "{{$.pipeline_") || strings.Contains(t, "{{$.workspace_path}}")
	})
}

// hashArtifact adds the content of an artifact: names and bytes of its files.
func hashArtifact(h hash.Hash, uri string) error {
	root := run.LocalPath(uri)
	if !filepath.IsAbs(root) {
		_, err := io.WriteString(h, uri)
		return err
	}
	return filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) && file == root {
			return nil // an artifact that is all metadata
		}
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		f, err := os.Open(file)
		if err != nil {
			return err
		}
		defer f.Close()
		fmt.Fprintf(h, "%s\n", rel)
		_, err = io.Copy(h, f)
		return err
	})
}

// An entry is what the cache holds of a step: outputs, and where its artifacts
// are, in the folder of the run that made them.
type entry struct {
	Params map[string]json.RawMessage `json:"params"`
	Arts   map[string][]run.Artifact  `json:"artifacts"`
	Files  []string                   `json:"files"` // that must still be there
}

func (s *step) cacheFile(key string) string {
	return filepath.Join(s.e.o.Home, "cache", key[:2], key+".json")
}

// cached returns the outputs of an equal step, if they are still there.
func (s *step) cached(key string) *result {
	if key == "" {
		return nil
	}
	b, err := os.ReadFile(s.cacheFile(key))
	if err != nil {
		return nil
	}
	var e entry
	if json.Unmarshal(b, &e) != nil {
		return nil
	}
	for _, file := range e.Files {
		if _, err := os.Stat(file); err != nil {
			return nil
		}
	}
	return &result{state: run.Cached, env: env{params: e.Params, arts: e.Arts}}
}

// remember keeps the outputs of a step. A cache that can't be written is no
// reason to fail.
func (s *step) remember(key string, r *result) {
	if key == "" {
		return
	}
	e := entry{Params: r.params, Arts: r.arts}
	for _, arts := range r.arts {
		for _, a := range arts {
			if file := run.LocalPath(a.URI); filepath.IsAbs(file) {
				if _, err := os.Stat(file); err == nil {
					e.Files = append(e.Files, file)
				}
			}
		}
	}
	if b, err := json.Marshal(e); err == nil {
		_ = writeFile(s.cacheFile(key), b)
	}
}
