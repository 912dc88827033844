package suite

import "github.com/kfpgo/kfpgo/dsl"

const busybox = "registry.local/busybox:1"

type ToolIn struct {
	Text dsl.Param[string]
	N    dsl.Param[int]
	Flag dsl.Param[string] `kfp:",optional"`
}

type ToolOut struct {
	Args  dsl.Param[string]
	Count dsl.Param[int]
}

// Tool prints its arguments to a file, one a line, and counts them.
var Tool = dsl.Container("tool", func(in ToolIn, out ToolOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   busybox,
		Command: []string{"sh", "-ec", `out=$0; mkdir -p "$(dirname "$out")"; for a; do printf '%s\n' "$a"; done >"$out"; echo $# >/tmp/count`},
		Args:    dsl.Args(out.Args.Path(), in.Text, "--n="+in.N.String(), dsl.IfPresent(in.Flag, "--flag", in.Flag).Else("--no-flag"), "$(HOME) {{x}}", dsl.Concat("a-", in.N)),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Count, "/tmp/count")},
	}
})

type ToolsOut struct {
	First, Second dsl.Param[string]
	Counts        dsl.Param[[]int]
}

// Tools runs a command with awkward arguments.
var Tools = dsl.Pipeline("tools", func(s *dsl.Scope, _ dsl.None) ToolsOut {
	text := Echo.Call(s, Text{dsl.Const(awkward)}).Out.Text
	first := Tool.Call(s, ToolIn{Text: text, N: dsl.Const(5)})
	second := Tool.Call(s, ToolIn{Text: dsl.Const(""), N: first.Out.Count, Flag: dsl.Const("f g")})
	return ToolsOut{first.Out.Args, second.Out.Args, numbersOf.Call(s, SumIn{dsl.Items(first.Out.Count, second.Out.Count)}).Out.Ns}
})

// listed prints a list.
var listed = dsl.Container("listed", func(in SumIn, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image:   busybox,
		Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; printf %s "$1" >"$0"`},
		Args:    dsl.Args(out.Text.Path(), in.Ns),
	}
})

// Listed passes a list with numbers of steps in it to a command.
var Listed = dsl.Pipeline("listed", func(s *dsl.Scope, _ dsl.None) Text {
	n := Add1.Call(s, Int{dsl.Const(41)}).Out.N
	return listed.Call(s, SumIn{dsl.Items(n, dsl.Const(1), n)}).Out
})

type ConvertIn struct{ Data dsl.Dataset }

type ConvertOut struct {
	Upper  dsl.Dataset
	Folder dsl.Dataset
	Name   dsl.Param[string]
	Meta   dsl.Param[string]
}

// Convert reads a file and writes a file and a folder.
var Convert = dsl.Container("convert", func(in ConvertIn, out ConvertOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: busybox,
		Command: []string{"sh", "-ec", `
			mkdir -p "$(dirname "$1")" "$(dirname "$3")" "$(dirname "$5")" /tmp/folder/sub
			tr a-z A-Z <"$0" >"$1"
			cp "$0" /tmp/folder/sub/x
			basename "$2" | tr -d '\n' >"$3"
			printf %s "$4" >"$5"`},
		Args:    dsl.Args(in.Data.Path(), out.Upper.Path(), in.Data.URI(), out.Name.Path(), in.Data.MetadataJSON(), out.Meta.Path()),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Folder, "/tmp/folder")},
	}
})

type ConvertedOut struct{ Upper, Folder, Name, Meta dsl.Param[string] }

// Converts passes files through a command.
var Converts = dsl.Pipeline("converts", func(s *dsl.Scope, _ dsl.None) ConvertedOut {
	out := Convert.Call(s, ConvertIn{Write.Call(s, Text{dsl.Const("abc\nü")}).Out.Data}).Out
	return ConvertedOut{
		Read.Call(s, ReadIn{out.Upper}).Out.Text, Read.Call(s, ReadIn{out.Folder}).Out.Text, out.Name, out.Meta,
	}
})

type VariablesOut struct {
	Text dsl.Param[string]
}

var variables = dsl.Container("variables", func(_ dsl.None, out VariablesOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: busybox, Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; printf '%s|%s' "$A" "$B" >"$0"`}, Args: dsl.Args(out.Text.Path())}
})

// Variables sets variables of a command, one from a reference.
var Variables = dsl.Pipeline("variables", func(s *dsl.Scope, _ dsl.None) VariablesOut {
	text := Echo.Call(s, Text{dsl.Const("it's {{b}} $(A)")}).Out.Text
	return variables.Call(s, dsl.None{}, dsl.Env("A", "a $(B) $$"), dsl.Env("B", text)).Out
})

// Chosen runs an image that a step has named.
var Chosen = dsl.Pipeline("chosen", func(s *dsl.Scope, _ dsl.None) VariablesOut {
	image := Echo.Call(s, Text{dsl.Const(busybox)}).Out.Text
	return variables.Call(s, dsl.None{}, dsl.Image(image), dsl.Env("A", "chosen")).Out
})

// Breaks ends with an exit code.
var Breaks = dsl.Pipeline("breaks", func(s *dsl.Scope, _ dsl.None) dsl.None {
	breaks.Call(s, dsl.None{})
	return dsl.None{}
})

var breaks = dsl.Container("exits", func(dsl.None, dsl.None) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: busybox, Command: []string{"sh", "-c", "echo going; exit 7"}}
})
