package vet

import (
	"math/big"
	"strings"

	"github.com/kfpgo/kfpgo/internal/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/program"
)

// quantities finds what Kubernetes refuses: quantities that are none, and requests
// above their limits.
func (v *vetter) quantities(t *program.Task, path string) {
	s := &t.Settings
	check := func(what, text string) {
		n, ok := quantity(text)
		switch {
		case text == "" || strings.Contains(text, "{{"):
		case !ok:
			v.find(Error, "resources", path, t.Pos, "%s is %q, which is no quantity of Kubernetes; write it as 500m, 2 or 4Gi", what, text)
		case !strings.Contains(what, "CPU") && n.Cmp(big.NewRat(1<<20, 1)) < 0 && n.Sign() > 0:
			v.find(Warning, "resources", path, t.Pos, "%s is %q, less than a mebibyte: without a unit these are bytes, and m is a thousandth of one; write it as 4Gi", what, text)
		}
	}
	for _, q := range []struct {
		what string
		of   *program.Value
	}{{"the CPU limit", s.CPULimit}, {"the CPU request", s.CPURequest}, {"the memory limit", s.MemoryLimit}, {"the memory request", s.MemoryRequest}} {
		text, _ := q.of.Constant()
		check(q.what, text)
	}
	for _, e := range s.EphemeralVolumes {
		check("the size of volume "+e.Name, e.Size)
	}
	for _, e := range s.EmptyDirs {
		check("the size limit of volume "+e.Name, e.SizeLimit)
	}
	if s.SharedMemory != nil {
		check("the size of the shared memory", s.SharedMemory.Size)
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
		r, ok1 := quantity(request)
		l, ok2 := quantity(limit)
		if ok1 && ok2 && r.Cmp(l) > 0 {
			v.find(Error, "resources", path, t.Pos, "it requests %s of %s, more than its limit of %s: Kubernetes refuses such a pod", request, q.what, limit)
		}
	}
}

var suffixes = map[string]string{
	"": "1", "m": "1/1000", "k": "1000", "K": "1000", "M": "1000000", "G": "1000000000", "T": "1000000000000", "P": "1000000000000000", "E": "1000000000000000000",
	"Ki": "1024", "Mi": "1048576", "Gi": "1073741824", "Ti": "1099511627776", "Pi": "1125899906842624", "Ei": "1152921504606846976",
}

var quantityForm = lazyregexp.New(`^([0-9]{1,30}(?:\.[0-9]{0,30})?|\.[0-9]{1,30})([A-Za-z]*)$`)

// quantity reads a Kubernetes quantity.
func quantity(s string) (*big.Rat, bool) {
	m := quantityForm.FindStringSubmatch(s)
	if m == nil || suffixes[m[2]] == "" {
		return nil, false
	}
	n, ok1 := new(big.Rat).SetString("0" + strings.TrimSuffix(m[1], "."))
	unit, ok2 := new(big.Rat).SetString(suffixes[m[2]])
	if !ok1 || !ok2 {
		return nil, false
	}
	return n.Mul(n, unit), true
}
