package engine

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"sync"

	"github.com/kfpgo/kfpgo/internal/program"
)

const nvidia = "nvidia.com/gpu"

// gpus are the devices of this machine, which steps queue for.
type gpus struct {
	n    int
	mu   sync.Mutex
	free []int
	more chan struct{} // closed when devices are given back
}

// newGPUs returns n devices, or those that nvidia-smi lists.
func newGPUs(ctx context.Context, n *int) *gpus {
	g := &gpus{more: make(chan struct{})}
	if n != nil {
		g.n = *n
	} else if out, err := exec.CommandContext(ctx, "nvidia-smi", "-L").Output(); err == nil {
		g.n = bytes.Count(out, []byte("GPU "))
	}
	for i := range g.n {
		g.free = append(g.free, i)
	}
	return g
}

func (g *gpus) take(ctx context.Context, n int) ([]int, error) {
	for {
		g.mu.Lock()
		if len(g.free) >= n {
			got := append([]int{}, g.free[:n]...)
			g.free = g.free[n:]
			g.mu.Unlock()
			return got, nil
		}
		more := g.more
		g.mu.Unlock()
		select {
		case <-more:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

func (g *gpus) give(ids []int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.free = append(g.free, ids...)
	close(g.more)
	g.more = make(chan struct{})
}

// countGPUs returns how many devices the step asks for, if it runs for real.
func (s *step) countGPUs() (int, error) {
	if s.c.Exec.OnLocal || s.e.o.IgnoreGPUs {
		return 0, nil
	}
	sum := 0
	for _, a := range s.t.Settings.Accelerators {
		n, err := s.count(a.Count, a.Resource)
		if err != nil {
			return 0, err
		}
		sum += n
		if err := s.e.device(a.Resource, sum); err != nil {
			return 0, err
		}
	}
	return sum, nil
}

// device reports whether the machine has what is asked for.
func (e *engine) device(resource string, n int) error {
	switch {
	case n == 0:
	case resource != nvidia:
		return fmt.Errorf("it asks for %d %s, which this machine can't count; --gpus ignore runs it without", n, resource)
	case n > e.gpus.n:
		return fmt.Errorf("it asks for %d %s, and this machine has %d; --gpus ignore runs it without", n, resource, e.gpus.n)
	}
	return nil
}

// constantCount returns a count that is known before the run, or 0.
func constantCount(v program.Value) int {
	var n int
	if text, ok := v.Constant(); ok {
		fmt.Sscan(text, &n)
	}
	return n
}
