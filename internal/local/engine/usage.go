package engine

import (
	"bytes"
	"context"
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/host/usage"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// measure measures the step until stop is called, if Options.Usage asks for it. Root finds the
// step's process, or returns 0.
func (s *step) measure(ctx context.Context, root func(context.Context) int) (stop func()) {
	if !s.e.o.Usage {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	got := make(chan *usage.Samples, 1)
	go func() {
		var samples *usage.Samples
		if pid := root(ctx); pid > 0 {
			samples = usage.Measure(ctx, pid, s.devices)
		}
		got <- samples
	}()
	return func() {
		cancel()
		samples := <-got
		s.e.update(s.rec, func(rec *run.Task) { rec.Usage = samples })
	}
}

// containerProcess waits until a container runs, whose image may have to be pulled first, and
// returns the number of its first process on this machine.
func containerProcess(ctx context.Context, tool, name string) int {
	for ctx.Err() == nil {
		out, err := child.Output(child.Command(ctx, tool, "inspect", "--format", "{{.State.Pid}}", name))
		if pid, bad := strconv.Atoi(string(bytes.TrimSpace(out))); err == nil && bad == nil && pid > 0 {
			return pid
		}
		select {
		case <-ctx.Done():
		case <-time.After(200 * time.Millisecond):
		}
	}
	return 0
}
