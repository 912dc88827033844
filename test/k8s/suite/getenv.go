package suite

import (
	"context"
	"os"

	"github.com/kfpgo/kfpgo/dsl"
)

// Getenv returns two variables.
var Getenv = dsl.Func("getenv", func(_ context.Context, _ dsl.None, out *Text) error {
	out.Text.Set(os.Getenv("A") + "|" + os.Getenv("B"))
	return nil
})
