package pairs

import "github.com/kfpgo/kfpgo/dsl"

type importerIn struct {
	URI dsl.Param[string] `kfp:"uri"`
}

var _ = pair(importer,
	"dsl.importer", "dsl.importer(artifact_uri of a reference)", "Artifact.uri")

var importer = dsl.Pipeline("importer", func(s *dsl.Scope, in importerIn) dsl.None {
	data := dsl.Import[dsl.Dataset](s, in.URI)
	base := dsl.Import[dsl.Model](s, "gs://models/base")
	train.Call(s, trainIn{Data: data, Rate: dsl.Const(0.5)})
	useModel.Call(s, modelIn{Model: base})
	return dsl.None{}
})

var _ = pair(importConfig,
	"dsl.importer(reimport)", "dsl.importer(metadata)", "dsl.importer(metadata of a reference)", "dsl.importer(download_to_workspace)")

type importersIn struct {
	URI  dsl.Param[string] `kfp:"uri"`
	N    dsl.Param[int]
	Lang dsl.Param[string] `default:"en"`
}

var importConfig = dsl.Pipeline("import-config", func(s *dsl.Scope, in importersIn) dsl.None {
	dsl.Import[dsl.Dataset](s, in.URI, dsl.ImportConfig{Reimport: true, Metadata: map[string]any{
		"a": "text", "b": 1.5, "c": true, "d": []any{"x", 2}, "e": map[string]any{"deep": nil},
	}})
	made := makeText.Call(s, textIn{Text: in.Lang})
	dsl.If(s, dsl.Gt(in.N, 1), func(s *dsl.Scope) {
		useModel.Call(s, modelIn{Model: dsl.Import[dsl.Model](s, in.URI, dsl.ImportConfig{
			Metadata: map[string]any{
				"again": in.Lang, "lang": in.Lang, "list": []any{made.Out.Out, "x"}, "n": in.N, "text": dsl.Sprintf("%s of %s", made.Out.Out, in.Lang),
			},
			Workspace: true,
		}, dsl.Named("the base"))})
	})
	return dsl.None{}
}, dsl.Config{Workspace: dsl.Workspace{Size: "1Gi"}})
