package pairs

import "github.com/kfpgo/kfpgo/dsl"

type job struct {
	Machine dsl.Param[string]   `json:"machine"`
	Count   dsl.Param[string]   `json:"count"`
	Args    dsl.Param[[]string] `json:"args"`
	Size    dsl.Param[float64]  `json:"size"`
}

type configureIn struct {
	Job   dsl.Param[job]
	Tags  dsl.Param[[]string]
	Extra dsl.Param[map[string]any]
}

var configure = tool("configure", "/configure", func(in configureIn, _ dsl.None) []string {
	return dsl.Args(in.Job, in.Tags, in.Extra)
})

var _ = pair(composed,
	"references in lists and dicts", "dict", "list")

var composed = dsl.Pipeline("composed", func(s *dsl.Scope, in textsIn) dsl.None {
	machine := makeText.Call(s, textIn{in.S}).Out.Out
	count := makeInt.Call(s, intIn{in.N}).Out.Out
	j := dsl.Values(job{
		Machine: machine,
		Count:   dsl.Sprintf("%v", count),
		Args:    dsl.Items(dsl.Const("--it's \"quoted\""), dsl.Sprintf("--name=%s \"and\" %v", in.S, in.N)),
		Size:    dsl.Const(1.5),
	})
	extra := map[string]any{"owner": in.S, "nested": []any{1, dsl.Sprintf("<%s>", machine), true}}
	configure.Call(s, configureIn{j, dsl.Items(machine, dsl.Const("b"), in.S), dsl.Values(extra)})
	dsl.If(s, dsl.Eq(in.N, 2), func(s *dsl.Scope) {
		configure.Call(s, configureIn{j, dsl.Items(machine), dsl.Values(map[string]any{"size": 3})})
		say.Call(s, textIn{dsl.Fields(j).Machine})
	})
	return dsl.None{}
})
