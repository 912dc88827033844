package pairs

import "github.com/kfpgo/kfpgo/dsl"

func init() {
	type in struct {
		S dsl.Param[string]
		N dsl.Param[int]
		F dsl.Param[float64]
		B dsl.Param[bool]
	}
	// Texts with values of each type, at each depth.
	pair(dsl.Pipeline("texts-deep", func(s *dsl.Scope, in in) dsl.None {
		inner := dsl.Pipeline("say-both", func(s *dsl.Scope, i textIn) outputText {
			got := makeText.Call(s, textIn{dsl.Sprintf("inner %s", i.Text)})
			return outputText{makeText.Call(s, textIn{dsl.Sprintf("%s|%s", got.Out.Out, i.Text)}).Out.Out}
		})
		n := makeInt.Call(s, intIn{in.N}).Out.Out
		say.Call(s, textIn{dsl.Sprintf("%s %v %v %v", in.S, in.N, in.F, in.B)})
		say.Call(s, textIn{dsl.Sprintf("%v%v", n, n)})
		say.Call(s, textIn{dsl.Sprintf("{\"a\": \"%s\", \"n\": %v}\n# 100%%", in.S, n)})
		both := inner.Call(s, textIn{dsl.Sprintf("<%v>", n)})
		say.Call(s, textIn{dsl.Sprintf("%s", both.Out.Output)})
		dsl.If(s, dsl.Gt(n, 1), func(s *dsl.Scope) {
			inside := makeText.Call(s, textIn{dsl.Sprintf("%v of %s", n, in.S)}).Out.Out
			dsl.If(s, dsl.Eq(in.S, "x"), func(s *dsl.Scope) {
				say.Call(s, textIn{dsl.Sprintf("%v of %s and %s", n, in.S, inside)})
				inner.Call(s, textIn{dsl.Sprintf("%s!", both.Out.Output)})
			})
		})
		return dsl.None{}
	}), "f-strings", "a pipeline in a pipeline", "dsl.If")

	// A whole text that is one reference, and texts that look like placeholders.
	pair(dsl.Pipeline("texts-odd", func(s *dsl.Scope, in in) dsl.None {
		for _, t := range []string{
			"{{", "}}", "$(HOME)", "${HOME}", "%s %d %%", "{{channel}}", "#", "- a", "a: b", "null", "~", "true", "1e3", "0x10", "1_000",
			"2001-01-01", " lead", "trail ", "\ttab", "a\nb\n", "\n", "\\n", "\u00a0", "\u2028", "\U0001f600", "'", "\"", "|", ">", "&a", "*a", "!t", "@", "`", "=", "<<",
			"a very long line that goes on and on until it is longer than eighty columns, where the writer of YAML would like to break it, and then goes on some more",
		} {
			say.Call(s, textIn{dsl.Const(t)}, dsl.Env("T", t))
		}
		return dsl.None{}
	}), "constants", "set_env_variable", "str").
		Except(10, "/tasks/say-13/componentRef/executor/container/env[0]/value", "/tasks/say-13/inputs/parameters/text/runtimeValue/constant")

	// Tasks of one component, and components whose names need mending.
	pair(dsl.Pipeline("names", func(s *dsl.Scope, in in) dsl.None {
		odd := func(name string) *dsl.Component[textIn, textOut] {
			return tool(name, "/odd", func(i textIn, o textOut) []string { return dsl.Args(i.Text, o.Out.Path()) })
		}
		hi := textIn{in.S}
		for _, name := range []string{"a", "a-2", "x1", "x-1", "train-model", "long-" + "name-name-name-name-name-name-name-name-name-name-name-name-name-name-name"} {
			c := odd(name)
			first := c.Call(s, hi)
			c.Call(s, textIn{first.Out.Out})
		}
		dsl.If(s, dsl.Eq(in.S, "a"), func(s *dsl.Scope) { odd("condition").Call(s, hi) })
		dsl.ParallelFor(s, dsl.Const([]string{"for"}), func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
			odd("for-loop").Call(s, textIn{x})
			return dsl.None{}
		})
		return dsl.None{}
	}), "dsl.container_component", "dsl.pipeline(name)")
}
