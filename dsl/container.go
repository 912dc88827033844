package dsl

import (
	"fmt"
	"path"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
)

// ProgramImage stands for the image of this program, in a container or in the
// manifest of a [Resource] that runs it, such as a server for the model.
const ProgramImage = "{{kfpgo.program-image}}"

// A ContainerSpec is what a container component runs. The strings may hold
// placeholders: inputs format as theirs, and the Path of an output is one.
type ContainerSpec struct {
	Image   string
	Command []string
	Args    []string
	Outputs []OutputFile // that the image writes at paths of its own
}

// Container returns a component that runs a command in an image. Its KFP
// counterparts are @dsl.container_component, and ContainerOp in v1.
//
//	var Train = dsl.Container("train", func(in TrainIn, out TrainOut) dsl.ContainerSpec {
//		return dsl.ContainerSpec{
//			Image: "ghcr.io/acme/train:1.4",
//			Args:  dsl.Args("--images", in.Images.Path(), "--epochs", in.Epochs, "--model", out.Model.Path()),
//		}
//	})
func Container[In, Out any](name string, spec func(In, Out) ContainerSpec, opts ...Option) *Component[In, Out] {
	c := newComponent[In, Out](graph.Container, name, opts)
	got := describe(c, spec)
	for _, t := range append(append([]*string{&got.Image}, pointers(got.Command)...), pointers(got.Args)...) {
		*t = record.RunText(*t)
	}
	c.c.Container = &graph.ContainerSpec{Image: got.Image, Command: got.Command, Args: got.Args}
	c.checkText(append(append([]string{got.Image}, got.Command...), got.Args...)...)
	if got.Image == "" {
		c.c.Errorf(c.c.Pos, "component %s: no image", name)
	} else if err := imageRef.Check(graph.InImage.ReplaceAllString(got.Image, "x")); err != nil {
		c.c.Errorf(c.c.Pos, "component %s: %v", name, err)
	}
	for _, o := range got.Outputs {
		c.outputAt(o)
	}
	return c
}

func pointers(texts []string) []*string {
	ps := make([]*string, len(texts))
	for i := range texts {
		ps[i] = &texts[i]
	}
	return ps
}

// describe calls spec with placeholders for the inputs and outputs.
func describe[In, Out, Spec any](c *Component[In, Out], spec func(In, Out) Spec) (got Spec) {
	defer func() {
		if r := recover(); r != nil {
			c.c.Errorf(source.Caller(), "component %s: panic: %v", c.c.Name, r)
		}
	}()
	var in In
	var out Out
	for _, f := range c.c.Inputs {
		c.input(&in, f).bind(c.placeholder("inputs", f))
	}
	for _, f := range c.c.Outputs {
		c.output(&out, f).bind(c.placeholder("outputs", f))
	}
	return spec(in, out)
}

func (c *Component[In, Out]) placeholder(dir string, f graph.Field) *record.Value {
	group := "parameters"
	if f.Type.Artifact {
		group = "artifacts"
	}
	ref := fmt.Sprintf("$.%s.%s['%s']", dir, group, f.Name)
	p := &record.Value{Kind: record.Placeholder, Name: f.Name, Owner: c.c, Text: []string{"{{" + ref + "}}"}, Output: dir == "outputs"}
	if p.Output && !f.Type.Artifact {
		p.Path = "{{" + ref + ".output_file}}"
	}
	return p
}

func (c *Component[In, Out]) checkText(texts ...string) {
	for _, t := range texts {
		if msg, bad := record.Misused(t); bad {
			c.c.Errorf(c.c.Pos, "component %s: %s", c.c.Name, msg)
		}
	}
}

// An OutputFile is an output and the path where an image writes it.
type OutputFile struct {
	output *record.Value
	path   string
	pos    graph.Pos
}

// OutputAt says that the image writes an output parameter or artifact, file or
// folder, at a path of its own, for images that don't take a path as an argument. Its KFP v1
// counterpart is file_outputs.
//
//	return dsl.ContainerSpec{
//		Image:   "docker.io/acme/bench:2",
//		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Score, "/results/score.txt")},
//	}
func OutputAt(out Input, path string) OutputFile { return OutputFile{out.ref(), path, source.Caller()} }

func (c *Component[In, Out]) outputAt(o OutputFile) {
	if o.output == nil || o.output.Owner != c.c || !o.output.Output {
		c.c.Errorf(o.pos, "component %s: OutputAt takes one of its own outputs", c.c.Name)
		return
	}
	if !path.IsAbs(o.path) || path.Clean(o.path) == "/" {
		c.c.Errorf(o.pos, "component %s: OutputAt(%q): not an absolute path of a file or folder", c.c.Name, o.path)
	}
	for i := range c.c.Outputs {
		if f := &c.c.Outputs[i]; f.Name == o.output.Name {
			f.Path = path.Clean(o.path)
		} else if f.Path == path.Clean(o.path) {
			c.c.Errorf(o.pos, "component %s: outputs %s and %s are both at %s", c.c.Name, f.Name, o.output.Name, f.Path)
		}
	}
}

// Args returns its arguments as strings, for a [ContainerSpec].
func Args(args ...any) []string {
	ss := make([]string, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case fmt.Stringer:
			ss[i] = a.String()
		case interface{ listText() (string, bool) }:
			var ok bool
			if ss[i], ok = a.listText(); !ok {
				ss[i] = record.Bad(fmt.Sprintf("argument %d is a list of artifacts of a pipeline; a container takes those of its own inputs", i+1))
			}
		case Input:
			ss[i] = record.Bad(fmt.Sprintf("argument %d is an artifact; use its Path or URI", i+1))
		default:
			ss[i] = text(a)
		}
	}
	return ss
}
