package discover

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
)

// format is that of manifests and of the generated main. A change of either
// makes programs that were built before obsolete.
const format = 4

// A manifest says what a program was built from.
type manifest struct {
	Format  int
	Env     string // digest of the environment that go reads
	Program string // file name
	Package *Package
	Inputs  []stamp

	Packages []Package // that Inputs has files of: their folders and files
}

// manifest returns that of the entry, if there is one of this format.
func (e entry) manifest() (m manifest, ok bool) {
	b, err := os.ReadFile(filepath.Join(e.dir, "manifest.json"))
	return m, err == nil && json.Unmarshal(b, &m) == nil && m.Format == format
}

// reuse returns the program of the entry if a build would make the same again.
// It compares only times and sizes.
func (e entry) reuse() *Program {
	m, ok := e.manifest()
	if !ok || m.Env != environment() {
		return nil
	}
	for _, s := range m.Inputs {
		if !s.holds() {
			return nil
		}
	}
	file := filepath.Join(e.dir, m.Program)
	info, err := os.Stat(file)
	if err != nil {
		return nil
	}
	if time.Since(info.ModTime()) > time.Hour {
		os.Chtimes(file, time.Time{}, time.Now()) // in use; see sweep
	}
	return &Program{Package: m.Package, File: file, Reused: true, place: e.place}
}

// before returns the package as it was when the program was built last, with the
// variables that it has now. Nil: it wasn't, or the files don't parse.
func (e entry) before() *Package {
	m, ok := e.manifest()
	if !ok || m.Package.parse() != nil || len(m.Package.Vars) == 0 {
		return nil
	}
	return m.Package
}

// save writes the manifest, unless something changed while the program was
// being built: then it isn't known which state went into it. Where only code changed, that
// file counts as changed the next time.
func (e entry) save(b *built, start time.Time) error {
	defer e.sweep(b.name)
	file := filepath.Join(e.dir, "manifest.json")
	known := b.inputs != nil
	for i, s := range b.inputs {
		if !s.since(start) {
			continue
		}
		known = known && b.edited
		b.inputs[i].Time = 0
	}
	if !known {
		if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
			return err
		}
		return nil
	}
	text, err := json.Marshal(manifest{format, environment(), b.name, b.pkg, b.inputs, b.packages})
	if err != nil {
		return err
	}
	return atomicfile.Write(file, 0o644, text)
}

// sweep removes programs that nobody has used for a day.
func (e entry) sweep(keep string) {
	files, _ := filepath.Glob(filepath.Join(e.dir, "program-*"))
	for _, file := range files {
		if info, err := os.Stat(file); err == nil && filepath.Base(file) != keep && time.Since(info.ModTime()) > 24*time.Hour {
			os.Remove(file)
		}
	}
}

// others are variables that the go command reads beside those whose names begin
// with GO or CGO_.
var others = []string{"CC", "CXX", "FC", "AR", "PKG_CONFIG", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR", "HOME", "USERPROFILE", "XDG_CONFIG_HOME", "AppData"}

// environment returns a digest of all of the environment that go reads, and of
// where the tools are. A digest, since the variables may hold secrets.
func environment() string {
	var lines []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		if strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || slices.Contains(others, name) {
			lines = append(lines, kv)
		}
	}
	slices.Sort(lines)
	for _, tool := range []string{"go", "gcc"} {
		path, _ := exec.LookPath(tool)
		lines = append(lines, path)
	}
	return digest(strings.Join(lines, "\x00"))
}
