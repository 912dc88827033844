package pairs

import "github.com/kfpgo/kfpgo/dsl"

// What the Python side has as models of pydantic's.
type (
	layer struct {
		Units   int     `json:"units"`
		Dropout float64 `json:"dropout"`
	}
	modelSettings struct {
		Rate   float64           `json:"rate"`
		Layers []layer           `json:"layers"`
		Tags   map[string]string `json:"tags"`
		Note   string            `json:"note,omitempty"`
	}
	settingsIn struct {
		Settings dsl.Param[modelSettings]
	}
	settingsOut struct {
		Out dsl.Param[modelSettings] `kfp:"Output"`
	}
)

var fitModel = dsl.Python[settingsIn, settingsOut]("fit", sdk("models", dsl.PythonSource{
	Function: "fit", Packages: []string{"pydantic==2.12.5"},
}))

var _ = pair(models, "pydantic.BaseModel", "dict")

var models = dsl.Pipeline("models", func(s *dsl.Scope, in settingsIn) dsl.None {
	fitModel.Call(s, in)
	fitModel.Call(s, settingsIn{Settings: dsl.Const(modelSettings{
		Rate: 1.5, Layers: []layer{}, Tags: map[string]string{}, Note: "none",
	})})
	return dsl.None{}
}).Defaults(settingsIn{Settings: dsl.Const(modelSettings{
	Rate: 0.25, Layers: []layer{{16, 0.5}, {4, 0.5}}, Tags: map[string]string{"team": "a"},
})})
