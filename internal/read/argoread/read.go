// Package argoread reads Argo Workflows into programs: those that KFP 1 compiled,
// and those that were written by hand.
//
// Every value in a Workflow is a string, and a template sees the arguments of the whole
// Workflow. In a program values have types, which follow from how they are used,
// and a component gets all that it reads. What a program can't say is refused by
// the name of the construct.
package argoread

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

var apiVersion = lazyregexp.New(`(?m)^(?:---[ \t]+)?["']?apiVersion["']?[ \t]*:[ \t]*(?:[|>]-?[ \t]*\n[ \t]*)?["']?argoproj\.io/`)

// comments are what may stand before the first object.
var comments = lazyregexp.New(`^(?:[ \t\r]*(?:#[^\n]*)?\n|---[ \t]*\n)*`)

// Is reports whether the contents of a file are objects of Argo's.
func Is(data []byte) bool {
	data = comments.ReplaceAll(bytes.TrimPrefix(data, []byte("\ufeff")), nil)
	if bytes.HasPrefix(data, []byte("{")) { // JSON, or YAML in its form
		if kfpread.Elements(data) != nil {
			return false // which the other reader refuses, if it is YAML
		}
		var head struct {
			APIVersion string `yaml:"apiVersion"`
		}
		return yaml.Unmarshal(data, &head) == nil && strings.HasPrefix(head.APIVersion, "argoproj.io/")
	}
	return apiVersion.Match(data)
}

// Read reads a program from the objects in a file: one Workflow, WorkflowTemplate,
// ClusterWorkflowTemplate or CronWorkflow, and templates that it refers to.
func Read(name string, data []byte) (p *program.Program, notes []string, err error) {
	return ReadBeside(name, data, nil)
}

// ReadBeside is Read for a file that may refer to templates in the files beside it, each
// of which has a name and its contents.
func ReadBeside(name string, data []byte, beside iter.Seq2[string, []byte]) (p *program.Program, notes []string, err error) {
	l := &log{name: name}
	docs := l.documents(data)
	if len(l.errs) == 0 {
		r := newReader(l)
		r.library.beside = beside
		r.read(docs)
		p, notes = r.p, r.notes
	}
	switch {
	case len(l.errs) == 0:
		return p, notes, nil
	case ours.Match(data):
		return nil, nil, fmt.Errorf("%s: kfpgo compiled this for Argo, in a form that it doesn't read back; give the package, or the output of kfpgo compile --target kfp", name)
	}
	return nil, nil, l.err()
}

// ours are strings that only Workflows of package argo have.
var ours = lazyregexp.New(`/tmp/kfpgo[-/]|\(kfpgo: not given\)|replace\(replace\(toJson\(`)

// documents returns the YAML of a file's objects.
func (l *log) documents(data []byte) []*yaml.Node {
	if err := kfpread.Elements(data); err != nil {
		l.errorf(pos{}, "", "%v", err)
		return nil
	}
	var docs []*yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var n yaml.Node
		err := d.Decode(&n)
		if errors.Is(err, io.EOF) {
			return docs
		}
		if err != nil {
			l.errorf(pos{}, "", "this is not YAML: %v", err)
			return nil
		}
		if len(n.Content) == 1 && n.Content[0].ShortTag() != "!!null" {
			docs = append(docs, n.Content[0])
		}
	}
}
