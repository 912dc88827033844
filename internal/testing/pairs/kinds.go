package pairs

import "github.com/kfpgo/kfpgo/dsl"

type tokenizerKind struct{}

func (tokenizerKind) Schema() (title, version string) { return "system.Tokenizer", "0.2.1" }

type vertexModelKind struct{}

func (vertexModelKind) Schema() (title, version string) { return "google.VertexModel", "0.0.1" }

type kindsOut struct {
	Any       dsl.Any
	Data      dsl.Dataset
	Model     dsl.Model
	Metrics   dsl.Metrics
	Classes   dsl.ClassificationMetrics
	Slices    dsl.SlicedClassificationMetrics
	Page      dsl.HTML
	Text      dsl.Markdown
	Tokenizer dsl.Artifact[tokenizerKind]
	Vertex    dsl.Artifact[vertexModelKind]
}

type kindsIn kindsOut

// kinds passes an artifact of each kind, as itself and as any.
var kinds = dsl.Pipeline("kinds", func(s *dsl.Scope, _ dsl.None) kindsOut {
	makeAll := tool("make-all", "/make", func(_ dsl.None, o kindsOut) []string {
		return dsl.Args(o.Any.Path(), o.Data.URI(), o.Model.Path(), o.Metrics.Path(), o.Classes.Path(), o.Slices.Path(),
			o.Page.Path(), o.Text.Path(), o.Tokenizer.Path(), o.Vertex.URI())
	})
	useAll := tool("use-all", "/use", func(i kindsIn, _ dsl.None) []string {
		return dsl.Args(i.Any.URI(), i.Data.Path(), i.Model.URI(), i.Metrics.URI(), i.Classes.URI(), i.Slices.URI(),
			i.Page.URI(), i.Text.URI(), i.Tokenizer.URI(), i.Vertex.Path())
	})
	type anyIn struct{ It dsl.Any }
	look := tool("look", "/look", func(i anyIn, _ dsl.None) []string { return dsl.Args(i.It.Path()) })
	made := makeAll.Call(s, dsl.None{}).Out
	useAll.Call(s, kindsIn(made))
	look.Call(s, anyIn{made.Any})
	look.Call(s, anyIn{made.Model.Any()})
	look.Call(s, anyIn{made.Tokenizer.Any()})
	return made
})

var _ = pair(kinds, "dsl.Artifact", "dsl.Dataset", "dsl.Model", "dsl.Metrics", "dsl.ClassificationMetrics", "dsl.SlicedClassificationMetrics",
	"dsl.HTML", "dsl.Markdown", "custom artifact types", "google artifact types", "Artifact.uri", "Artifact.path")
