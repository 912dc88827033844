package discover

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A Watch sees changes of what a package's program is built from. It looks at sizes
// and times, which works in every file system and with every editor.
type Watch struct {
	place place
	more  []string // files beside those of the program
	seen  map[string]stamp
}

// NewWatch watches a package, by a pattern as seen from dir, and more files.
func NewWatch(dir, pattern string, more ...string) (*Watch, error) {
	at, err := locate(dir, pattern)
	if err != nil {
		return nil, err
	}
	w := &Watch{place: at, seen: map[string]stamp{}}
	for _, file := range more {
		if file, err = filepath.Abs(file); err != nil {
			return nil, err
		}
		w.more = append(w.more, file)
	}
	return w, nil
}

// Mark takes note of how things are. Call it before a build.
func (w *Watch) Mark() {
	old := w.seen
	w.seen = map[string]stamp{}
	for path, s := range old {
		w.seen[path] = stampOf(path, s.All)
	}
	for _, file := range w.more {
		w.seen[file] = stampOf(file, false)
	}
	if len(w.seen) == len(w.more) {
		w.walk()
	}
}

// walk adds what may belong to a program that was never built: the sources of the
// package's module.
func (w *Watch) walk() {
	folder := w.place.key
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		folder = w.place.dir
	}
	root := folder
	if mod := upwards(folder, "go.mod"); mod != "" {
		root = filepath.Dir(mod)
	}
	const most = 10_000
	filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || len(w.seen) > most:
			return filepath.SkipDir
		case d.IsDir() && path != root && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_") || d.Name() == "node_modules" || d.Name() == "vendor"):
			return filepath.SkipDir
		case d.IsDir(), slices.Contains(sources, filepath.Ext(path)), d.Name() == "go.sum":
			w.seen[path] = stampOf(path, false)
		}
		return nil
	})
}

// Built adds what the program was built from. What has changed since it was is seen
// as a change.
func (w *Watch) Built(p *Program) {
	inputs := p.inputs()
	if inputs == nil {
		return
	}
	seen := map[string]stamp{}
	for _, s := range inputs {
		if was, ok := w.seen[s.Path]; ok {
			s = was
		}
		seen[s.Path] = s
	}
	for _, file := range w.more {
		seen[file] = w.seen[file]
	}
	w.seen = seen
}

// Changed returns what has changed since Mark: files, and folders that files came to or
// went from.
func (w *Watch) Changed() []string {
	var paths []string
	for path, s := range w.seen {
		if s.holds() {
			continue
		}
		paths = append(paths, path)
		if s.Names == "" {
			continue
		}
		entries, _ := os.ReadDir(path) // what is new in a folder
		for _, e := range entries {
			file := filepath.Join(path, e.Name())
			if _, known := w.seen[file]; !known && !e.IsDir() && (s.All || slices.Contains(sources, filepath.Ext(file))) {
				paths = append(paths, file)
			}
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Stamps returns something that differs if things change once more.
func (w *Watch) Stamps(paths []string) string {
	var now []stamp
	for _, path := range paths {
		now = append(now, stampOf(path, w.seen[path].All))
	}
	b, _ := json.Marshal(now)
	return string(b)
}

// inputs returns what the program was built from; nil: it isn't known, since it was
// changed meanwhile.
func (p *Program) inputs() []stamp {
	m, ok := entry{dir: filepath.Dir(p.File)}.manifest()
	if !ok || m.Program != filepath.Base(p.File) {
		return nil
	}
	return m.Inputs
}

// Files returns what the program was built from beside the Go files of the package,
// and whether that is known and all of the package is Go.
func (p *Program) Files() (other []string, ok bool) {
	inputs := p.inputs()
	if inputs == nil || len(p.Package.CgoFiles) > 0 {
		return nil, false
	}
	own := map[string]bool{}
	for _, name := range p.Package.GoFiles {
		own[filepath.Join(p.Package.Dir, name)] = true
	}
	for _, s := range inputs {
		if s.Names == "" && !own[s.Path] {
			other = append(other, s.Path)
		}
	}
	return other, true
}
