package discover

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// listed is what go list says of a package in the program.
type listed struct {
	Dir           string
	Standard      bool
	Module        *struct{ GoMod string }
	EmbedPatterns []string

	GoFiles, CgoFiles, IgnoredGoFiles, IgnoredOtherFiles, EmbedFiles []string
	CFiles, CXXFiles, MFiles, HFiles, FFiles, SFiles                 []string
	SwigFiles, SwigCXXFiles, SysoFiles                               []string
}

const listedFields = "Dir,Standard,Module,EmbedPatterns,GoFiles,CgoFiles,IgnoredGoFiles,IgnoredOtherFiles,EmbedFiles,CFiles,CXXFiles,MFiles,HFiles,FFiles,SFiles,SwigFiles,SwigCXXFiles,SysoFiles"

func (l listed) files() (all []string) {
	for _, names := range [][]string{l.GoFiles, l.CgoFiles, l.IgnoredGoFiles, l.IgnoredOtherFiles, l.EmbedFiles,
		l.CFiles, l.CXXFiles, l.MFiles, l.HFiles, l.FFiles, l.SFiles, l.SwigFiles, l.SwigCXXFiles, l.SysoFiles} {
		all = append(all, names...)
	}
	return all
}

// inputs returns the state of all that a program is built from: Go itself, the
// files that say which modules there are, and the files and folders of the
// packages outside the module cache, whose content never changes. Nil: it isn't
// known, which only means that the next call builds again. The error is that of steps
// of functions in these packages that have changed since.
func (e entry) inputs(ctx context.Context, overlay, target string, virtual map[string]string) ([]stamp, []Package, error) {
	out, err := e.run(ctx, "env", "-json", "GOROOT", "GOMODCACHE", "GOENV", "GOWORK", "GOFLAGS", "GOMOD")
	var env struct{ GOROOT, GOMODCACHE, GOENV, GOWORK, GOFLAGS, GOMOD string }
	if err != nil || json.Unmarshal(out, &env) != nil {
		return nil, nil, nil
	}
	out, err = e.run(ctx, "list", "-deps", "-trimpath=false", "-overlay", overlay, "-json="+listedFields, target)
	if err != nil {
		return nil, nil, nil
	}
	c := collector{seen: map[string]bool{}}
	for file := range virtual {
		c.seen[file] = true
		if filepath.Base(file) == "main.go" {
			c.seen[filepath.Dir(file)] = true
		}
	}
	tool, _ := exec.LookPath("go")
	c.files(tool, filepath.Join(env.GOROOT, "VERSION"), filepath.Join(env.GOROOT, "go.env"), env.GOENV)
	for _, flag := range strings.Fields(env.GOFLAGS) {
		if _, file, ok := strings.Cut(flag, "modfile="); ok {
			c.files(filepath.Join(e.place.dir, file), strings.TrimSuffix(filepath.Join(e.place.dir, file), ".mod")+".sum")
		}
	}
	c.workspace(env.GOWORK)
	c.module(env.GOMOD)
	var stale error
	var packages []Package
	d := json.NewDecoder(bytes.NewReader(out))
	for d.More() {
		var l listed
		if d.Decode(&l) != nil {
			return nil, nil, nil
		}
		if l.Standard || within(l.Dir, env.GOMODCACHE) {
			continue
		}
		if l.Module != nil {
			c.module(l.Module.GoMod)
		}
		c.pkg(l)
		own := Package{Dir: l.Dir, GoFiles: l.GoFiles, CgoFiles: l.CgoFiles}
		stale = errors.Join(stale, own.stale(e.wd))
		packages = append(packages, own)
	}
	c.absent(e.place.dir, env.GOMOD, env.GOWORK)
	return c.stamps, packages, stale
}

func within(path, dir string) bool {
	return dir != "" && strings.HasPrefix(path, filepath.Clean(dir)+string(filepath.Separator))
}

type collector struct {
	seen   map[string]bool
	stamps []stamp
}

func (c *collector) add(path string, all bool) {
	if path != "" && path != os.DevNull && !c.seen[path] {
		c.seen[path] = true
		c.stamps = append(c.stamps, stampOf(path, all))
	}
}

func (c *collector) files(paths ...string) {
	for _, path := range paths {
		c.add(path, false)
	}
}

// pkg adds a package: its files, its folder, and the folders of what it embeds.
func (c *collector) pkg(l listed) {
	for _, pattern := range l.EmbedPatterns {
		c.embedded(l.Dir, strings.TrimPrefix(pattern, "all:"))
	}
	c.add(l.Dir, false)
	for _, name := range l.files() {
		file := filepath.Join(l.Dir, name)
		if c.seen[file] {
			continue
		}
		c.add(file, false)
		c.stamps[len(c.stamps)-1].Head = head(file)
	}
}

// embedded adds the folders in which a new file would match a pattern.
func (c *collector) embedded(dir, pattern string) {
	parts := strings.Split(pattern, "/")
	for i := range parts {
		matches, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(strings.Join(parts[:i], "/"))))
		for _, m := range matches {
			if strings.ContainsAny(parts[i], `*?[\`) {
				c.add(m, true)
			}
		}
	}
	matches, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
	for _, m := range matches {
		filepath.WalkDir(m, func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				c.add(path, true)
			}
			return nil
		})
	}
}
