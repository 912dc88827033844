package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

type runtimeArtifact struct {
	Name string `json:"name,omitempty"`
	Type struct {
		SchemaTitle string `json:"schemaTitle,omitempty"`
	} `json:"type"`
	URI      string         `json:"uri"`
	Metadata map[string]any `json:"metadata,omitempty"`
}

// input writes the executor input of the step and returns it and its file.
func (s *step) input() (json.RawMessage, string, error) {
	var x contract.Input[runtimeArtifact]
	x.Inputs.ParameterValues = s.in.params
	x.Inputs.Artifacts = lists(s.in.arts)
	x.Outputs.Artifacts = lists(s.arts)
	x.Outputs.OutputFile = filepath.Join(s.dir, "output.json")
	x.Outputs.Parameters = map[string]contract.OutputParameter{}
	for _, out := range s.c.Outputs {
		if !out.Type.Artifact {
			x.Outputs.Parameters[out.Name] = contract.OutputParameter{OutputFile: s.parameterFile(out.Name)}
		}
	}
	x.Kfpgo.V, x.Kfpgo.Outputs = contract.Version, contract.Local
	b, err := json.MarshalIndent(x, "", "  ")
	if err != nil {
		return nil, "", err
	}
	file := filepath.Join(s.dir, "input.json")
	return b, file, writeFile(file, b)
}

// parameterFile is where a container writes an output parameter.
func (s *step) parameterFile(name string) string { return filepath.Join(s.dir, "outputs", name) }

func lists(arts map[string][]run.Artifact) map[string]contract.List[runtimeArtifact] {
	out := map[string]contract.List[runtimeArtifact]{}
	for name, as := range arts {
		l := contract.List[runtimeArtifact]{Artifacts: []runtimeArtifact{}}
		for _, a := range as {
			r := runtimeArtifact{Name: a.Name, URI: a.URI, Metadata: a.Metadata}
			r.Type.SchemaTitle = a.Type
			l.Artifacts = append(l.Artifacts, r)
		}
		out[name] = l
	}
	return out
}

// output reads the executor output that a step wrote, or that b holds.
func (s *step) output(b json.RawMessage) (env, error) {
	out := env{params: map[string]json.RawMessage{}, arts: map[string][]run.Artifact{}}
	inProcess, more := b != nil, len(b) > maxOutput
	if b == nil {
		var err error
		if b, more, err = readAtMost(filepath.Join(s.dir, "output.json"), maxOutput); err != nil {
			return out, fmt.Errorf("the step ended without an executor output: %w", err)
		}
	}
	if more {
		return out, fmt.Errorf("the outputs have more than %d bytes together; write large values to the file of an artifact, such as a Dataset, and pass that on", maxOutput)
	}
	if inProcess {
		if err := writeFile(filepath.Join(s.dir, "output.json"), b); err != nil {
			return out, err
		}
	}
	var x contract.Output[runtimeArtifact]
	if err := json.Unmarshal(b, &x); err != nil {
		return out, fmt.Errorf("executor output: %w", err)
	}
	for _, port := range s.c.Outputs {
		v, given := x.ParameterValues[port.Name]
		switch {
		case port.Type.Artifact:
			said := x.Artifacts[port.Name].Artifacts
			for _, a := range said {
				if len(a.Metadata) == 0 {
					continue
				} else if meta, err := json.Marshal(a.Metadata); err != nil || len(meta) > maxParameter {
					return out, errors.Join(err, tooLarge("the metadata of output "+port.Name))
				}
			}
			out.arts[port.Name] = s.made(port.Name, said)
		case len(v) > maxParameter:
			return out, tooLarge("output " + port.Name)
		case given && string(v) != "null":
			out.params[port.Name] = v
		case !port.Optional:
			return out, fmt.Errorf("output %s was never set", port.Name)
		}
	}
	return out, nil
}

// made returns the artifacts of an output, with what the step says about them.
func (s *step) made(name string, said []runtimeArtifact) []run.Artifact {
	arts := s.arts[name]
	for i := range arts {
		if i < len(said) {
			if said[i].URI != "" {
				arts[i].URI = said[i].URI
			}
			arts[i].Metadata = said[i].Metadata
		}
	}
	return arts
}
