package pairs

import "github.com/kfpgo/kfpgo/dsl"

var _ = pair(elements,
	"dsl.ConcatPlaceholder", "dsl.IfPresentPlaceholder", "dsl.IfPresentPlaceholder(else_)", "Artifact.metadata", "Input[List[Artifact]]")

type elementsIn struct {
	Text   dsl.Param[string] `default:"hi"`
	Note   dsl.Param[string] `kfp:",optional"`
	Base   dsl.Model         `kfp:",optional"`
	Models dsl.List[dsl.Model]
}

type elementsOut struct{ Out dsl.Dataset }

var elementsTool = tool("elements-tool", "/run", func(in elementsIn, out elementsOut) []string {
	return dsl.Args(
		dsl.Concat("pre-", in.Text, "-", out.Out.Path()),
		dsl.IfPresent(in.Note, "--note", in.Note).Else("--no-note", "x"),
		dsl.IfPresent(in.Base, dsl.Concat("--base=", in.Base.URI()), "--meta", in.Base.Metadata("framework")),
		dsl.Concat("--all=", dsl.IfPresent(in.Note, in.Note).Else(dsl.Concat("no", "-", in.Text))),
		dsl.IfPresent(in.Note, dsl.IfPresent(in.Base, "both", "of them").Else("one"), in.Base.MetadataJSON()),
		in.Models, out.Out.Metadata("k"), out.Out.MetadataJSON(),
	)
})

var elements = dsl.Pipeline("elements", func(s *dsl.Scope, in elementsIn) dsl.None {
	elementsTool.Call(s, elementsIn{Models: in.Models})
	elementsTool.Call(s, in)
	return dsl.None{}
})
