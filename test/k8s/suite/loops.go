package suite

import (
	"context"
	"fmt"
	"sort"

	"github.com/kfpgo/kfpgo/dsl"
)

type OddsOut struct {
	Floats dsl.Param[[]float64]
	Bools  dsl.Param[[]bool]
	Large  dsl.Param[[]int64]
}

type OddIn struct {
	F dsl.Param[float64]
	B dsl.Param[bool]
	N dsl.Param[int64]
}

var odd = dsl.Func("odd", func(_ context.Context, in OddIn, out *OddIn) error {
	out.F.Set(in.F.Get())
	out.B.Set(in.B.Get())
	out.N.Set(in.N.Get())
	return nil
})

// Odds goes through floats, bools and large numbers.
var Odds = dsl.Pipeline("odds", func(s *dsl.Scope, _ dsl.None) OddsOut {
	f := dsl.ParallelFor(s, dsl.Const([]float64{0.1, 1e21, -0.5}), func(s *dsl.Scope, f dsl.Param[float64]) OddIn {
		return odd.Call(s, OddIn{f, dsl.Const(true), dsl.Const(int64(1))}).Out
	})
	b := dsl.ParallelFor(s, dsl.Const([]bool{true, false}), func(s *dsl.Scope, b dsl.Param[bool]) OddIn {
		return odd.Call(s, OddIn{dsl.Const(0.5), b, dsl.Const(int64(1))}).Out
	})
	n := dsl.ParallelFor(s, dsl.Const([]int64{9007199254740993, -9223372036854775808}), func(s *dsl.Scope, n dsl.Param[int64]) OddIn {
		return odd.Call(s, OddIn{dsl.Const(0.5), dsl.Const(true), n}).Out
	})
	return OddsOut{dsl.Collected(f.Each.F), dsl.Collected(b.Each.B), dsl.Collected(n.Each.N)}
})

type EachIn struct {
	Texts dsl.Param[[]string]
	Limit dsl.Param[int] `default:"2"`
}

// Filter goes through what a run was given, with a condition on each and a value from outside.
var Filter = dsl.Pipeline("filter", func(s *dsl.Scope, in EachIn) ListOut {
	limit := Add1.Call(s, Int{in.Limit}).Out.N
	kept := dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, text dsl.Param[string]) Text {
		n := Length.Call(s, Text{text}).Out.N
		return Text{dsl.OneOf(s, dsl.LtRef(n, limit), func(s *dsl.Scope) dsl.Param[string] {
			return Echo.Call(s, Text{dsl.Sprintf("%v:%v", text, n)}).Out.Text
		}).Optional()}
	})
	return ListOut{dsl.Collected(kept.Each.Text)}
})

// Items goes through a list with references in it.
var Items = dsl.Pipeline("items", func(s *dsl.Scope, _ dsl.None) SumIn {
	n := Add1.Call(s, Int{dsl.Const(41)}).Out.N
	each := dsl.ParallelFor(s, dsl.Items(n, dsl.Const(1), n), func(s *dsl.Scope, n dsl.Param[int]) Int { return Add1.Call(s, Int{n}).Out })
	return SumIn{dsl.Collected(each.Each.N)}
})

// Wide has more items than run at once.
var Wide = dsl.Pipeline("wide", func(s *dsl.Scope, _ dsl.None) Int {
	each := dsl.ParallelFor(s, dsl.Const([]int{1, 2, 3, 4, 5, 6, 7}), func(s *dsl.Scope, n dsl.Param[int]) Int { return Add1.Call(s, Int{n}).Out }, dsl.Parallelism(3))
	return Sum.Call(s, SumIn{dsl.Collected(each.Each.N)}).Out
})

type Row struct {
	Names []string       `json:"names"`
	Of    map[string]int `json:"of"`
	Text  string         `json:"text"`
}

type RowIn struct{ Row dsl.Param[Row] }

// describe prints a row.
var describe = dsl.Func("describe", func(_ context.Context, in RowIn, out *Text) error {
	r := in.Row.Get()
	sort.Strings(r.Names)
	out.Text.Set(fmt.Sprint(r.Names, r.Of, r.Text))
	return nil
})

