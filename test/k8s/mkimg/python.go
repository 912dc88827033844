package main

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// omitted are folders of Python's library that no step needs.
var omitted = []string{"test", "tests", "idlelib", "tkinter", "lib2to3", "ensurepip", "site-packages", "dist-packages", "__pycache__", "turtledemo"}

// library is a line of ldd.
var library = regexp.MustCompile(`(?m)^\s*(?:\S+ => )?(/\S+) \(0x`)

// python adds the python3 of this machine with its library and what both link to,
// at the same paths, and a link to it.
func python(w *tar.Writer, to string) error {
	out, err := exec.Command("python3", "-c", `import json, os, sys, sysconfig
print(json.dumps([os.path.realpath(sys.executable), sysconfig.get_path("stdlib")]))`).Output()
	if err != nil {
		return fmt.Errorf("python3: %w", err)
	}
	var paths []string
	if err := json.Unmarshal(out, &paths); err != nil {
		return err
	}
	files, link := []string{paths[0]}, []string{paths[0]}
	err = filepath.WalkDir(paths[1], func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(omitted, d.Name()) || strings.HasPrefix(d.Name(), "config-")):
			return fs.SkipDir
		case d.Type().IsRegular():
			files = append(files, path)
			if strings.HasSuffix(path, ".so") {
				link = append(link, path)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	ldd, err := exec.Command("ldd", link...).Output()
	if err != nil && len(bytes.TrimSpace(ldd)) == 0 {
		return fmt.Errorf("ldd: %w", err)
	}
	for _, m := range library.FindAllSubmatch(ldd, -1) {
		files = append(files, string(m[1]))
	}
	slices.Sort(files)
	for _, f := range slices.Compact(files) {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		if err := add(w, strings.TrimPrefix(f, "/"), text, 0o755); err != nil {
			return err
		}
	}
	return w.WriteHeader(&tar.Header{Name: strings.TrimPrefix(to, "/"), Typeflag: tar.TypeSymlink, Linkname: paths[0], Mode: 0o777})
}
