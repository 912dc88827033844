package argo_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
)

type bare struct {
	Deploy dsl.Param[string]
	N      dsl.Param[int] `enum:"1,2" default:"3"`
}

type wrongOut struct {
	Table dsl.Param[string] `kfp:",optional" default:"x"`
	Model dsl.Model
}

type badEnum struct {
	N dsl.Param[int] `enum:"1,two"`
}

type enumIn struct {
	Size dsl.Param[string] `enum:"s,m"`
}

// TestSuspendMistakes: all mistakes of a suspended step are reported at once.
func TestSuspendMistakes(t *testing.T) {
	for _, tt := range []struct {
		c    interface{ Check() error }
		want []string
	}{
		{argo.Suspend[dsl.None, bare]("a", argo.SuspendSpec{Duration: time.Hour}), []string{
			`output deploy has no default, and after 1h0m0s nobody has given it`, `output n: the default "3" is not one of the enum tag, ["1" "2"]`,
		}},
		{argo.Suspend[rows, wrongOut]("b", argo.SuspendSpec{Duration: time.Millisecond}), []string{
			"Duration is 1ms; use whole seconds", "output table is optional and has a default", "an input and an output are both named table", "output model is an artifact",
		}},
		{argo.Suspend[dsl.None, badEnum]("c", argo.SuspendSpec{Duration: -time.Second}), []string{`enum "1,two": "two": not a valid int`, "Duration is -1s"}},
		{argo.Suspend[enumIn, dsl.None]("d", argo.SuspendSpec{}), []string{"component d: size has an enum tag, which only an output of argo.Suspend may have"}},
		{dsl.Container("e", func(enumIn, dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "x"} }), []string{"component e: size has an enum tag"}},
	} {
		err := tt.c.Check()
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("no %q in\n%v", want, err)
			}
		}
	}
}
