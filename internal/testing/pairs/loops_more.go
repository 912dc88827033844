package pairs

import "github.com/kfpgo/kfpgo/dsl"

func init() {
	type plain struct {
		Texts dsl.Param[[]string]
		Rates dsl.Param[[]float64]
	}
	type flagIn struct{ On dsl.Param[bool] }
	flag := tool("flag", "/flag", func(i flagIn, _ dsl.None) []string { return dsl.Args(i.On) })

	// Constants of every type.
	pair(dsl.Pipeline("loop-items", func(s *dsl.Scope, _ dsl.None) dsl.None {
		dsl.ParallelFor(s, dsl.Const([]string{"a", "", "it's \"x\"", "ü", "1"}), func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
			say.Call(s, textIn{x})
			return dsl.None{}
		})
		dsl.ParallelFor(s, dsl.Const([]float64{0.5, -1e-7, 1e300}), func(s *dsl.Scope, x dsl.Param[float64]) dsl.None {
			makeFlt.Call(s, floatIn{x})
			return dsl.None{}
		})
		dsl.ParallelFor(s, dsl.Const([]bool{true, false}), func(s *dsl.Scope, x dsl.Param[bool]) dsl.None {
			flag.Call(s, flagIn{x})
			return dsl.None{}
		})
		dsl.ParallelFor(s, dsl.Const([][]int{{1, 2}, {3}}), func(s *dsl.Scope, x dsl.Param[[]int]) dsl.None {
			sumUp.Call(s, sumIn{x})
			return dsl.None{}
		}, dsl.Parallelism(1))
		type rates struct {
			Rate dsl.Param[float64] `json:"rate"`
			X    dsl.Param[float64] `json:"x"`
		}
		type switched struct {
			On dsl.Param[bool] `json:"on"`
		}
		dsl.ParallelFor(s, dsl.Const([]numbered{{dsl.Const(1)}, {dsl.Const(-2)}}), func(s *dsl.Scope, x dsl.Param[numbered]) dsl.None {
			makeInt.Call(s, intIn{dsl.Fields(x).N})
			return dsl.None{}
		})
		dsl.ParallelFor(s, dsl.Const([]rates{{dsl.Const(0.5), dsl.Const(0.1)}, {dsl.Const(1.5), dsl.Const(0.2)}}), func(s *dsl.Scope, x dsl.Param[rates]) dsl.None {
			makeFlt.Call(s, floatIn{dsl.Fields(x).Rate})
			makeFlt.Call(s, floatIn{dsl.Fields(x).X})
			return dsl.None{}
		})
		dsl.ParallelFor(s, dsl.Const([]switched{{dsl.Const(true)}, {dsl.Const(false)}}), func(s *dsl.Scope, x dsl.Param[switched]) dsl.None {
			flag.Call(s, flagIn{dsl.Fields(x).On})
			return dsl.None{}
		})
		return dsl.None{}
	}), "dsl.ParallelFor over constants", "keys of a loop's items", "dsl.ParallelFor(parallelism)")

	// One list, several loops; a loop over what another collected.
	pair(dsl.Pipeline("loop-again", func(s *dsl.Scope, in plain) dsl.None {
		each := dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) textOut {
			return makeText.Call(s, textIn{x}).Out
		}).Each
		dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
			say.Call(s, textIn{x})
			return dsl.None{}
		})
		type joinIn struct{ Texts dsl.Param[[]string] }
		type joinOut struct{ Out dsl.Param[[]string] }
		sorted := tool("sort", "/sort", func(i joinIn, o joinOut) []string { return dsl.Args(i.Texts, o.Out.Path()) })
		dsl.ParallelFor(s, sorted.Call(s, joinIn{dsl.Collected(each.Out)}).Out.Out, func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
			say.Call(s, textIn{x})
			return dsl.None{}
		})
		return dsl.None{}
	}), "dsl.ParallelFor", "dsl.Collected", "dsl.ParallelFor over a parameter")

	// Loops in loops in loops, each of which reads all the others.
	pair(dsl.Pipeline("loop-deep", func(s *dsl.Scope, in plain) dsl.None {
		before := makeText.Call(s, textIn{dsl.Const("before")}).Out.Out
		dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, a dsl.Param[string]) dsl.None {
			made := makeText.Call(s, textIn{a}).Out.Out
			dsl.ParallelFor(s, in.Rates, func(s *dsl.Scope, b dsl.Param[float64]) dsl.None {
				flt := makeFlt.Call(s, floatIn{b}).Out.Out
				dsl.ParallelFor(s, dsl.Const([]int{7, 8}), func(s *dsl.Scope, c dsl.Param[int]) dsl.None {
					say.Call(s, textIn{a})
					say.Call(s, textIn{made})
					say.Call(s, textIn{before})
					makeFlt.Call(s, floatIn{b})
					makeFlt.Call(s, floatIn{flt})
					makeInt.Call(s, intIn{c})
					return dsl.None{}
				}, dsl.Parallelism(4))
				return dsl.None{}
			}, dsl.Parallelism(2))
			return dsl.None{}
		})
		return dsl.None{}
	}), "nested loops", "dsl.ParallelFor(parallelism)", "dsl.ParallelFor over a parameter", "dsl.ParallelFor over constants")

	// What branches of a loop made, collected.
	pair(dsl.Pipeline("loop-branches", func(s *dsl.Scope, in plain) struct {
		Output dsl.Param[[]string] `kfp:"Output"`
	} {
		each := dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) textOut {
			word := func(t dsl.Param[string]) func(*dsl.Scope) dsl.Param[string] {
				return func(s *dsl.Scope) dsl.Param[string] { return makeText.Call(s, textIn{t}).Out.Out }
			}
			got := dsl.OneOf(s, dsl.Eq(x, "a"), word(dsl.Const("A"))).Elif(dsl.Eq(x, "b"), word(x)).Else(word(dsl.Const("else")))
			return textOut{makeText.Call(s, textIn{got}).Out.Out}
		}).Each
		all := dsl.Collected(each.Out)
		type joinIn struct{ Texts dsl.Param[[]string] }
		join := tool("join", "/join", func(i joinIn, o textOut) []string { return dsl.Args(i.Texts, o.Out.Path()) })
		got := join.Call(s, joinIn{all})
		dsl.If(s, dsl.Ne(got.Out.Out, ""), func(s *dsl.Scope) { join.Call(s, joinIn{all}) })
		return struct {
			Output dsl.Param[[]string] `kfp:"Output"`
		}{all}
	}), "dsl.Collected", "dsl.OneOf", "dsl.Elif", "dsl.ParallelFor over a parameter")

	// Collected in a pipeline that is called in a branch: the one of what was collected.
	pair(dsl.Pipeline("one-of-collected", func(s *dsl.Scope, in plain) dsl.None {
		type out struct{ Texts dsl.Param[[]string] }
		spread := dsl.Pipeline("spread", func(s *dsl.Scope, in plain) out {
			each := dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) textOut {
				return makeText.Call(s, textIn{x}).Out
			}).Each
			return out{dsl.Collected(each.Out)}
		})
		kind := makeText.Call(s, textIn{dsl.Const("x")}).Out.Out
		texts := dsl.OneOf(s, dsl.Eq(kind, "x"), func(s *dsl.Scope) dsl.Param[[]string] {
			return spread.Call(s, in).Out.Texts
		}).Else(func(s *dsl.Scope) dsl.Param[[]string] {
			return spread.Call(s, plain{Texts: dsl.Const([]string{"other"}), Rates: in.Rates}).Out.Texts
		})
		type joinIn struct{ Texts dsl.Param[[]string] }
		tool("join", "/join", func(i joinIn, o textOut) []string { return dsl.Args(i.Texts, o.Out.Path()) }).Call(s, joinIn{texts})
		dsl.ParallelFor(s, texts, func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
			say.Call(s, textIn{x})
			return dsl.None{}
		})
		return dsl.None{}
	}), "dsl.OneOf", "dsl.Collected", "a pipeline in a pipeline", "dsl.ParallelFor over an output")

	// The order of loops and of tasks of loops.
	pair(dsl.Pipeline("loop-after", func(s *dsl.Scope, in plain) dsl.None {
		loop := dsl.ForEach(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) { say.Call(s, textIn{x}) })
		say.Call(s, textIn{dsl.Const("after the loop")}, dsl.After(loop))
		dsl.ForEach(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) {
			a := say.Call(s, textIn{x}, dsl.After(loop))
			say.Call(s, textIn{x}, dsl.After(a))
		})
		return dsl.None{}
	}), "after", "dsl.ParallelFor")

	// A pipeline with a loop and settings of its own, in a loop, with settings.
	pair(dsl.Pipeline("loop-pipelines", func(s *dsl.Scope, in plain) dsl.None {
		inner := dsl.Pipeline("in-loop", func(s *dsl.Scope, in textIn) textOut {
			dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
				makeInt.Call(s, intIn{n}, dsl.Env("A", "b"))
				return dsl.None{}
			})
			return makeText.Call(s, in, dsl.NoCache()).Out
		})
		outs := dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) textOut {
			got := inner.Call(s, textIn{x}).Out
			dsl.If(s, dsl.Eq(got.Out, "x"), func(s *dsl.Scope) { inner.Call(s, textIn{got.Out}) })
			return got
		}).Each
		type joinIn struct{ Texts dsl.Param[[]string] }
		tool("join", "/join", func(i joinIn, o textOut) []string { return dsl.Args(i.Texts, o.Out.Path()) }).Call(s, joinIn{dsl.Collected(outs.Out)})
		return dsl.None{}
	}), "a pipeline in a pipeline", "nested loops", "dsl.Collected", "dsl.If")
}
