package dsl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// written returns an error where a step that has ended did not write an artifact
// that it promised, so that it fails itself and not the next one, which reads it.
// Given is the artifact as the step got it, and made as it leaves it.
func written(f graph.Field, given, made json.RawMessage) error {
	if f.Optional || f.Type.List || given == nil {
		return nil
	}
	var was, is runArtifact
	if err := json.Unmarshal(given, &was); err != nil {
		return fmt.Errorf("output %s: %w", f.Name, err)
	}
	if made != nil {
		if err := json.Unmarshal(made, &is); err != nil {
			return fmt.Errorf("output %s: %w", f.Name, err)
		}
	}
	at := was.path()
	if is.URI != "" && is.URI != was.URI { // the step says that it is elsewhere
		if scheme, _, ok := strings.Cut(is.URI, "://"); ok && scheme != "file" {
			return nil
		}
		at = is.path()
	}
	// One that the step has set metadata of may do without a file: it may stand for
	// something in another system. An empty object, which Argo's input has, and none are the same.
	said := len(was.Metadata)+len(is.Metadata) > 0 && !reflect.DeepEqual(was.Metadata, is.Metadata)
	if !filepath.IsAbs(at) || kfptype.MetadataOnly(f.Type.Name) || said {
		return nil
	}
	if _, err := os.Stat(at); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("output %s was never written: there is no file or folder at %s; write it at the Path of the output, or make the output optional", f.Name, at)
	}
	return nil
}
