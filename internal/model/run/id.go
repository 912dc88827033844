package run

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// maxID is how many characters an ID may have: it is the name of a folder, and part
// of the names of containers.
const maxID = 200

var idForm = lazyregexp.New(`^[a-zA-Z0-9][-_.a-zA-Z0-9]*$`)

var noID = lazyregexp.New(`[^-_.a-zA-Z0-9]+`)

// NewID returns an ID for a run of a pipeline that starts at a time.
func NewID(pipeline string, at time.Time) string {
	b := make([]byte, 2)
	rand.Read(b)
	return fmt.Sprintf("%s-%s-%x", IDPart(pipeline), at.UTC().Format("20060102T150405"), b)
}

// IDPart returns the name of a pipeline as the beginning of an ID. A file may hold
// any name.
func IDPart(pipeline string) string {
	part := noID.ReplaceAllString(pipeline, "-")
	if part == "" || !idForm.MatchString(part) {
		part = "run" + part
	}
	return part[:min(len(part), maxID-40)]
}

// CheckID returns an error where an ID can't name the folder of a run.
func CheckID(id string) error {
	if !idForm.MatchString(id) || len(id) > maxID {
		return fmt.Errorf("run ID %q: it is the name of a folder, of at most %d letters, digits, dashes, dots and underscores, with a letter or digit first", id, maxID)
	}
	return nil
}

// MakeDir makes the folder of a new run. An ID that a run has already is an error: its
// record stays.
func MakeDir(home, id string) (string, error) {
	if err := CheckID(id); err != nil {
		return "", err
	}
	dir := filepath.Join(home, "runs", id)
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return "", Unusable(err)
	}
	err := os.Mkdir(dir, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("run ID %s: there is a run of that ID in %s; give another one", id, dir)
	} else if err != nil {
		return "", Unusable(err)
	}
	return dir, nil
}
