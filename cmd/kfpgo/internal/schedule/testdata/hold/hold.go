// Package hold is a pipeline for tests, whose runs continue until they are released.
package hold

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

type In struct {
	Day  dsl.Param[time.Time] `kfp:",optional"`
	Gate dsl.Param[string]
}

// Wait waits until the file Gate is newer than its own start, or its folder is gone.
var Wait = dsl.Func("wait", func(ctx context.Context, in In, _ *dsl.None) error {
	began := time.Now()
	for {
		if st, err := os.Stat(in.Gate.Get()); err == nil && st.ModTime().After(began) {
			return nil
		}
		if _, err := os.Stat(filepath.Dir(in.Gate.Get())); err != nil {
			return err // the test has ended, and removed its folder
		}
		select {
		case <-ctx.Done():
			return errors.New("got SIGTERM")
		case <-time.After(50 * time.Millisecond):
		}
	}
})

// Pipeline waits.
var Pipeline = dsl.Pipeline("hold", func(s *dsl.Scope, in In) dsl.None {
	Wait.Call(s, in)
	return dsl.None{}
})
