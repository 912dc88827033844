package suite

import "github.com/kfpgo/kfpgo/dsl"

type levelIn struct {
	Text dsl.Param[string] `default:"none"`
	Data dsl.Dataset
}

type levelOut struct {
	Text dsl.Param[string]
	Data dsl.Dataset
}

var lowest = dsl.Pipeline("lowest", func(s *dsl.Scope, in levelIn) levelOut {
	text := Read.Call(s, ReadIn{in.Data}).Out.Text
	both := Echo.Call(s, Text{dsl.Sprintf("%v|%v", in.Text, text)}).Out.Text
	return levelOut{both, Write.Call(s, Text{both}).Out.Data}
})

var middle = dsl.Pipeline("middle", func(s *dsl.Scope, in levelIn) levelOut {
	first := lowest.Call(s, in)
	return lowest.Call(s, levelIn{Data: first.Out.Data}).Out
})

// Levels passes values and files down to pipelines in pipelines, and up again.
var Levels = dsl.Pipeline("levels", func(s *dsl.Scope, _ dsl.None) TwoOut {
	out := middle.Call(s, levelIn{dsl.Const("{{top}}"), Write.Call(s, Text{dsl.Const("x")}).Out.Data}).Out
	return TwoOut{out.Text, Read.Call(s, ReadIn{out.Data}).Out.Text}
})

// Twice calls a pipeline in both branches and in a loop.
var Twice = dsl.Pipeline("twice", func(s *dsl.Scope, in Int) ListOut {
	n := Add1.Call(s, in).Out.N
	data := Write.Call(s, Text{dsl.Const("d")}).Out.Data
	each := dsl.ParallelFor(s, dsl.Const([]string{"p", "q"}), func(s *dsl.Scope, text dsl.Param[string]) Text {
		return Text{dsl.OneOf(s, dsl.Gt(n, 1), func(s *dsl.Scope) dsl.Param[string] {
			return lowest.Call(s, levelIn{text, data}).Out.Text
		}).Else(func(s *dsl.Scope) dsl.Param[string] {
			return lowest.Call(s, levelIn{Data: data}).Out.Text
		})}
	})
	return ListOut{dsl.Collected(each.Each.Text)}
})

// Shadows has tasks whose names are words of Argo's expressions, and alike.
var Shadows = dsl.Pipeline("shadows", func(s *dsl.Scope, _ dsl.None) Text {
	a := Echo.Call(s, Text{dsl.Const("1")}, dsl.TaskKey("in")).Out.Text
	b := Echo.Call(s, Text{dsl.Sprintf("%v2", a)}, dsl.TaskKey("not")).Out.Text
	c := Echo.Call(s, Text{dsl.Sprintf("%v3", b)}, dsl.TaskKey("a-1"), dsl.Named("A 1")).Out.Text
	return Echo.Call(s, Text{dsl.Sprintf("%v4", c)}, dsl.TaskKey("a1")).Out
})
