package pyfunc

import (
	"errors"
	"fmt"

	"github.com/kfpgo/kfpgo/internal/text/pysrc"
)

// A kind is what a type is for a step.
type kind int

const (
	value     kind = iota // a parameter
	special               // one of a type of package dsl
	artifact              // an artifact
	artifacts             // a list of them
	nothing               // None
)

// A way is how a function gets what a parameter of it is.
type way int

const (
	plain  way = iota // as a value or an artifact
	input             // Input[], InputPath()
	output            // Output[], OutputPath()
)

// A typ is a type that is annotated.
type typ struct {
	kind     kind
	way      way
	path     bool   // InputPath() or OutputPath()
	text     string // in Go; of kinds other than value without the package's name
	optional bool   // None is a value of it
}

// scalars are Python's types with those of Go.
var scalars = map[string]string{"str": "string", "int": "int", "float": "float64", "bool": "bool", "list": "[]any", "List": "[]any", "dict": "map[string]any", "Dict": "map[string]any"}

// artifactTypes are the classes of KFP's SDK with the types of package dsl.
var artifactTypes = map[string]string{"Artifact": "Any", "Dataset": "Dataset", "Model": "Model", "Metrics": "Metrics", "HTML": "HTML", "Markdown": "Markdown",
	"ClassificationMetrics": "ClassificationMetrics", "SlicedClassificationMetrics": "SlicedClassificationMetrics"}

// specials are the types of KFP's SDK with those of package dsl.
var specials = map[string]string{"PipelineTaskFinalStatus": "FinalStatus", "TaskConfig": "TaskConfig"}

var errList = errors.New("a step can't return a list of artifacts; use an artifact that is a folder")

// How deep types and values may be, since names stand for each other, and how many parts
// one may have.
const maxDepth, maxParts = 20, 1000

// typ returns what an annotation is for a step. The error says why it can't be one's.
func (f *File) typ(e *pysrc.Expr, depth int) (typ, error) {
	if f.parts++; depth > maxDepth || f.parts > maxParts {
		return typ{}, errors.New("the type is too deep or too long, or is part of itself")
	}
	if e.Kind == pysrc.Index && len(e.Items) == 0 {
		return typ{}, fmt.Errorf("%s has no type in its brackets", e.Text)
	}
	switch e.Kind {
	case pysrc.Str:
		return f.typ(pysrc.ParseExpr(e.Text, e.Line), depth+1)
	case pysrc.Name:
		return f.named(e, depth)
	case pysrc.Or:
		return f.union(e.Items, depth)
	case pysrc.Call:
		return f.path(e)
	case pysrc.Index:
		switch name := f.lastName(e.Of); name {
		case "Optional":
			t, err := f.typ(e.Items[0], depth+1)
			t.optional = true
			return t, err
		case "Union":
			return f.union(e.Items, depth)
		case "Input", "Output":
			return f.annotated(e, name, depth)
		case "List", "list":
			if t, err := f.typ(e.Items[0], depth+1); err == nil && t == (typ{kind: artifact, text: t.text}) {
				return typ{kind: artifacts, text: t.text}, nil
			}
			fallthrough
		case "Dict", "dict":
			text, err := f.element(e, depth)
			return typ{text: text}, err
		case "EmbeddedInput":
			return typ{}, errors.New("files that go along with a step aren't generated; write the dsl.Python in Go, with Files")
		}
	}
	return typ{}, fmt.Errorf("%s can't be passed between steps; there are str, int, float, bool, list, dict, and KFP's artifacts", e.Text)
}

// named returns what a name is as a type.
func (f *File) named(e *pysrc.Expr, depth int) (typ, error) {
	if c := f.module.Classes[e.Text]; c != nil {
		return typ{}, fmt.Errorf("the class %s can't be passed between steps; pass a dict", e.Text)
	}
	if v := f.module.Values[e.Text]; v != nil {
		return f.typ(v, depth+1)
	}
	name := f.lastName(e)
	switch {
	case scalars[name] != "":
		return typ{text: scalars[name]}, nil
	case artifactTypes[name] != "":
		return typ{kind: artifact, text: artifactTypes[name]}, nil
	case specials[name] != "":
		return typ{kind: special, text: specials[name]}, nil
	case name == "None":
		return typ{kind: nothing}, nil
	case name == "Any" || name == "object":
		return typ{}, fmt.Errorf("%s can't be a parameter; use dict or list, or the type that it has", name)
	}
	return typ{}, fmt.Errorf("%s can't be passed between steps; there are str, int, float, bool, list, dict, and KFP's artifacts", e.Text)
}

