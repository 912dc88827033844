package kfpread

import (
	"reflect"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// A file is the documents of one, decoded.
type file struct {
	*log
	node, platformNode *node // nil: there is none
	written            *node // the pipeline as the file has it, where node is that in the form of today
	spec               kfpspec.PipelineSpec
	platform           kfpspec.PlatformSpec
	manifest           *program.Manifest
	old                bool // a component of KFP 1: the documents are not those of the file

	// Of a component of KFP 1: the types of its inputs follow from how they are
	// used, and this is its image, if it is set.
	byUse bool
	image string
	doc   string            // its description
	paths map[string]string // of outputs, that the image writes at paths of its own
}

// open distinguishes the kinds of files and decodes the documents.
func open(l *log, docs []*node, o Options) *file {
	f := &file{log: l, byUse: o.ByUse, image: o.Image}
	if len(docs) == 0 {
		l.errorf(nil, "the file is empty")
		return f
	}
	for _, d := range docs {
		if d.kind != object {
			l.errorf(d, "%s, where a pipeline belongs", d.kind)
			return f
		}
	}
	switch first := docs[0]; {
	case first.get("apiVersion") != nil:
		f.objects(docs)
	case first.get("implementation") != nil:
		f.component(docs)
	default:
		f.documents(docs)
	}
	if f.node == nil {
		if len(l.errs) == 0 {
			l.errorf(docs[0], "there is no pipeline in the file")
		}
		return f
	}
	f.written = f.node
	if v := f.node.get("schemaVersion"); v != nil && v.kind == text && v.text == firstSchema {
		f.node = modern(f.node)
	}
	if f.limits(); len(l.errs) > 0 {
		return f
	}
	l.decode(f.node, reflect.ValueOf(&f.spec))
	if f.platformNode != nil {
		l.decode(f.platformNode, reflect.ValueOf(&f.platform))
	}
	f.head()
	return f
}

// documents reads the form that KFP's SDK writes.
func (f *file) documents(docs []*node) {
	if len(docs) > 2 {
		f.errorf(docs[2], "a third document; a file has a pipeline and, after ---, its platform settings")
	}
	first := docs[0]
	if spec := first.get("pipelineSpec"); spec != nil && first.get("root") == nil {
		f.errorf(first, "a job of Vertex AI or of KFP 1.8's v2-compatible mode, not a pipeline: write the value of pipelineSpec to a separate file, and give the values under runtimeConfig with -p")
		return
	}
	f.node = first
	if len(docs) > 1 {
		f.platformNode = docs[1]
	}
}

// objects reads the form of Kubernetes objects: a PipelineVersion, and a Pipeline
// in front of it if there is one.
func (f *file) objects(docs []*node) {
	m := &program.Manifest{}
	for _, d := range docs {
		api, kind := d.get("apiVersion"), d.get("kind")
		switch {
		case api == nil, kind == nil:
			f.errorf(d, "an object without an apiVersion or a kind")
		case strings.HasPrefix(api.text, "argoproj.io/"):
			f.errorf(kind, "an Argo %s, where a pipeline or component of KFP is wanted; kfpgo import, compile, run, vet, graph and diff read it, in a file of its own", kind.text)
		case !strings.HasPrefix(api.text, "pipelines.kubeflow.org/v2beta1"):
			f.errorf(api, "an object of %s, not of pipelines.kubeflow.org/v2beta1", api.text)
		case kind.text == "Pipeline":
			m.Pipeline = d.json()
		case kind.text != "PipelineVersion":
			f.errorf(kind, "a %s, where a PipelineVersion belongs", kind.text)
		case f.node != nil:
			f.errorf(kind, "a second PipelineVersion")
		default:
			f.node, f.platformNode = d.get("spec").get("pipelineSpec"), d.get("spec").get("platformSpec")
			if f.node == nil {
				f.errorf(d, "the PipelineVersion has no spec.pipelineSpec")
			}
			m.Version = d.without("spec", "pipelineSpec").without("spec", "platformSpec").json()
		}
	}
	f.manifest = m
}

// without returns a copy of an object without what is at a path.
func (n *node) without(path ...string) *node {
	if n == nil || n.kind != object {
		return n
	}
	c := &node{kind: object, line: n.line, col: n.col}
	for i, k := range n.keys {
		v := n.items[i]
		if k.text == path[0] {
			if len(path) == 1 {
				continue
			}
			v = v.without(path[1:]...)
		}
		c.keys, c.items = append(c.keys, k), append(c.items, v)
	}
	return c
}

// head checks what each file must have.
func (f *file) head() {
	v := f.node.get("schemaVersion")
	switch {
	case v == nil:
		f.errorf(f.node, "no schemaVersion; is this a pipeline of KFP 2?")
	case f.spec.SchemaVersion != kfpspec.SchemaVersion && v.kind == text:
		f.errorf(v, "schemaVersion %q, and only %s and %s are read; compile the pipeline again with an SDK of KFP 2", v.text, firstSchema, kfpspec.SchemaVersion)
	}
	if f.spec.PipelineInfo.Name == "" {
		f.errorf(f.node.at("pipelineInfo", "name"), "no pipelineInfo.name")
	}
	if f.spec.Root == nil {
		f.errorf(f.node, "no root: the pipeline has no tasks")
	}
}
