package dsl

import (
	"context"
	"crypto/sha256"
	"fmt"
	"reflect"
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// pass adds a task that returns a value as it is.
func pass[T any](s *Scope, value T, pos graph.Pos) T {
	for _, f := range leaves(&value) {
		if t, err := f.typ(); err == nil && t.Artifact {
			var none T
			for _, f := range leaves(&none) {
				f.bind(record.Invalidf("the Default of a OneOf has an artifact, and only parameters can be passed on; use Else with a dsl.Import"))
			}
			return none
		}
	}
	if _, ok := any(&value).(field); ok {
		return passer[held[T]](pos).Call(s, held[T]{value}).Out.Value
	}
	return passer[T](pos).Call(s, value).Out
}

// held makes a struct of a single value.
type held[T any] struct{ Value T }

var passers sync.Map // by type, since a program has one component of a name

// passer returns the component that returns what it is given.
func passer[T any](pos graph.Pos) *Component[T, T] {
	t := reflect.TypeFor[T]()
	if c, ok := passers.Load(t); ok {
		return c.(*Component[T, T])
	}
	c := Func(passerName(t), func(_ context.Context, in T, out *T) error {
		to := leaves(out)
		for i, from := range leaves(&in) {
			b, err := from.store()
			if err == nil && b != nil {
				err = to[i].load(b)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	c.c.Pos = pos
	kept, _ := passers.LoadOrStore(t, c)
	return kept.(*Component[T, T])
}

var wordType = lazyregexp.New(`^[a-z0-9]+$`)

// passerName returns the name of the component for a type: default-int, and with
// digits for types whose names could be those of others.
func passerName(t reflect.Type) string {
	name := t.PkgPath() + "." + t.Name()
	if v, ok := reflect.New(t).Interface().(interface{ held() field }); ok {
		if typ, err := v.held().typ(); err == nil {
			name = typ.Go
		}
	}
	if wordType.MatchString(name) {
		return "default-" + name
	}
	return fmt.Sprintf("default-%s-%.2x", last(name), sha256.Sum256([]byte(name)))
}

func (h *held[T]) held() field { return any(&h.Value).(field) }

var noName = lazyregexp.New(`[^a-z0-9]+`)

// last returns the last word of a type.
func last(name string) string {
	words := strings.Fields(noName.ReplaceAllString(strings.ToLower(name), " "))
	if len(words) == 0 {
		return "value"
	}
	return words[len(words)-1]
}
