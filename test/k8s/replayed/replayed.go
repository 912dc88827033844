// Package replayed has a pipeline whose steps fail, each in its way.
package replayed

import (
	"context"
	"fmt"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
)

type MadeOut struct {
	Number dsl.Param[int]
	Words  dsl.Param[[]string]
	Data   dsl.Dataset
}

// Made makes what the others read.
var Made = dsl.Func("made", func(_ context.Context, _ struct{}, out *MadeOut) error {
	out.Number.Set(41)
	out.Words.Set([]string{"it's", "{{ $x }}", "ü😀"})
	out.Data.SetMetadata("rows", 3)
	return os.WriteFile(out.Data.Path(), []byte("a\nb\nc\n"), 0o644)
})

type In struct {
	Number dsl.Param[int]
	Word   dsl.Param[string]
}

// Odd fails with what it was given.
var Odd = dsl.Func("odd", func(_ context.Context, in In, _ *struct{}) error {
	if in.Word.Get() == "it's" {
		return nil
	}
	return fmt.Errorf("%d is odd, said %q to %s", in.Number.Get(), in.Word.Get(), os.Getenv("WHO"))
})

type ReadIn struct {
	Data  dsl.Dataset
	Words dsl.Param[[]string]
}

// Read fails with what the file holds.
var Read = dsl.Func("read", func(_ context.Context, in ReadIn, _ *struct{}) error {
	b, err := os.ReadFile(in.Data.Path())
	if err != nil {
		return err
	}
	return fmt.Errorf("read %q with %v rows and %q", b, in.Data.Metadata("rows"), in.Words.Get())
})

type PythonIn struct{ Number dsl.Param[int] }

// Python fails in Python.
var Python = dsl.Python[PythonIn, dsl.None]("python", dsl.PythonSource{
	Source:   "def python(number: int):\n    raise ValueError('no %d' % number)\n",
	Function: "python", Image: "registry.local/python:1",
})

type ToolIn struct {
	Number dsl.Param[int]
	Data   dsl.Dataset
}

// Tool is a container that ends with a code of its own.
var Tool = dsl.Container("tool", func(in ToolIn, _ dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   "registry.local/busybox:1",
		Command: []string{"sh", "-c", `echo "$(wc -l <"$1") lines, not $0" >&2; exit 7`},
		Args:    dsl.Args(in.Number, in.Data.Path()),
	}
})

var Pipeline = dsl.Pipeline("replayed", func(s *dsl.Scope, _ struct{}) struct{} {
	made := Made.Call(s, struct{}{})
	dsl.ParallelFor(s, made.Out.Words, func(s *dsl.Scope, word dsl.Param[string]) struct{} {
		Odd.Call(s, In{Number: made.Out.Number, Word: word}, dsl.Env("WHO", word))
		return struct{}{}
	})
	Read.Call(s, ReadIn{Data: made.Out.Data, Words: made.Out.Words})
	Python.Call(s, PythonIn{Number: made.Out.Number})
	Tool.Call(s, ToolIn{Number: made.Out.Number, Data: made.Out.Data})
	return struct{}{}
})
