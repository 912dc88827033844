package dsl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/host/atomicfile"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// passOn runs contract.HandOn: its output is its input. Artifacts become a list of structs that
// say where they are, and such a struct becomes an artifact again, which is not copied.
func passOn(input json.RawMessage) error {
	x, err := parseInput(input)
	if err != nil {
		return err
	}
	value := bytes.TrimSpace(x.Inputs.ParameterValues[contract.Handed])
	if list, ok := x.Inputs.Artifacts[contract.Handed]; ok {
		all := make([]runArtifact, len(list.Artifacts))
		for i, b := range list.Artifacts {
			if err := json.Unmarshal(b, &all[i]); err != nil {
				return fmt.Errorf("input %s: artifact %d: %w", contract.Handed, i, err)
			}
			all[i].Name = "" // in ML Metadata: the next one gets its own
		}
		if value, err = json.Marshal(all); err != nil {
			return err
		}
	}
	if len(value) == 0 || string(value) == "null" {
		return errors.New("input " + contract.Handed + " was not given")
	}
	if made := loaded(x.Outputs.Artifacts[contract.Beside], false); made != nil {
		if value, err = rootOf(made, value); err != nil {
			return err
		}
	}
	out := graph.Field{Name: contract.Handed}
	if made := loaded(x.Outputs.Artifacts[contract.Handed], false); made != nil {
		out.Type.Artifact = true
		if value, err = there(made, value); err != nil {
			return fmt.Errorf("output %s: %w", contract.Handed, err)
		}
	}
	c := &record.Component{Component: graph.Component{Outputs: []graph.Field{out}}}
	_, err = x.write(c, map[string]json.RawMessage{contract.Handed: value})
	return err
}

// rootOf returns the folder of the run's artifacts: what comes before the folder of a step
// in the URI of an artifact that KFP asks it for.
func rootOf(asked, folder json.RawMessage) (json.RawMessage, error) {
	var at runArtifact
	var name string
	if err := errors.Join(json.Unmarshal(asked, &at), json.Unmarshal(folder, &name)); err != nil {
		return nil, err
	}
	i := strings.LastIndex(at.URI, name)
	if i < 0 {
		return nil, fmt.Errorf("the folder of the run's artifacts: the artifact %s of this step is in no folder %s", at.URI, name)
	}
	if err := atomicfile.WriteIn(at.path(), 0o644, []byte(at.URI[:i])); err != nil { // an artifact has a file
		return nil, fmt.Errorf("output %s: %w", contract.Beside, err)
	}
	return json.Marshal(at.URI[:i])
}

// there returns the artifact that KFP asks for with the place of another one. KFP's
// launcher looks for it in the bucket of the run.
func there(asked, other json.RawMessage) (json.RawMessage, error) {
	var made, at runArtifact
	if err := errors.Join(json.Unmarshal(asked, &made), json.Unmarshal(other, &at)); err != nil {
		return nil, err
	}
	if a, b := bucket(made.URI), bucket(at.URI); b != "" && a != b {
		return nil, fmt.Errorf("the artifact %s is not in the bucket of the run, %s, where KFP stores the outputs of steps: copy it in a step, and loop over the copies", at.URI, a)
	}
	at.Name = made.Name
	return json.Marshal(at)
}

// bucket returns the bucket of a URI that KFP's launcher reads and writes, or "".
func bucket(uri string) string {
	scheme, rest, _ := strings.Cut(uri, "://")
	if !slices.Contains([]string{"minio", "s3", "gs"}, scheme) {
		return ""
	}
	name, _, _ := strings.Cut(rest, "/")
	return scheme + "://" + name
}
