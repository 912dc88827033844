package dsl

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// An Artifact is a file or folder that tasks pass by URI, with metadata. Its
// type names its kind: a [Model] can't be passed for a [Dataset].
type Artifact[K Kind] struct {
	_   [0]K // so that no conversion changes the kind
	src *record.Value
	run *runArtifact
}

// A runArtifact is an artifact as a running component sees it.
type runArtifact struct {
	Name     string         `json:"name,omitempty"`
	URI      string         `json:"uri"`
	Metadata map[string]any `json:"metadata,omitempty"`

	// CustomPath is where the file is, if that doesn't follow from the URI. It is
	// read only: what a step hands back goes by URI.
	CustomPath string `json:"-"`
}

// path returns where a running component has the file or folder.
func (a *runArtifact) path() string {
	if a.CustomPath != "" {
		return a.CustomPath
	}
	p := localPath(a.URI)
	if a.Metadata["_kfp_workspace"] == true { // KFP has put it in the run's workspace
		p = filepath.Join("/kfp-workspace/.artifacts", p)
	}
	return p
}

// UnmarshalJSON reads the artifact of an executor input.
func (a *runArtifact) UnmarshalJSON(b []byte) error {
	type plain runArtifact
	x := struct {
		*plain
		CustomPath string `json:"customPath"`
	}{plain: (*plain)(a)}
	if err := json.Unmarshal(b, &x); err != nil {
		return err
	}
	a.CustomPath = x.CustomPath
	return nil
}

// File returns an artifact at a path of this machine, for a test that calls
// [Component.Run].
//
//	out, err := Evaluate.Run(t.Context(), EvaluateIn{Model: dsl.File[dsl.Model]("testdata/model.json")})
func File[A interface{ artifact() }, P interface {
	*A
	field
}](path string) A {
	var a A
	b, _ := json.Marshal(runArtifact{URI: path})
	P(&a).load(b)
	return a
}

// Path returns the local path of the artifact, or the placeholder for it in a
// container's arguments.
func (a Artifact[K]) Path() string {
	if a.run != nil {
		p := a.run.path()
		if strings.HasPrefix(a.run.URI, "oci://") && title[K]() == "system.Model" && a.run.CustomPath == "" {
			p += "/models" // where a modelcar image has them
		}
		return p
	}
	return a.placeholder("path")
}

// URI returns where the artifact is stored, or the placeholder for that in a
// container's arguments.
func (a Artifact[K]) URI() string {
	if a.run != nil {
		return a.run.URI
	}
	return a.placeholder("uri")
}

// Given reports whether a running component was given the artifact, for inputs
// that are optional. In a pipeline use the function [Given].
func (a Artifact[K]) Given() bool {
	if a.src != nil {
		misused(a.src, "Given on %s: that is known only at run time; use dsl.If and dsl.Given", a.src.Describe())
	}
	return a.run != nil && a.run.path() != ""
}

// Create creates the file at Path, and the folders above it.
func (a Artifact[K]) Create() (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(a.Path()), 0o755); err != nil {
		return nil, err
	}
	return os.Create(a.Path())
}

// Open opens the file at Path.
func (a Artifact[K]) Open() (*os.File, error) { return os.Open(a.Path()) }

// Metadata returns a property of an artifact that a running component reads, or
// the placeholder for it in a container's arguments.
func (a Artifact[K]) Metadata(key string) any {
	if a.run == nil {
		if a.src != nil && a.src.Kind == record.Placeholder {
			if strings.ContainsAny(key, "'{}") {
				return record.Bad(fmt.Sprintf("Metadata(%q): a container can't have a property of that name", key))
			}
			return a.placeholder("metadata['" + key + "']")
		}
		if a.src != nil {
			misused(a.src, "Metadata of %s: it is known only at run time; read it inside a component", a.src.Describe())
		}
		return nil
	}
	return a.run.Metadata[key]
}

// MetadataJSON returns all properties as the text of a JSON object, or the
// placeholder for that in a container's arguments.
func (a Artifact[K]) MetadataJSON() string {
	switch {
	case a.run == nil:
		return a.placeholder("metadata")
	case a.run.Metadata == nil:
		return "{}"
	}
	return jsonOf(a.run.Metadata)
}

// SetMetadata records a property of an output artifact.
func (a Artifact[K]) SetMetadata(key string, value any) {
	if a.run == nil {
		if a.src != nil {
			misused(a.src, "SetMetadata on %s: metadata is set by the running component", a.src.Describe())
		}
		return
	}
	if a.run.Metadata == nil {
		a.run.Metadata = map[string]any{}
	}
	a.run.Metadata[key] = value
}

// Any returns the artifact without its kind, for components that take any.
func (a Artifact[K]) Any() Any { return Any{src: a.src, run: a.run} }

func (a Artifact[K]) placeholder(property string) string {
	if a.src == nil {
		return record.Bad(property + " of an artifact that is not set")
	}
	if a.src.Kind != record.Placeholder {
		misused(a.src, "%s of %s: a pipeline passes artifacts on whole; read the %s inside a component", property, a.src.Describe(), property)
		return ""
	}
	return strings.TrimSuffix(a.src.Text[0], "}}") + "." + property + "}}"
}

func (a Artifact[K]) artifact()             {}
func (a Artifact[K]) ref() *record.Value    { return a.src }
func (a *Artifact[K]) value() *record.Value { return a.src }
func (a *Artifact[K]) bind(v *record.Value) { a.src, v.Type = v, title[K]() }
func (a *Artifact[K]) typ() (graph.Type, error) {
	var k K
	name, version := k.Schema()
	return graph.Type{Name: name, Version: version, Artifact: true}, nil
}

// UnmarshalJSON reads an artifact as the record of a run has it.
func (a *Artifact[K]) UnmarshalJSON(b []byte) error { return a.load(b) }

func (a *Artifact[K]) load(b []byte) error { a.run = new(runArtifact); return json.Unmarshal(b, a.run) }
func (a *Artifact[K]) store() (json.RawMessage, error) {
	if a.run == nil {
		return nil, nil
	}
	return json.Marshal(a.run)
}

func title[K Kind]() string {
	var k K
	name, _ := k.Schema()
	return name
}
