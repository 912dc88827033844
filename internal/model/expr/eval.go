package expr

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// Eval evaluates e. Lookup returns the JSON of the value that a name has; null
// and false mean that it was not given.
func (e *Expr) Eval(lookup func(name string) (json.RawMessage, bool)) (bool, error) {
	switch e.Op {
	case "&&", "||":
		for _, a := range e.Args {
			v, err := a.Eval(lookup)
			if err != nil || v == (e.Op == "||") {
				return v, err
			}
		}
		return e.Op == "&&", nil
	case "!":
		v, err := e.Args[0].Eval(lookup)
		return !v && err == nil, err
	case "const":
		return e.Is(true), nil
	case "given":
		_, ok := e.Args[0].value(lookup)
		return ok, nil
	}
	values := make([]json.RawMessage, len(e.Args))
	for i, a := range e.Args {
		v, ok := a.value(lookup)
		if !ok {
			return false, nil
		}
		values[i] = v
	}
	if len(values) < 2 {
		return false, fmt.Errorf("condition: %q of %d operands", e.Op, len(values))
	}
	for i, v := range values[1:] {
		n, err := compare(e.Args[0].Type, values[0], e.Args[i+1].Type, v)
		if err != nil {
			return false, fmt.Errorf("condition: %w", err)
		}
		if holds, err := relation(e.Op, n); err != nil || holds {
			return holds, err
		}
	}
	return false, nil
}

func (e *Expr) value(lookup func(string) (json.RawMessage, bool)) (json.RawMessage, bool) {
	if e.Op == "const" {
		return e.Const, true
	}
	v, ok := lookup(e.Name)
	return v, ok && v != nil && !bytes.Equal(bytes.TrimSpace(v), []byte("null"))
}

func relation(op string, n int) (bool, error) {
	switch op {
	case "==", "in":
		return n == 0, nil
	case "!=":
		return n != 0, nil
	case "<":
		return n < 0, nil
	case "<=":
		return n <= 0, nil
	case ">":
		return n > 0, nil
	case ">=":
		return n >= 0, nil
	}
	return false, fmt.Errorf("condition: no operator %q", op)
}

// compare orders two values: numbers as numbers, integers exactly, strings by
// their bytes, false before true.
func compare(aType string, a json.RawMessage, bType string, b json.RawMessage) (int, error) {
	switch {
	case aType == kfptype.String && bType == kfptype.String:
		return decoded[string](a, b, cmp.Compare[string])
	case aType == kfptype.Boolean && bType == kfptype.Boolean:
		return decoded[bool](a, b, func(a, b bool) int {
			switch {
			case a == b:
				return 0
			case b:
				return -1
			}
			return 1
		})
	}
	x, err := number(aType, a)
	if err != nil {
		return 0, err
	}
	y, err := number(bType, b)
	if err != nil {
		return 0, err
	}
	return x.Cmp(y), nil
}

func decoded[T any](a, b json.RawMessage, compare func(a, b T) int) (int, error) {
	var x, y T
	if err := json.Unmarshal(a, &x); err != nil {
		return 0, fmt.Errorf("%s is not a %T", a, x)
	}
	if err := json.Unmarshal(b, &y); err != nil {
		return 0, fmt.Errorf("%s is not a %T", b, y)
	}
	return compare(x, y), nil
}

func number(typ string, text json.RawMessage) (*big.Rat, error) {
	if typ == kfptype.Integer {
		if i, ok := new(big.Int).SetString(string(text), 10); ok {
			return new(big.Rat).SetInt(i), nil
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if typ != kfptype.Integer && typ != kfptype.Double || err != nil {
		return nil, fmt.Errorf("%s (%s) is not a number", text, typ)
	}
	return new(big.Rat).SetFloat64(f), nil
}
