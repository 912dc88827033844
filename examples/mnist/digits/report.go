package digits

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

type ReportIn struct {
	Status dsl.Param[dsl.FinalStatus]
	Day    dsl.Param[time.Time] `kfp:",optional"`
}

// Report says how the run ended and, where that is known, which task failed.
var Report = dsl.Func("report", func(_ context.Context, in ReportIn, _ *dsl.None) error {
	status, day := in.Status.Get(), ""
	if t, ok := in.Day.Lookup(); ok {
		day = " of " + t.Format(time.DateOnly)
	}
	fmt.Printf("the run%s: %s\n", day, status.State)
	if msg := status.Error.Message; msg != "" {
		fmt.Printf("%s: %s\n", cmp.Or(status.PipelineTask, "a task"), msg)
	}
	return nil
})
