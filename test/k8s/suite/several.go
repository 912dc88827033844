package suite

import "github.com/kfpgo/kfpgo/dsl"

var tells = dsl.Container("tells", func(in, out Text) dsl.ContainerSpec {
	return dsl.ContainerSpec{Image: busybox, Command: []string{"sh", "-ec", `mkdir -p "$(dirname "$0")"; printf %s "$1" >"$0"`}, Args: dsl.Args(out.Text.Path(), in.Text)}
})

var repeats = dsl.Python[Text, Text]("repeats", dsl.PythonSource{Source: source, Function: "repeats", Image: "registry.local/python:1"})

type SeveralOut struct{ Go, Python, Container dsl.Param[string] }

// Several puts several values into one text, for each kind of step.
var Several = dsl.Pipeline("several", func(s *dsl.Scope, in Text) SeveralOut {
	n := Add1.Call(s, Int{dsl.Const(1)}).Out.N
	text := Echo.Call(s, in).Out.Text
	all := Text{dsl.Sprintf("%v|%v|%v|%v", n, text, in.Text, n)}
	return SeveralOut{Echo.Call(s, all).Out.Text, repeats.Call(s, all).Out.Text, tells.Call(s, all).Out.Text}
})
