package components

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/source"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// Load returns the component of a file of KFP's: a component.yaml
// (implementation.container), or what KFP's SDK 2 compiles of one component. KFP
// calls it load_component_from_file, from_text and from_url.
//
//	//go:embed train.yaml
//	var trainYAML []byte
//
//	type TrainIn struct {
//		Data  dsl.Dataset
//		Trees dsl.Param[int]
//	}
//
//	type TrainOut struct{ Model dsl.Model }
//
//	var Train = components.Load[TrainIn, TrainOut](components.Bytes("train.yaml", trainYAML))
//
// The structs must have a field for each input and output, of its type; where
// they differ, that is a mistake of the definition, at the line of the call.
// Defaults, descriptions and which inputs are optional come from the file, unless
// a tag says otherwise. kfpgo gen writes the structs, and a component that needs
// no file.
func Load[In, Out any](src Source, opts ...dsl.Option) *dsl.Component[In, Out] {
	pos := source.Caller()
	if inStep() {
		return dsl.Container("a component that another step runs", func(In, Out) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "none"} })
	}
	leaf, name, err := load(src)
	if err != nil {
		return refused[In, Out](src, pos, err)
	}
	var c *dsl.Component[In, Out]
	switch x := leaf.Exec; {
	case x.Container != nil:
		c = dsl.Container(name, func(In, Out) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: x.Container.Image, Command: slices.Clone(x.Container.Command), Args: slices.Clone(x.Container.Args)}
		}, opts...)
	case x.Go != nil:
		c = dsl.Container(name, func(In, Out) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: x.Go.Image, Command: contract.Command(x.Go.Name), Args: []string{dsl.ExecutorInput}}
		}, opts...)
	case x.Python != nil && len(x.Python.Files) == 0:
		c = dsl.Python[In, Out](name, pythonSource(x.Python), opts...)
	default:
		return refused[In, Out](src, pos, fmt.Errorf("%s: a component of the kind %s that goes along with files; use kfpgo import", src.name, x.Kind()))
	}
	r := record.Of(c)
	r.Pos = pos
	r.Doc = leaf.Doc
	fill(r, leaf, src.name, reflect.TypeFor[In](), reflect.TypeFor[Out]())
	return c
}

// inStep reports whether this process is the container of a step, which needs
// no other component, nor the files to read them from.
func inStep() bool { return len(os.Args) > 1 && os.Args[1] == contract.Exec }

// load reads the component of a source, and its name.
func load(src Source) (*program.Component, string, error) {
	data, err := src.read()
	if err != nil {
		return nil, "", err
	}
	p, err := kfpread.ReadWith(src.name, data, kfpread.Options{ByUse: true})
	if err != nil {
		return nil, "", err
	}
	leaf := p.Leaf()
	if leaf == nil {
		return nil, "", fmt.Errorf("%s: a pipeline of several tasks, or a component with settings of its task; make Go of it with kfpgo gen or kfpgo import", src.name)
	}
	return leaf, p.Component(p.Main).DAG.Tasks[0].Name, nil
}

// refused returns a component that only reports a mistake.
func refused[In, Out any](src Source, pos graph.Pos, err error) *dsl.Component[In, Out] {
	c := dsl.Container("load", func(In, Out) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "none"} })
	r := record.Of(c)
	r.Pos, r.Errors = pos, nil
	for _, line := range strings.Split(err.Error(), "\n") {
		r.Errorf(pos, "components.Load: %s", line)
	}
	return c
}

// pythonSource returns a Python step as package dsl has it.
func pythonSource(py *program.Python) dsl.PythonSource {
	s := dsl.PythonSource{
		Source: py.Source, Function: py.Function, Image: py.Image, Packages: py.Packages, LocalPackages: py.LocalPackages,
		IndexURLs: py.IndexURLs, TrustedHosts: py.TrustedHosts, Venv: py.Venv,
	}
	if k := py.SDK; k != nil {
		s.SDK = dsl.PythonSDK{Version: k.Version, Package: k.Package, InImage: k.None, NoDeps: k.NoDeps, Whole: k.Whole, Form: k.Dialect}
	}
	return s
}
