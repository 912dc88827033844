package pairs

import "github.com/kfpgo/kfpgo/dsl"

type (
	readIn struct {
		Source dsl.Param[string] `doc:"Where the rows are."`
		Rows   dsl.Param[int]    `default:"3" doc:"How many of them."`
	}
	readOut struct {
		Data dsl.Dataset    `doc:"The rows."`
		Out  dsl.Param[int] `kfp:"Output" doc:"How many there were."`
	}
	learnIn struct {
		Data dsl.Dataset        `doc:"What to learn from,\na line of CSV for each example."`
		Rate dsl.Param[float64] `default:"0.5" doc:"Of learning; \"0.5\" is fast."`
	}
	learnOut struct {
		Model dsl.Model          `doc:"What it learned."`
		Loss  dsl.Param[float64] `doc:"Of the last step."`
		Steps dsl.Param[int]
	}
	showIn struct {
		Text dsl.Param[string] `doc:"To show."`
	}
	showOut struct {
		Page dsl.Dataset `doc:"That shows it."`
	}
	describedIn struct {
		Source dsl.Param[string]  `doc:"Of the rows."`
		Rate   dsl.Param[float64] `default:"0.25" doc:"Of learning."`
	}
)

var (
	readRows  = dsl.Python[readIn, readOut]("read", sdk("described", dsl.PythonSource{Function: "read"})).Doc("Reads rows.")
	learnRows = dsl.Python[learnIn, learnOut]("learn", sdk("described", dsl.PythonSource{Function: "learn"}))
	show      = tool("show", "/show", func(in showIn, out showOut) []string { return dsl.Args(in.Text, out.Page.Path()) })
)

var _ = pair(described, "a docstring of a component", "dsl.pipeline(description)").Described()

var described = dsl.Pipeline("described", func(s *dsl.Scope, in describedIn) dsl.None {
	made := readRows.Call(s, readIn{Source: in.Source})
	learnRows.Call(s, learnIn{Data: made.Out.Data, Rate: in.Rate})
	show.Call(s, showIn{Text: in.Source})
	return dsl.None{}
}).Doc("Learns from what it read.")
