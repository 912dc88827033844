package discover

import (
	"os"
	"path/filepath"

	"golang.org/x/mod/modfile"
)

// module adds the go.mod of a module, go.sum, what it vendors, and the go.mod of
// the folders that replace other modules.
func (c *collector) module(gomod string) {
	if gomod == "" || gomod == os.DevNull || c.seen[gomod] {
		return
	}
	dir := filepath.Dir(gomod)
	c.files(gomod, filepath.Join(dir, "go.sum"), filepath.Join(dir, "vendor", "modules.txt"))
	b, err := os.ReadFile(gomod)
	if err != nil {
		return
	}
	f, err := modfile.ParseLax(gomod, b, nil)
	if err != nil {
		return
	}
	for _, r := range f.Replace {
		c.local(dir, r.New.Path)
	}
}

// workspace adds a go.work and the modules that it uses.
func (c *collector) workspace(gowork string) {
	if gowork == "" || gowork == "off" {
		return
	}
	dir := filepath.Dir(gowork)
	c.files(gowork, gowork+".sum", filepath.Join(dir, "vendor", "modules.txt"))
	b, err := os.ReadFile(gowork)
	if err != nil {
		return
	}
	f, err := modfile.ParseWork(gowork, b, nil)
	if err != nil {
		return
	}
	for _, u := range f.Use {
		c.module(filepath.Join(absolute(dir, u.Path), "go.mod"))
	}
	for _, r := range f.Replace {
		c.local(dir, r.New.Path)
	}
}

// local adds the go.mod of a replacement, if that is a folder.
func (c *collector) local(dir, path string) {
	if modfile.IsDirectoryPath(path) {
		c.files(filepath.Join(absolute(dir, path), "go.mod"))
	}
}

func absolute(dir, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// absent adds the go.mod and go.work files that are not there, but would be used
// if they were: those nearer to dir than the ones in use.
func (c *collector) absent(dir, gomod, gowork string) {
	mod, work := false, false
	for {
		mod = mod || filepath.Join(dir, "go.mod") == gomod
		work = work || filepath.Join(dir, "go.work") == gowork
		if !mod {
			c.files(filepath.Join(dir, "go.mod"))
		}
		if !work {
			c.files(filepath.Join(dir, "go.work"))
		}
		parent := filepath.Dir(dir)
		if mod && work || parent == dir {
			return
		}
		dir = parent
	}
}
