package main

import "fmt"

// The same pipeline in Go and in Python: a chain of containers, each of which
// adds a number to the result of the one before.

const goPipeline = `package %[1]s

import "github.com/kfpgo/kfpgo/dsl"

type AddIn struct{ A, B dsl.Param[float64] }

type AddOut struct{ Sum dsl.Param[float64] }

var add = dsl.Container("add", func(in AddIn, out AddOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: "busybox:1.36", Command: []string{"/add"}, Args: dsl.Args(in.A, in.B, out.Sum.Path())}
})

type ChainIn struct{ A dsl.Param[float64] }

type ChainOut struct{ Sum dsl.Param[float64] }

var Pipeline = dsl.Pipeline("chain", func(s *dsl.Scope, in ChainIn) ChainOut {
	last := in.A
	for i := range %[2]d {
		last = add.Call(s, AddIn{A: last, B: dsl.Const(float64(i) + 0.5)}, dsl.CPU("1"), dsl.Memory("1Gi")).Out.Sum
	}
	return ChainOut{Sum: last}
})
`

const goMain = `package main

import (
	"fmt"
	"os"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

func main() {
	dsl.Init(Pipeline)
	yaml, err := compiler.Compile(Pipeline, compiler.KFP)
	if err == nil {
		err = os.WriteFile(os.Args[1], yaml, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
`

const pyPipeline = `from typing import NamedTuple

from kfp import dsl


@dsl.container_component
def add(a: float, b: float, sum: dsl.OutputPath(float)):
    return dsl.ContainerSpec(image='busybox:1.36', command=['/add'], args=[a, b, sum])


@dsl.pipeline(name='chain')
def chain(a: float) -> NamedTuple('Out', [('sum', float)]):
    last = a
    for i in range(%d):
        last = add(a=last, b=i + 0.5).set_cpu_limit('1').set_memory_limit('1Gi').outputs['sum']
    return NamedTuple('Out', [('sum', float)])(last)
`

// edited is a file that is new each time.
func edited(pkg string, n int) string {
	return fmt.Sprintf("package %s\n\nconst edited = %d\n", pkg, n)
}
