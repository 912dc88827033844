package argo_test

import (
	"context"
	"fmt"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
)

type rows struct{ Table dsl.Param[string] }

var load = dsl.Func("load", func(context.Context, rows, *dsl.None) error { return nil })

// Steps that write to one table take turns, and at most as many use the warehouse as
// the config map limits says.
func ExampleMutex() {
	p := dsl.Pipeline("loads", func(s *dsl.Scope, in rows) dsl.None {
		load.Call(s, in, argo.Mutex(in.Table), argo.Semaphore("limits", "warehouse"))
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