// union returns the type that is one or None.
func (f *File) union(items []*pysrc.Expr, depth int) (found typ, err error) {
	n, optional := 0, false
	for _, e := range items {
		t, err := f.typ(e, depth+1)
		switch {
		case err != nil:
			return typ{}, err
		case t.kind == nothing:
			optional = true
		default:
			n++
			found = t
		}
	}
	if n != 1 {
		return typ{}, errors.New("a union can't be passed between steps; use one type, or one and None")
	}
	found.optional = found.optional || optional
	return found, nil
}

// annotated returns what Input[T] and Output[T] are.
func (f *File) annotated(e *pysrc.Expr, name string, depth int) (typ, error) {
	t, err := f.typ(e.Items[0], depth+1)
	if err != nil {
		return typ{}, err
	}
	t.way = map[string]way{"Input": input, "Output": output}[name]
	switch {
	case t.kind != artifact && t.kind != artifacts:
		return typ{}, fmt.Errorf("%s[%s]: %s is for an artifact, such as %s[Dataset]; write the type alone", name, e.Items[0].Text, name, name)
	case t.kind == artifacts && t.way == output:
		return typ{}, errList
	}
	return t, nil
}

// path returns what InputPath(T) and OutputPath(T) are. A type that KFP's SDK doesn't
// know is any artifact, as there.
func (f *File) path(e *pysrc.Expr) (typ, error) {
	name := f.lastName(e.Of)
	if name != "InputPath" && name != "OutputPath" || len(e.Items) > 1 {
		return typ{}, fmt.Errorf("%s can't be passed between steps", e.Text)
	}
	t := typ{kind: artifact, text: artifactTypes["Artifact"]}
	if len(e.Items) == 1 {
		of := e.Items[0]
		if of.Kind == pysrc.Str {
			of = &pysrc.Expr{Kind: pysrc.Name, Line: of.Line, Text: of.Text}
		}
		if got, err := f.typ(of, 0); err == nil && (got.kind == value || got.kind == artifact) {
			t = typ{kind: got.kind, text: got.text}
		} else if e.Items[0].Kind != pysrc.Str {
			return typ{}, fmt.Errorf("%s has no type of a parameter or an artifact; write %s('Dataset')", e.Text, name)
		}
	}
	t.way, t.path = map[string]way{"InputPath": input, "OutputPath": output}[name], true
	return t, nil
}

// element returns a type that is part of a value.
func (f *File) element(e *pysrc.Expr, depth int) (string, error) {
	if e.Kind == pysrc.Name && (f.lastName(e) == "Any" || f.lastName(e) == "object") {
		return "any", nil
	}
	if e.Kind == pysrc.Index {
		switch name := f.lastName(e.Of); {
		case (name == "List" || name == "list") && len(e.Items) == 1 && depth <= maxDepth:
			of, err := f.element(e.Items[0], depth+1)
			return "[]" + of, err
		case (name == "Dict" || name == "dict") && len(e.Items) == 2 && depth <= maxDepth:
			if key, err := f.typ(e.Items[0], depth+1); err != nil || key != (typ{text: "string"}) {
				return "", fmt.Errorf("the keys of %s must be str, as those of JSON are", e.Text)
			}
			of, err := f.element(e.Items[1], depth+1)
			return "map[string]" + of, err
		case name == "List" || name == "list" || name == "Dict" || name == "dict":
			return "", fmt.Errorf("%s has the wrong number of types; write List[int] and Dict[str, int]", e.Text)
		}
	}
	t, err := f.typ(e, depth+1)
	switch {
	case err != nil:
		return "", err
	case t.kind != value || t.way != plain:
		return "", fmt.Errorf("%s can't be part of a value", e.Text)
	case t.optional:
		return "", fmt.Errorf("None can't be part of a value; write Any for %s", e.Text)
	}
	return t.text, nil
}
