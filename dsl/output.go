package dsl

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// write writes the outputs of a component, by name, in the ways that the input
// asks for, and returns the executor output.
func (x *executorInput) write(c *record.Component, values map[string]json.RawMessage) (json.RawMessage, error) {
	out := contract.Output[json.RawMessage]{Artifacts: map[string]artifactList{}, ParameterValues: map[string]json.RawMessage{}}
	for _, f := range c.Outputs {
		b := values[f.Name]
		switch {
		case b == nil:
		case f.Type.List:
			var l artifactList
			if err := json.Unmarshal(b, &l.Artifacts); err != nil {
				return nil, fmt.Errorf("output %s: %w", f.Name, err)
			}
			out.Artifacts[f.Name] = l
		case f.Type.Artifact:
			out.Artifacts[f.Name] = artifactList{Artifacts: []json.RawMessage{b}}
		default:
			out.ParameterValues[f.Name] = b
		}
	}
	b, err := json.Marshal(out)
	if err != nil {
		return nil, err
	}
	if file := x.Outputs.OutputFile; file != "" {
		if err := atomicfile.WriteIn(file, 0o644, b); err != nil {
			return nil, fmt.Errorf("executor output: %w", err)
		}
	}
	if x.Kfpgo.Outputs == contract.Argo {
		err = x.writeCarriers(c, values)
	}
	return b, err
}

// writeCarriers writes a file for each output parameter and for the metadata of
// each artifact. Argo takes the artifacts themselves by path, and one that isn't
// there for a failure, so those that are all metadata get an empty file. One that is
// optional may lack its file there too, as on this machine.
func (x *executorInput) writeCarriers(c *record.Component, values map[string]json.RawMessage) error {
	var errs []error
	for _, f := range c.Outputs {
		b := values[f.Name]
		if !f.Type.Artifact {
			if file := x.Outputs.Parameters[f.Name].OutputFile; file != "" {
				errs = append(errs, atomicfile.WriteIn(file, 0o644, contract.Carrier(b)))
			}
			continue
		}
		told := loaded(x.Outputs.Artifacts[f.Name], false)
		if told == nil {
			continue
		}
		var where struct {
			MetadataFile string `json:"metadataFile"`
		}
		var asked, made runArtifact
		if err := errors.Join(json.Unmarshal(told, &where), json.Unmarshal(told, &asked)); err != nil {
			return fmt.Errorf("output %s: %w", f.Name, err)
		}
		if b != nil {
			if err := json.Unmarshal(b, &made); err != nil {
				return fmt.Errorf("output %s: %w", f.Name, err)
			}
		}
		if where.MetadataFile != "" {
			meta := json.RawMessage("{}")
			if len(made.Metadata) > 0 {
				var err error
				if meta, err = json.Marshal(made.Metadata); err != nil {
					return fmt.Errorf("metadata of output %s: %w", f.Name, err)
				}
			}
			errs = append(errs, atomicfile.WriteIn(where.MetadataFile, 0o644, contract.Carrier(meta)))
		}
		if p := asked.path(); filepath.IsAbs(p) && !f.Optional {
			if _, err := os.Stat(p); errors.Is(err, os.ErrNotExist) {
				errs = append(errs, atomicfile.WriteIn(p, 0o644, nil))
			}
		}
	}
	return errors.Join(errs...)
}
