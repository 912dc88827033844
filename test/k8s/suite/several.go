package suite

import (
	"context"

	"github.com/kfpgo/kfpgo/dsl"
)

var tells = dsl.Container("tells", func(in, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: busybox, Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; printf %s "$1" >"$0"`}, Args: dsl.Args(out.Text.Path(), in.Text)}
})

var repeats = dsl.Python[Text, Text]("repeats", dsl.PythonSource{Source: source, Function: "repeats", Image: "registry.local/python:1"})

var dollars = dsl.Container("dollars", func(_ dsl.None, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: busybox, Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; printf %s "$1" >"$0"`}, Args: dsl.Args(out.Text.Path(), "a $$ $(A) $$(A) $$$ $(HOME) $b")}
})

// Dollars passes what Kubernetes would replace in the command line of a container.
var Dollars = dsl.Pipeline("dollars-in-arguments", func(s *dsl.Scope, _ dsl.None) Text {
	return dollars.Call(s, dsl.None{}, dsl.Env("A", "x")).Out
})

type SeveralOut struct{ Go, Python, Container dsl.Param[string] }

// Several puts several values into one text, for each kind of step.
var Several = dsl.Pipeline("several", func(s *dsl.Scope, in Text) SeveralOut {
	n := Add1.Call(s, Int{dsl.Const(1)}).Out.N
	text := Echo.Call(s, in).Out.Text
	all := Text{dsl.Sprintf("%v|%v|%v|%v", n, text, in.Text, n)}
	return SeveralOut{Echo.Call(s, all).Out.Text, repeats.Call(s, all).Out.Text, tells.Call(s, all).Out.Text}
})

type (
	twinA struct {
		Text dsl.Param[string] `default:"a"`
	}
	twinB struct {
		Text dsl.Param[string] `default:"b"`
	}
	twinOut struct{ Text dsl.Param[string] }
)

// twin is what two components run, whose inputs have other defaults.
func twin(text dsl.Param[string], out twinOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: busybox, Command: dsl.Args("sh", "-c", `mkdir -p "$(dirname "$1")"; printf %s "$0" >"$1"`, text, out.Text.Path()),
	}
}

func says(in dsl.Param[string], out *twinOut) error {
	out.Text.Set(in.Get())
	return nil
}

var (
	firstTwin = dsl.Container("first-twin", func(in twinA, out twinOut) dsl.ContainerSpec { return twin(in.Text, out) }).
			OnLocal(func(_ context.Context, in twinA, out *twinOut) error { return says(in.Text, out) })
	secondTwin = dsl.Container("second-twin", func(in twinB, out twinOut) dsl.ContainerSpec { return twin(in.Text, out) }).
			OnLocal(func(_ context.Context, in twinB, out *twinOut) error { return says(in.Text, out) })
)

// Twins has two components whose containers are equal.
var Twins = dsl.Pipeline("twins", func(s *dsl.Scope, _ dsl.None) TwoOut {
	return TwoOut{firstTwin.Call(s, twinA{}).Out.Text, secondTwin.Call(s, twinB{}).Out.Text}
})
