package suite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type DataOut struct{ Data dsl.Dataset }

// Location returns the URI of its input.
var Location = dsl.Func("location", func(_ context.Context, in ReadIn, out *Text) error {
	out.Text.Set(in.Data.URI())
	return nil
})

// Label returns a property of its input.
var Label = dsl.Func("label", func(_ context.Context, in ReadIn, out *Text) error {
	out.Text.Set(fmt.Sprint(in.Data.Metadata("label")))
	return nil
})

type ImportedOut struct{ File, Folder, Label dsl.Param[string] }

// Imported imports a file and a folder, of which only the run knows where they are.
var Imported = dsl.Pipeline("imported", func(s *dsl.Scope, in Text) ImportedOut {
	file := Location.Call(s, ReadIn{Write.Call(s, in).Out.Data}).Out.Text
	folder := Location.Call(s, ReadIn{WriteDir.Call(s, in).Out.Data}).Out.Text
	imported := dsl.Import[dsl.Dataset](s, file, dsl.ImportConfig{Metadata: map[string]any{"label": dsl.Sprintf("it's \"%v\" {{x}} $(A)", in.Text)}})
	return ImportedOut{
		File:   Read.Call(s, ReadIn{imported}).Out.Text,
		Folder: Read.Call(s, ReadIn{dsl.Import[dsl.Dataset](s, folder)}).Out.Text,
		Label:  Label.Call(s, ReadIn{imported}).Out.Text,
	}
})

type GatheredOut struct {
	All   dsl.Param[string]
	Each  dsl.Param[[]string]
	Empty dsl.Param[string]
}

// Gathered collects artifacts out of loops in loops.
var Gathered = dsl.Pipeline("gathered", func(s *dsl.Scope, _ dsl.None) GatheredOut {
	gather := func(rows dsl.Param[[][]string]) dsl.List[dsl.Dataset] {
		outer := dsl.ParallelFor(s, rows, func(s *dsl.Scope, row dsl.Param[[]string]) ReadAllIn {
			inner := dsl.ParallelFor(s, row, func(s *dsl.Scope, text dsl.Param[string]) DataOut {
				return DataOut{Write.Call(s, Text{text}).Out.Data}
			})
			return ReadAllIn{dsl.CollectedArtifacts(inner.Each.Data)}
		})
		return dsl.CollectedLists(outer.Each.All)
	}
	all := gather(dsl.Const([][]string{{"a", "b"}, {}, {"c"}}))
	each := dsl.ParallelForArtifacts(s, all, func(s *dsl.Scope, data dsl.Dataset) Text { return Read.Call(s, ReadIn{data}).Out })
	return GatheredOut{
		All:   ReadAll.Call(s, ReadAllIn{all}).Out.Text,
		Each:  dsl.Collected(each.Each.Text),
		Empty: ReadAll.Call(s, ReadAllIn{gather(dsl.Const([][]string{{}}))}).Out.Text,
	}
})

type PresentIn struct {
	Text dsl.Param[string] `kfp:",optional"`
	N    dsl.Param[int]    `kfp:",optional"`
}

// Present is a container with arguments that are there or not.
var Present = dsl.Container("present", func(in PresentIn, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "registry.local/busybox:1", Command: []string{"sh", "-c", `out=$1; shift; mkdir -p "$(dirname "$out")"; for a; do printf '[%s]' "$a"; done >"$out"`, "-"},
		Args: dsl.Args(out.Text.Path(), "$(HOME) $$ {{x}}", dsl.IfPresent(in.Text, "--text", dsl.Concat("<", in.Text, ">")), dsl.IfPresent(in.N, "-n", in.N).Else("--no-n"), "last"),
	}
}).OnLocal(func(_ context.Context, in PresentIn, out *Text) error {
	args := []string{"$(HOME) $$ {{x}}"}
	if text, ok := in.Text.Lookup(); ok {
		args = append(args, "--text", "<"+text+">")
	}
	if n, ok := in.N.Lookup(); ok {
		args = append(args, "-n", fmt.Sprint(n))
	} else {
		args = append(args, "--no-n")
	}
	out.Text.Set("[" + strings.Join(append(args, "last"), "][") + "]")
	return nil
})

// Presents gives a container what it was given.
var Presents = dsl.Pipeline("presents", func(s *dsl.Scope, in PresentIn) Text {
	return Present.Call(s, in, k8s.Label("team", dsl.Sprintf("t-%v-x", in.N)), k8s.Annotation("note", dsl.Sprintf("it's %v", dsl.RunScheduled()))).Out
})

// Broad has more tasks than Argo takes in one DAG.
var Broad = dsl.Pipeline("broad", func(s *dsl.Scope, in Int) Int {
	for range 210 {
		dsl.If(s, dsl.Lt(in.N, 0), func(s *dsl.Scope) { Add1.Call(s, in) })
	}
	return Add1.Call(s, in).Out
})

// Joined reads metrics of one of three branches, one of which has none.
var Joined = dsl.Pipeline("joined", func(s *dsl.Scope, in Int) Text {
	write := func(text string) func(*dsl.Scope) dsl.Metrics {
		return func(s *dsl.Scope) dsl.Metrics { return Measure.Call(s, Text{dsl.Const(text)}).Out.Metrics }
	}
	one := dsl.OneOf(s, dsl.Eq(in.N, 1), write("one")).Elif(dsl.Eq(in.N, 2), write("")).Else(write("other"))
	return ReadMetrics.Call(s, MetricsIn{one}).Out
})

type MetricsOut struct{ Metrics dsl.Metrics }
type MetricsIn struct{ Metrics dsl.Metrics }

// Measure writes metrics, or none.
var Measure = dsl.Container("measure", func(in Text, out MetricsOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "registry.local/busybox:1", Command: []string{"sh", "-c", `mkdir -p "$(dirname "$2")"; if [ -n "$1" ]; then printf %s "$1" >"$2"; fi`, "-"},
		Args: dsl.Args(in.Text, out.Metrics.Path()),
	}
}).OnLocal(func(_ context.Context, in Text, out *MetricsOut) error {
	if in.Text.Get() == "" {
		return nil
	}
	return os.WriteFile(out.Metrics.Path(), []byte(in.Text.Get()), 0o644)
})

// ReadMetrics returns the contents of the file of metrics, if there is one.
var ReadMetrics = dsl.Func("read-metrics", func(_ context.Context, in MetricsIn, out *Text) error {
	file, err := os.Stat(in.Metrics.Path())
	if errors.Is(err, fs.ErrNotExist) || err == nil && file.IsDir() { // to the cluster's S3 store, a key without objects is an empty folder
		out.Text.Set("")
		return nil
	}
	b, err := os.ReadFile(in.Metrics.Path())
	out.Text.Set(string(b))
	return err
})

// Told returns the contents of KFP's executor input.
var Told = dsl.Container("told", func(in Text, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: "registry.local/busybox:1", Args: []string{"-", dsl.ExecutorInput, dsl.ExecutorOutput},
		Command: []string{"sh", "-c", `echo '{}' >"$2"; to=$(echo "$1" | sed 's/.*"outputFile":"\([^"]*text\)".*/\1/'); echo "$1" | sed 's/.*"text":"\([^"]*\)".*/\1/' >"$to"`},
	}
}).OnLocal(func(_ context.Context, in Text, out *Text) error {
	out.Text.Set(in.Text.Get())
	return nil
})

// Tells gives a container a string in KFP's executor input alone.
var Tells = dsl.Pipeline("tells", func(s *dsl.Scope, in Text) Text { return Told.Call(s, in).Out })
