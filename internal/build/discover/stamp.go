package discover

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A stamp is the state of a file or folder. Size -1: there was none.
type stamp struct {
	Path  string
	Size  int64  `json:",omitempty"`
	Time  int64  `json:",omitempty"` // of modification, Unix nanoseconds
	Names string `json:",omitempty"` // of a folder: a digest of the names that matter
	All   bool   `json:",omitempty"` // of a folder: all names matter, since files are embedded from it
	Head  string `json:",omitempty"` // of a Go file of a package: see head
}

// stampOf returns the present state of a file or folder.
func stampOf(path string, all bool) stamp {
	s := stamp{Path: path, All: all}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		s.Size = -1
		return s
	case info.IsDir():
		s.Names = names(path, all)
	default:
		s.Size = info.Size()
	}
	s.Time = info.ModTime().UnixNano()
	return s
}

// holds reports whether the file or folder is still as it was. A folder in which
// only other files came and went, such as compiled YAML, counts as unchanged.
func (s stamp) holds() bool {
	info, err := os.Stat(s.Path)
	if err != nil {
		return s.Size == -1 && errors.Is(err, fs.ErrNotExist)
	}
	if s.Size == -1 || info.IsDir() != (s.Names != "") {
		return false
	}
	if info.IsDir() {
		return info.ModTime().UnixNano() == s.Time || names(s.Path, s.All) == s.Names
	}
	return info.Size() == s.Size && info.ModTime().UnixNano() == s.Time
}

// since reports whether the file may have been written after a time. Clocks of
// file systems are coarse: some count in seconds.
func (s stamp) since(t time.Time) bool {
	if s.Size == -1 || s.Names != "" {
		return false
	}
	slack := 20 * time.Millisecond
	if s.Time%int64(time.Second) == 0 {
		slack = 2 * time.Second
	}
	return s.Time > t.Add(-slack).UnixNano()
}

// sources are the extensions of files that go takes into a package.
var sources = strings.Fields(".go .c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso .mod")

// names returns a digest of the names in a folder.
func names(dir string, all bool) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "?"
	}
	var b strings.Builder
	for _, e := range entries {
		if all || slices.Contains(sources, filepath.Ext(e.Name())) {
			b.WriteString(e.Name() + "\x00")
		}
	}
	return digest(b.String())[:16]
}
