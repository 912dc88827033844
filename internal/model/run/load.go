package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/nulls"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// Load reads the record of a run from its folder.
func Load(dir string) (*Run, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	b, err := os.ReadFile(filepath.Join(dir, "run.json"))
	if err != nil {
		return nil, err
	}
	r, err := Read(b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, "run.json"), err)
	}
	if r.Schema > Schema {
		return nil, fmt.Errorf("%s: it was written by a later kfpgo", dir)
	}
	r.Dir = dir
	return r, nil
}

// Tail returns the last bytes of a log, at most so many of those that are there now; ""
// for one that can't be read.
func Tail(file string, most int64) string {
	f, err := os.Open(file)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > most {
		f.Seek(-most, io.SeekEnd)
	}
	b, _ := io.ReadAll(io.LimitReader(f, 2*most))
	return string(b)
}

// Read reads the JSON of a record. The numbers in metadata keep their digits.
func Read(b []byte) (*Run, error) {
	r := &Run{}
	if err := jsontext.Decode(b, r); err != nil {
		return nil, fmt.Errorf("this is not the record of a run: %w", err)
	}
	if err := nulls.Check(r); err != nil {
		return nil, fmt.Errorf("this is not the record of a run: %w", err)
	}
	return r, nil
}

// Find reads the record of the run with an ID, or the beginning of one that no other
// run has, below a home folder. A path of a run's folder will do too.
func Find(home, id string) (*Run, error) {
	if strings.ContainsRune(id, filepath.Separator) || id == "." {
		r, err := Load(id)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not the folder of a run", id)
		}
		return r, err
	}
	entries, err := os.ReadDir(filepath.Join(home, "runs"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, Unusable(err)
	}
	var found []string
	for _, e := range entries {
		if e.Name() == id {
			return Load(filepath.Join(home, "runs", id))
		}
		if id != "" && strings.HasPrefix(e.Name(), id) && e.IsDir() {
			found = append(found, e.Name())
		}
	}
	slices.Sort(found)
	switch len(found) {
	case 0:
		return nil, fmt.Errorf("there is no run %s in %s", id, filepath.Join(home, "runs"))
	case 1:
		return Load(filepath.Join(home, "runs", found[0]))
	}
	return nil, fmt.Errorf("%s is the beginning of %d runs: %s", id, len(found), strings.Join(found, ", "))
}

// LocalPath is the path of an artifact on this machine, or its URI.
func LocalPath(uri string) string {
	if u, ok := strings.CutPrefix(uri, "file://"); ok {
		if p, err := url.PathUnescape(u); err == nil && strings.Contains(u, "%") {
			if _, err := os.Stat(u); err != nil {
				return p
			}
		}
		return u
	}
	return uri
}
