package standin

import (
	"context"
	"errors"
	"time"
)

// A batcher holds requests back until there are enough of them, or the first has
// waited for long enough, as TensorFlow Serving does with batching on.
type batcher struct {
	jobs  chan job
	ended <-chan struct{}
}

type job struct {
	ctx  context.Context
	data []byte
	done chan<- answer
}

type answer struct {
	scores []float64
	err    error
}

func (b *batcher) score(ctx context.Context, data []byte) ([]float64, error) {
	done := make(chan answer, 1)
	select {
	case b.jobs <- job{ctx, data, done}:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.ended:
		return nil, errors.New("the server has ended")
	}
	select {
	case a := <-done:
		return a.scores, a.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (b *batcher) run(ctx context.Context, c Config, one func(context.Context, []byte) ([]float64, error)) {
	for {
		var batch []job
		select {
		case j := <-b.jobs:
			batch = append(batch, j)
		case <-ctx.Done():
			return
		}
		full := time.NewTimer(c.Wait)
	fill:
		for len(batch) < c.MaxBatch {
			select {
			case j := <-b.jobs:
				batch = append(batch, j)
			case <-full.C:
				break fill
			case <-ctx.Done():
				break fill
			}
		}
		full.Stop()
		for _, j := range batch {
			go func() {
				scores, err := one(j.ctx, j.data)
				j.done <- answer{scores, err}
			}()
		}
	}
}