// Rows goes through structs with lists and maps in them, and through what is in those.
var Rows = dsl.Pipeline("rows", func(s *dsl.Scope, _ dsl.None) ListOut {
	rows := dsl.Const([]Row{{[]string{"b", "a"}, map[string]int{"x": 1}, "{{item}} \"$x\""}, {[]string{}, nil, ""}})
	each := dsl.ParallelFor(s, rows, func(s *dsl.Scope, row dsl.Param[Row]) Text {
		names := dsl.ParallelFor(s, dsl.Field(row, func(r *Row) *[]string { return &r.Names }), func(s *dsl.Scope, name dsl.Param[string]) Text {
			return Echo.Call(s, Text{name}).Out
		})
		text := describe.Call(s, RowIn{row}).Out.Text
		return Text{Echo.Call(s, Text{dsl.Sprintf("%v of %v", dsl.Collected(names.Each.Text), text)}).Out.Text}
	})
	return ListOut{dsl.Collected(each.Each.Text)}
})

// Copies goes through the files that another loop has written.
var Copies = dsl.Pipeline("copies", func(s *dsl.Scope, _ dsl.None) Text {
	made := dsl.ParallelFor(s, dsl.Const([]string{"one", "two"}), func(s *dsl.Scope, text dsl.Param[string]) WriteOut { return Write.Call(s, Text{text}).Out })
	read := dsl.ParallelForArtifacts(s, dsl.CollectedArtifacts(made.Each.Data), func(s *dsl.Scope, d dsl.Dataset) Text { return Read.Call(s, ReadIn{d}).Out })
	return Join.Call(s, JoinIn{dsl.Collected(read.Each.Text)}).Out
})

// Nothing goes through no items, in a loop of a pipeline in a loop.
var Nothing = dsl.Pipeline("nothing", func(s *dsl.Scope, _ dsl.None) CountsOut {
	each := dsl.ParallelFor(s, dsl.Const([]string{"", "a,b"}), func(s *dsl.Scope, text dsl.Param[string]) CountOut {
		return count.Call(s, Text{text}).Out
	})
	return CountsOut{dsl.Collected(each.Each.Parts), dsl.Collected(each.Each.N)}
})

type TableIn struct{ Rows dsl.Param[[][]string] }

var table = dsl.Func("table", func(_ context.Context, in TableIn, out *Text) error {
	out.Text.Set(fmt.Sprintf("%q", in.Rows.Get()))
	return nil
})

type NestedOut struct {
	Rows dsl.Param[string]
	Sum  dsl.Param[int]
}

// Nested collects lists of lists, and out of a loop without items.
var Nested = dsl.Pipeline("nested", func(s *dsl.Scope, _ dsl.None) NestedOut {
	outer := dsl.ParallelFor(s, dsl.Const([][]string{{"a", "b"}, {}, {"c"}}), func(s *dsl.Scope, row dsl.Param[[]string]) ListOut {
		inner := dsl.ParallelFor(s, row, func(s *dsl.Scope, text dsl.Param[string]) Text { return Echo.Call(s, Text{text}).Out })
		return ListOut{dsl.Collected(inner.Each.Text)}
	})
	return NestedOut{table.Call(s, TableIn{dsl.Collected(outer.Each.Texts)}).Out.Text, count.Call(s, Text{dsl.Const("")}).Out.N}
})

type CountOut struct {
	Parts dsl.Param[[]string]
	N     dsl.Param[int]
}

type CountsOut struct {
	Parts dsl.Param[[][]string]
	Ns    dsl.Param[[]int]
}

var count = dsl.Pipeline("count", func(s *dsl.Scope, in Text) CountOut {
	parts := Split.Call(s, in).Out.Texts
	each := dsl.ParallelFor(s, parts, func(s *dsl.Scope, text dsl.Param[string]) LongOut { return LongOut{Length.Call(s, Text{text}).Out.N} })
	return CountOut{parts, Sum.Call(s, SumIn{dsl.Collected(each.Each.Length)}).Out.N}
})
