package query

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"
)

// transport keeps as many connections as are used at once.
func transport(parallel int) *http.Transport {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.MaxIdleConnsPerHost = max(2, parallel)
	return t
}

// ask sends all instances, several requests at once if that is wanted. The
// predictions are in the order of the instances; a time is that of a request. The
// first request that fails ends the others.
func (c *caller) ask(ctx context.Context, instances []json.RawMessage) (predictions []json.RawMessage, times []time.Duration, err error) {
	batches := slices.Collect(slices.Chunk(instances, max(1, c.in.Batch.Get())))
	answers := make([][]json.RawMessage, len(batches))
	times = make([]time.Duration, len(batches))
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan int, len(batches))
	for i := range batches {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(c.in.Parallel.Get(), len(batches)) {
		wg.Go(func() {
			for i := range next {
				if ctx.Err() != nil {
					return
				}
				began := time.Now()
				got, err := c.call(ctx, batches[i])
				times[i] = time.Since(began)
				if err == nil && len(got) != len(batches[i]) {
					err = fmt.Errorf("%d predictions for %d instances", len(got), len(batches[i]))
				}
				if err != nil {
					cancel(fmt.Errorf("request %d: %w", i+1, err))
					return
				}
				answers[i] = got
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return nil, nil, context.Cause(ctx)
	}
	return slices.Concat(answers...), times, nil
}

func sum(times []time.Duration) (all time.Duration) {
	for _, t := range times {
		all += t
	}
	return all
}
