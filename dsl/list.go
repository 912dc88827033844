package dsl

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A List is a list of artifacts, such as [CollectedArtifacts] makes: a
// dsl.List[dsl.Model]. Its KFP counterpart is list[Model].
type List[A interface{ artifact() }] struct {
	_   [0]A
	src *record.Value
	run []json.RawMessage
}

// ListOf returns a list of artifacts that are files, for a test that calls
// [Component.Run].
func ListOf[A interface{ artifact() }](artifacts ...A) List[A] {
	l := List[A]{run: []json.RawMessage{}}
	for _, a := range artifacts {
		b, _ := any(&a).(field).store()
		l.run = append(l.run, b)
	}
	return l
}

// All returns the artifacts. Only a running component can call it.
func (l List[A]) All() []A {
	if l.src != nil {
		misused(l.src, "All on %s: the list is known only at run time; use dsl.ParallelForArtifacts", l.src.Describe())
	}
	list := make([]A, len(l.run))
	for i, b := range l.run {
		any(&list[i]).(field).load(b)
	}
	return list
}

// listText returns the placeholder for all of a list, as JSON, in the arguments
// of a container.
func (l List[A]) listText() (string, bool) {
	if l.src == nil || l.src.Kind != record.Placeholder {
		return "", false
	}
	return l.src.Text[0], true
}

func (l List[A]) ref() *record.Value    { return l.src }
func (l *List[A]) value() *record.Value { return l.src }
func (l *List[A]) bind(v *record.Value) {
	l.src, v.Type, v.List = v, artifactType[A]().Name, true
}
func (l *List[A]) typ() (graph.Type, error) {
	t := artifactType[A]()
	t.List = true
	return t, nil
}

// UnmarshalJSON reads a list of artifacts as the record of a run has it.
func (l *List[A]) UnmarshalJSON(b []byte) error { return l.load(b) }

func (l *List[A]) load(b []byte) error { return json.Unmarshal(b, &l.run) }
func (l *List[A]) store() (json.RawMessage, error) {
	if l.run == nil {
		return nil, nil
	}
	return json.Marshal(l.run)
}

func artifactType[A any]() graph.Type {
	t, _ := any(new(A)).(field).typ()
	return t
}
