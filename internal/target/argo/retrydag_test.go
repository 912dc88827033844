package argo_test

import (
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

// TestRetriedPipeline: the template of a DAG has the retry of the task that calls it,
// one for each way to retry it and one without.
func TestRetriedPipeline(t *testing.T) {
	inner := dsl.Pipeline("inner", func(s *dsl.Scope, in countIO) countIO { return countStep.Call(s, in).Out })
	p := dsl.Pipeline("outer", func(s *dsl.Scope, in countIO) dsl.None {
		inner.Call(s, in)
		inner.Call(s, in, dsl.Retry(2))
		inner.Call(s, in, dsl.Retry(2))
		inner.Call(s, in, dsl.Retry(3, dsl.Backoff{Initial: time.Minute}))
		return dsl.None{}
	})
	got := map[string]int{}
	for _, tpl := range workflow(t, p, options).Spec.Templates {
		switch r := tpl.RetryStrategy; {
		case tpl.DAG == nil:
		case r == nil:
			got["none"]++
		case r.Backoff != nil:
			got[r.Limit.String()+" after "+r.Backoff.Duration+", "+string(r.RetryPolicy)]++
		default:
			got[r.Limit.String()+", "+string(r.RetryPolicy)]++
		}
	}
	want := map[string]int{"none": 2, "2, Always": 1, "3 after 1m0s, Always": 1}
	for k, n := range want {
		if got[k] != n {
			t.Errorf("%s: %d, want %d: %v", k, got[k], n, got)
		}
	}
}
