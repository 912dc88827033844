package vet

import (
	"math/big"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// quantities finds invalid quantities, which Kubernetes refuses, and requests
// above their limits.
func (v *vetter) quantities(t *program.Task, path string) {
	s := &t.Settings
	for _, q := range s.Quantities() {
		if q.Of != nil || q.Text == "" || strings.Contains(q.Text, "{{") {
			continue
		}
		if err := q.Check(q.Text); err != nil {
			v.find(Error, "resources", path, t.Pos, "%v", err)
		} else if n, _ := number(q.Text); q.Bytes && n.Cmp(big.NewRat(1<<20, 1)) < 0 && n.Sign() > 0 {
			v.find(Warning, "resources", path, t.Pos, "%s is %q, less than a mebibyte: without a unit these are bytes, and m is a thousandth of one; write it as 4Gi", q.What, q.Text)
		}
	}
	for _, q := range []struct {
		what           string
		request, limit *program.Value
	}{{"CPU", s.CPURequest, s.CPULimit}, {"memory", s.MemoryRequest, s.MemoryLimit}} {
		request, ok1 := q.request.Constant()
		limit, ok2 := q.limit.Constant()
		if !ok1 || !ok2 {
			continue
		}
		r, ok1 := number(request)
		l, ok2 := number(limit)
		if ok1 && ok2 && r.Cmp(l) > 0 {
			v.find(Error, "resources", path, t.Pos, "it requests %s of %s, more than its limit of %s: Kubernetes refuses such a pod", request, q.what, limit)
		}
	}
}

// number reads a quantity.
func number(text string) (*big.Rat, bool) {
	q, err := quantity.Parse(text)
	return q.Rat(), err == nil
}
