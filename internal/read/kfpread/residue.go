package kfpread

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// residue adds to a program what the IR that is written of it lacks of the file.
func (f *file) residue(p *program.Program) error {
	written, err := kfp.Documents(p, kfp.Options{})
	if err != nil {
		return fmt.Errorf("%s: %w", f.log.name, err)
	}
	for i, n := range []*node{f.written, f.platformNode} {
		var was, want any
		if i < len(written) {
			if was, err = decode(written[i]); err != nil {
				return fmt.Errorf("%s: %w", f.log.name, err)
			}
		}
		if n != nil {
			if want, err = decode(n.json()); err != nil {
				return fmt.Errorf("%s: %w", f.log.name, err)
			}
		}
		d := &differ{doc: i}
		d.diff(nil, was, want, was != nil, want != nil)
		p.Residue = append(p.Residue, d.changes...)
	}
	return nil
}

func decode(j json.RawMessage) (v any, err error) {
	err = jsontext.Decode(j, &v)
	return v, err
}

// A differ lists the changes that make one document of another.
type differ struct {
	doc     int
	changes []program.Change
}

func (d *differ) diff(path []string, was, want any, isWas, isWant bool) {
	path = path[:len(path):len(path)] // each change has its own
	if !isWant {
		if isWas {
			d.changes = append(d.changes, program.Change{Doc: d.doc, Path: path})
		}
		return
	}
	if isWas {
		switch w := want.(type) {
		case map[string]any:
			if g, ok := was.(map[string]any); ok {
				keys := map[string]bool{}
				for k := range g {
					keys[k] = true
				}
				for k := range w {
					keys[k] = true
				}
				for _, k := range sorted(keys) {
					gv, gok := g[k]
					wv, wok := w[k]
					d.diff(append(path, k), gv, wv, gok, wok)
				}
				return
			}
		case []any:
			if g, ok := was.([]any); ok && len(g) == len(w) {
				for i := range w {
					d.diff(append(path, strconv.Itoa(i)), g[i], w[i], true, true)
				}
				return
			}
		case json.Number:
			if g, ok := was.(json.Number); ok && equal(g, w) {
				return
			}
		default:
			if was == want {
				return
			}
		}
	}
	b, _ := jsontext.Marshal(want) // it was decoded from JSON
	d.changes = append(d.changes, program.Change{Doc: d.doc, Path: path, Set: b})
}

// equal reports whether two numbers are the same, such as 3 and 3.0.
func equal(a, b json.Number) bool {
	if a == b {
		return true
	}
	if len(a) > 64 || len(b) > 64 {
		return false
	}
	x, err1 := strconv.ParseFloat(string(a), 64)
	y, err2 := strconv.ParseFloat(string(b), 64)
	if err1 != nil || err2 != nil || x != y {
		return false
	}
	if x < 1e-300 && x > -1e-300 || x > 1e300 || x < -1e300 { // no long exponents
		return true
	}
	p, ok1 := new(big.Rat).SetString(string(a))
	q, ok2 := new(big.Rat).SetString(string(b))
	return ok1 && ok2 && p.Cmp(q) == 0
}
