// Package hold is a pipeline for tests, whose runs go on until they are released.
package hold

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

type In struct {
	Day  dsl.Param[time.Time] `kfp:",optional"`
	Gate dsl.Param[string]
}

// Wait waits until the file Gate is newer than its own start.
var Wait = dsl.Func("wait", func(ctx context.Context, in In, _ *dsl.None) error {
	began := time.Now()
	for {
		if st, err := os.Stat(in.Gate.Get()); err == nil && st.ModTime().After(began) {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.New("was told to stop")
		case <-time.After(50 * time.Millisecond):
		}
	}
})

// Pipeline waits.
var Pipeline = dsl.Pipeline("hold", func(s *dsl.Scope, in In) dsl.None {
	Wait.Call(s, in)
	return dsl.None{}
})
