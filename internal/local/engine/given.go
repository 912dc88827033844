package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// givenArtifacts reads what a pipeline was given for an artifact input: a path or
// URI, or an object with that and metadata; for a list, a JSON list of those.
func givenArtifacts(port *program.Port, v json.RawMessage) ([]run.Artifact, error) {
	each := []json.RawMessage{v}
	if port.Type.List {
		each = nil
		if err := json.Unmarshal(v, &each); err != nil {
			return nil, fmt.Errorf("a list of artifacts is given as a JSON list of paths or URIs, not %s", v)
		}
	}
	as := make([]run.Artifact, len(each))
	var errs []error
	for i, v := range each {
		a := run.Artifact{Name: port.Name}
		if err := json.Unmarshal(v, &a.URI); err != nil && (json.Unmarshal(v, &a) != nil || a.URI == "") {
			return nil, fmt.Errorf("an artifact is given as a path or URI, not %s", v)
		}
		a.Type = port.Type.Name
		if !strings.Contains(a.URI, "://") {
			abs, err := filepath.Abs(a.URI)
			if err == nil {
				_, err = os.Stat(abs)
			}
			errs = append(errs, err)
			a.URI = "file://" + abs
		}
		as[i] = a
	}
	return as, errors.Join(errs...)
}
