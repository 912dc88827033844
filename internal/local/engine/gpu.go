package engine

import (
	"bytes"
	"context"
	"fmt"
	"sync"

	"github.com/kfpgo/kfpgo/internal/host/child"
	"github.com/kfpgo/kfpgo/internal/model/program"
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
	} else if out, err := child.Output(child.Command(ctx, "nvidia-smi", "-L")); err == nil {
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
		name := a.Resource
		if a.Type != nil {
			b, _, err := s.eval(*a.Type)
			if err != nil {
				return 0, fmt.Errorf("the type of its devices: %w", err)
			}
			name = plain(b)
		}
		n, err := s.count(a.Count, name)
		if err != nil {
			return 0, err
		}
		gpus, err := s.e.device(name, n)
		if err != nil {
			return 0, err
		}
		if sum += gpus; sum > s.e.gpus.n {
			_, err := s.e.device(nvidia, sum)
			return 0, err
		}
	}
	return sum, nil
}

// device returns how many GPUs a number of devices takes, or why this machine
// can't have them. A share of a GPU takes all of it: nobody here would keep two
// steps from using more than theirs.
func (e *engine) device(resource string, n int) (int, error) {
	gpus := n
	switch resource {
	case nvidia:
	case "tencent.com/vcuda-core": // hundredths
		gpus = (n + 99) / 100
	case "tencent.com/vcuda-memory": // of the same GPUs
		gpus = 0
	default:
		if n > 0 {
			return 0, fmt.Errorf("it asks for %d %s, which this machine can't count; --gpus ignore runs it without", n, resource)
		}
	}
	if gpus > e.gpus.n {
		return 0, fmt.Errorf("it asks for %d %s, and this machine has %d; --gpus ignore runs it without", gpus, nvidia, e.gpus.n)
	}
	return gpus, nil
}

// constantCount returns a count that is known before the run, or 0.
func constantCount(v program.Value) int {
	var n int
	if text, ok := v.Constant(); ok {
		fmt.Sscan(text, &n)
	}
	return n
}
