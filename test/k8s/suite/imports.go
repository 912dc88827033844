package suite

import (
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type ImportIn struct{ URI dsl.Param[string] }

// Imports reads a file that was there before, from a URI that a run is given.
var Imports = dsl.Pipeline("imports", func(s *dsl.Scope, in ImportIn) TwoOut {
	n := Add1.Call(s, Int{dsl.Const(6)}).Out.N
	data := dsl.Import[dsl.Dataset](s, in.URI, dsl.ImportConfig{Metadata: map[string]any{"length": dsl.Sprintf("%v or {{x}}", n)}, Workspace: true})
	return TwoOut{
		Read.Call(s, ReadIn{data}).Out.Text,
		Read.Call(s, ReadIn{dsl.Import[dsl.Dataset](s, in.URI, dsl.ImportConfig{Reimport: true})}).Out.Text,
	}
}, dsl.Config{Workspace: dsl.Workspace{Size: "1Mi", Patch: map[string]any{"storageClassName": "host-path"}}})

type FileIn struct{ Data dsl.Dataset }

// InputFile reads a file that the run was given as an input.
var InputFile = dsl.Pipeline("input-file", func(s *dsl.Scope, in FileIn) Text { return Read.Call(s, ReadIn(in)).Out })

// Grid collects the files of a loop in a loop.
var Grid = dsl.Pipeline("grid", func(s *dsl.Scope, _ dsl.None) Text {
	outer := dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, x dsl.Param[string]) WritesOut {
		inner := dsl.ParallelFor(s, dsl.Const([]int{2, 1}), func(s *dsl.Scope, n dsl.Param[int]) WriteOut {
			return Write.Call(s, Text{dsl.Sprintf("%v%v", x, n)}).Out
		})
		return WritesOut{dsl.CollectedArtifacts(inner.Each.Data)}
	})
	return ReadAll.Call(s, ReadAllIn{dsl.CollectedLists(outer.Each.Data)}).Out
})

type WritesOut struct{ Data dsl.List[dsl.Dataset] }

// Flagged gives a command a flag only if the run was given a string.
var Flagged = dsl.Pipeline("flagged", func(s *dsl.Scope, in MaybeIn) Text {
	return Text{Tool.Call(s, ToolIn{Text: dsl.Const("x"), N: dsl.Const(1), Flag: in.Text}).Out.Args}
})

// Marked has a label and an annotation that a step says, and the time of its start.
var Marked = dsl.Pipeline("marked", func(s *dsl.Scope, _ dsl.None) Text {
	text := say("vision")(s)
	return age.Call(s, AgeIn{dsl.RunScheduled()}, k8s.Label("team", text), k8s.Annotation("example.com/note", text)).Out
})

type AgeIn struct{ Time dsl.Param[time.Time] }

// age says whether a time is of the last hour.
var age = dsl.Func("age", func(_ context.Context, in AgeIn, out *Text) error {
	age := time.Since(in.Time.Get())
	out.Text.Set(fmt.Sprint("new ", age >= 0 && age < time.Hour))
	return nil
})
