package suite

import (
	"context"
	"errors"
	"io/fs"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
)

type DraftIn struct {
	Write dsl.Param[string] `kfp:",optional"`
}

type DraftOut struct {
	Data dsl.Dataset `kfp:",optional"`
}

// draft writes its artifact if it is given what to write.
var draft = dsl.Func("draft", func(_ context.Context, in DraftIn, out *DraftOut) error {
	text, ok := in.Write.Lookup()
	if !ok {
		return nil
	}
	return os.WriteFile(out.Data.Path(), []byte(text), 0o644)
})

var pyDraft = dsl.Python[DraftIn, DraftOut]("py-draft", dsl.PythonSource{Source: source, Function: "draft", Image: "registry.local/python:1"})

func content(file string) (string, error) {
	b, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return "no file", nil
	}
	return "file " + string(b), err
}

type LooseIn struct {
	Data dsl.Dataset `kfp:",optional"`
}

// loose reads an artifact that it may lack.
var loose = dsl.Func("loose", func(_ context.Context, in LooseIn, out *Text) error {
	text, err := content(in.Data.Path())
	out.Text.Set(text)
	return err
})

type StrictIn struct{ Data dsl.Dataset }

// strict reads an artifact that it has to have, and looks for itself.
var strict = dsl.Func("strict", func(_ context.Context, in StrictIn, out *Text) error {
	text, err := content(in.Data.Path())
	out.Text.Set(text)
	return err
})

// looks is for a container that gets an artifact that may not be written.
var looks = dsl.Container("looks", func(in LooseIn, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   busybox,
		Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; if [ -e "$1" ]; then printf 'file %s' "$(cat "$1")"; else printf 'no file'; fi >"$0"`},
		Args:    dsl.Args(out.Text.Path(), in.Data.Path()),
	}
})

var pyLooks = dsl.Python[LooseIn, Text]("py-looks", dsl.PythonSource{Source: source, Function: "looks", Image: "registry.local/python:1"})

// drafts is a pipeline that hands its artifact on, if there is one.
var drafts = dsl.Pipeline("drafts", func(s *dsl.Scope, in DraftIn) DraftOut {
	return DraftOut{draft.Call(s, in).Out.Data}
})

// DraftedOut has what each kind of reader found.
type DraftedOut struct {
	Loose, Strict, Container, Python, FromPython, Nested dsl.Param[string]
}

// Drafted passes an optional artifact, written or not, to each kind of reader.
var Drafted = dsl.Pipeline("drafted", func(s *dsl.Scope, in DraftIn) DraftedOut {
	data := draft.Call(s, in).Out.Data
	return DraftedOut{
		Loose: loose.Call(s, LooseIn{data}).Out.Text, Strict: strict.Call(s, StrictIn{data}).Out.Text,
		Container: looks.Call(s, LooseIn{data}).Out.Text, Python: pyLooks.Call(s, LooseIn{data}).Out.Text,
		FromPython: loose.Call(s, LooseIn{pyDraft.Call(s, in).Out.Data}).Out.Text,
		Nested:     loose.Call(s, LooseIn{drafts.Call(s, in).Out.Data}).Out.Text,
	}
})

// variable says what the variable A is.
var variable = dsl.Func("variable", func(_ context.Context, _ dsl.None, out *Text) error {
	text, ok := os.LookupEnv("A")
	if !ok {
		text = "unset"
	}
	out.Text.Set(text)
	return nil
})

// handed gives an optional input to a step and to a variable.
var handed = dsl.Pipeline("handed", func(s *dsl.Scope, in MaybeIn) HandedOut {
	return HandedOut{Maybe.Call(s, in).Out.Text, variable.Call(s, dsl.None{}, dsl.Env("A", in.Text)).Out.Text}
})

type HandedOut struct{ Text, Variable dsl.Param[string] }

// Handed hands an optional input through a pipeline that is called.
var Handed = dsl.Pipeline("handed-through", func(s *dsl.Scope, in MaybeIn) HandedOut { return handed.Call(s, in).Out })
