package pairs

import "github.com/kfpgo/kfpgo/dsl"

type valuesIn struct {
	S dsl.Param[string]
	I dsl.Param[int]
	F dsl.Param[float64]
	B dsl.Param[bool]
	D dsl.Param[map[string]float64]
	L dsl.Param[[]string]
}

type valuesOut valuesIn

type valuesDefaults struct {
	S  dsl.Param[string]  `default:"it's \"x\": # ü 日本"`
	I  dsl.Param[int]     `default:"-3"`
	F  dsl.Param[float64] `default:"1e-7"`
	B  dsl.Param[bool]    `default:"false"`
	D  dsl.Param[map[string]float64]
	L  dsl.Param[[]string]
	S2 dsl.Param[string] `default:""`
	I2 dsl.Param[int]    `default:"9007199254740992"`
	L2 dsl.Param[[][]int]
}

// values passes each type of parameter, as a constant, a default and an output.
var values = dsl.Pipeline("values", func(s *dsl.Scope, in valuesDefaults) valuesOut {
	pass := tool("pass", "/pass", func(i valuesIn, o valuesOut) []string {
		return dsl.Args(i.S, i.I, i.F, i.B, i.D, i.L, o.S.Path(), o.I.Path(), o.F.Path(), o.B.Path(), o.D.Path(), o.L.Path())
	})
	type nestedList struct{ L dsl.Param[[][]int] }
	sum := tool("sum", "/sum", func(i nestedList, _ dsl.None) []string { return dsl.Args(i.L) })
	a := pass.Call(s, valuesIn{in.S, in.I, in.F, in.B, in.D, in.L}).Out
	b := pass.Call(s, valuesIn(a)).Out
	pass.Call(s, valuesIn{
		dsl.Const("two\nlines\tand a tab \\"), dsl.Const(1<<53 - 1), dsl.Const(1e300), dsl.Const(true),
		dsl.Const(map[string]float64{"a": 1, "é": 1e-3}), dsl.Const([]string{"", "a b", "'", "null", "1"}),
	})
	pass.Call(s, valuesIn{in.S2, in.I2, dsl.Const(-0.1), dsl.Const(false), dsl.Const(map[string]float64{}), dsl.Const([]string{})})
	sum.Call(s, nestedList{in.L2})
	sum.Call(s, nestedList{dsl.Const([][]int{{1, 2}, {}, {-3}})})
	return valuesOut(b)
}).Defaults(valuesDefaults{
	D: dsl.Const(map[string]float64{"a": 0.5, "b": -2}), L: dsl.Const([]string{"x", "y"}), L2: dsl.Const([][]int{{1}}),
})

var _ = pair(values, "str", "int", "float", "bool", "dict", "list", "constants", "defaults of inputs", "dsl.OutputPath")
