package engine

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// digest returns a digest of the program that has the Go steps.
func digest(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	h := sha256.New()
	if err := addFile(h, "", file); err != nil {
		return "", fmt.Errorf("the program with the Go steps: %w", err)
	}
	return fmt.Sprintf("%x", h.Sum(nil)), nil
}

// addFile adds the content of a file to a hash, after a string.
func addFile(h hash.Hash, text, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	io.WriteString(h, text)
	_, err = io.Copy(h, f)
	return err
}

// A Print is what the outputs of a step depend on, by what it is called: code,
// definition, settings, input NAME, and the like. Each value stands for a content.
type Print map[string]string

// cacheKey returns the key under which the step's outputs are kept, or "" where
// they are not: for steps that turned caching off, that mount volumes, which
// change beside the inputs, or that work on a cluster's objects, and for Go
// steps in this process, whose code has no digest.
func (s *step) cacheKey() string {
	print, never := s.print()
	if s.e.o.Printed != nil {
		s.e.o.Printed(s.rec.Path, print, never)
	}
	if never != "" || s.e.o.NoCache {
		return ""
	}
	h := sha256.New()
	if err := json.NewEncoder(h).Encode([]any{4, print}); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// print returns what the outputs of a step depend on. Never says why that isn't all.
func (s *step) print() (_ Print, never string) {
	x, set := s.c.Exec, &s.t.Settings
	switch {
	case set.NoCache && s.t.Exit:
		return nil, "it runs at the end of every run"
	case set.NoCache:
		return nil, "its caching is off"
	case len(set.PVCMounts)+len(set.SecretVolumes)+len(set.ConfigMapVolumes) > 0:
		return nil, "it mounts volumes"
	case x.Resource != nil:
		return nil, "it works on objects of a cluster"
	case x.Suspend != nil:
		return nil, "it waits for a person"
	case x.Importer != nil:
		return nil, "it imports"
	case asksRun(x.Container):
		return nil, "it reads values that differ between runs"
	case (x.Go != nil || x.OnLocal) && s.code() == "":
		return nil, "its code is unknown"
	}
	image, err := s.image() // the settings say only where it comes from
	if err != nil {
		return nil, err.Error()
	}
	component := *s.c
	component.Pos.File, component.Pos.Line, component.Doc = "", 0, ""
	print := Print{}
	sum := func(name string, v any) {
		h := sha256.New()
		if err := json.NewEncoder(h).Encode(v); err != nil && never == "" {
			never = err.Error()
		}
		print[name] = fmt.Sprintf("%x", h.Sum(nil))
	}
	if x.Python != nil {
		sum("Python source", []any{x.Python, s.e.o.Python})
		exec := *x
		exec.Python, component.Exec = nil, &exec
	}
	sum("definition", component)
	sum("settings", []any{set, image, s.env})
	if x.Go != nil || x.OnLocal {
		print["code"] = s.code()
	}
	for name, b := range s.in.params {
		print["input "+name] = string(b)
	}
	for name, as := range s.in.arts {
		h := sha256.New()
		for _, a := range as {
			fmt.Fprintf(h, "\n%s ", a.Type)
			if json.NewEncoder(h).Encode(a.Metadata) != nil || hashArtifact(h, a.URI) != nil {
				return nil, "an artifact that it reads can't be read"
			}
		}
		print["artifact "+name] = fmt.Sprintf("%x", h.Sum(nil))
	}
	return print, never
}

// code is the digest of what a Go step is made of.
func (s *step) code() string {
	if d := s.e.o.Code[s.c.Name]; d != "" {
		return d
	}
	return s.e.digest
}

// asksRun reports whether a container reads values that differ between runs.
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
		return addFile(h, rel+"\n", file)
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

// remember keeps the outputs of a step. A cache that can't be written is not a
// reason to fail.
func (s *step) remember(key string, r *result) {
	if key == "" {
		return
	}
	e := entry{Params: r.params, Arts: r.arts}
	for _, arts := range r.arts {
		for _, a := range arts {
			if file := run.LocalPath(a.URI); filepath.IsAbs(file) && !a.NoFile {
				e.Files = append(e.Files, file)
			}
		}
	}
	if b, err := json.Marshal(e); err == nil {
		_ = writeFile(s.cacheFile(key), b)
	}
}
