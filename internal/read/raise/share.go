package raise

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A class is components that are equal, and so one Go variable.
type class struct {
	*program.Component
	base string // the name that its tasks have, but for their number

	name            string // in the language
	stem            string // the Go name
	inType, outType string
	ins, outs       map[string]*port

	root *scope // of a pipeline

	ready    bool // it is one of package k8s, or an import
	uncached bool // a task calls it without caching
}

// A port is an input or output of a class.
type port struct {
	*program.Port
	typ   *typ   // of a parameter
	field string // of the Go struct
}

var numbered = lazyregexp.New(`^(.*)-([0-9]+)$`)

// base returns the name of the component of a task: that of the task without the
// number that the compiler gave it. Siblings are the hashes of the components of
// all tasks of the pipeline by task: without the number it must be one of them,
// and the same component.
func base(task, hash string, siblings map[string]string) string {
	m := numbered.FindStringSubmatch(task)
	if m == nil {
		return task
	}
	if n, err := strconv.Atoi(m[2]); err != nil || n < 2 || strconv.Itoa(n) != m[2] {
		return task
	}
	if siblings[m[1]] == hash {
		return m[1]
	}
	return task
}

// hash returns the hash of what a component is, whatever it is called.
func (b *builder) hash(name string) string {
	if h, ok := b.hashes[name]; ok {
		return h
	}
	c := b.p.Component(name)
	if c == nil {
		return ""
	}
	b.hashes[name] = name // ends a cycle, should there be one
	plain := *c
	plain.Name, plain.Title, plain.Key, plain.Label, plain.Pos = "", "", "", "", graph.Pos{}
	if c.DAG != nil {
		dag := *c.DAG
		dag.Tasks = nil
		for _, t := range c.DAG.Tasks {
			task := *t
			task.Pos, task.Component = graph.Pos{}, b.hash(t.Component)
			dag.Tasks = append(dag.Tasks, &task)
		}
		plain.DAG = &dag
	}
	j, err := json.Marshal(&plain)
	if err != nil {
		b.errorf(c.Pos, "component %s: %v", name, err)
	}
	h := fmt.Sprintf("%x", sha256.Sum256(j))
	b.hashes[name] = h
	return h
}

// class returns the class of the component that a task calls.
func (b *builder) class(t *program.Task, siblings map[string]string) *class {
	c := b.p.Component(t.Component)
	if c == nil {
		b.taskErrorf(t, "there is no component %q", t.Component)
		return nil
	}
	h := b.hash(c.Name)
	name := base(t.Name, h, siblings)
	if c.Title != "" { // the file names the component
		name = c.Title
	}
	if cl, ok := b.classes[name+" "+h]; ok {
		return cl
	}
	if c.DAG != nil {
		cl := b.pipeline(c, name)
		b.classes[name+" "+h] = cl
		return cl
	}
	cl := b.newClass(c, name)
	b.classes[name+" "+h] = cl
	b.order = append(b.order, cl)
	return cl
}

// replaced returns a placeholder in a constant that a run would replace, or "".
func replaced(constant json.RawMessage) string {
	for _, p := range placeholder.Parse(string(constant)) {
		if p.Kind == placeholder.Run && !strings.HasPrefix(p.Name, "pipeline_google_cloud_") { // those are Vertex AI's own
			return p.String()
		}
	}
	return ""
}

func (b *builder) newClass(c *program.Component, name string) *class {
	cl := &class{Component: c, base: name, ins: map[string]*port{}, outs: map[string]*port{}}
	add := func(ports []program.Port, to map[string]*port) {
		for i := range ports {
			plain := ports[i]
			plain.Default = number(plain.Type.Name, plain.Default)
			if text := replaced(plain.Default); text != "" {
				b.errorf(c.Pos, "component %s: the default of %s has %s in it, which KFP's servers pass on unchanged: the language has constants for defaults; in the file, leave the default out, and give the value to each run or task", c.Name, plain.Name, text)
			}
			p := &port{Port: &plain}
			if !p.Type.Artifact {
				p.typ = b.declared(p.Type)
				p.typ.hint = p.Name
				if p.Default != nil {
					p.typ.samples = append(p.typ.samples, p.Default)
				}
			}
			to[p.Name] = p
		}
	}
	add(c.Inputs, cl.ins)
	add(c.Outputs, cl.outs)
	cl.ready = b.known(cl)
	return cl
}
