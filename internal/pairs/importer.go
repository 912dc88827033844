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
