package dsl

import (
	"encoding/json"
	"reflect"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// As returns a parameter with another Go type, where its own says less than the
// author knows: an item of a []any, say, which is KFP's untyped list. Nothing is
// converted: the value must have the form of a T when it arrives.
//
//	dsl.ParallelFor(s, in.Mixed, func(s *dsl.Scope, item dsl.Param[any]) dsl.None {
//		Train.Call(s, TrainIn{Rate: dsl.As[float64](item)})
//		return dsl.None{}
//	})
func As[T, S any](p Param[S]) Param[T] {
	if p.val == nil || p.src != nil && p.src.Kind == graph.Format {
		return Param[T]{src: p.src}
	}
	var v T
	b, err := encode(*p.val)
	if err == nil {
		err = json.Unmarshal(b, &v)
	}
	if err != nil {
		return Param[T]{src: record.Invalidf("As: the constant %s is not of type %v", b, reflect.TypeFor[T]())}
	}
	return Const(v)
}

// AsArtifact returns an artifact with another kind, where its own says less than
// the author knows, as [Any] does. KFP takes an Artifact for any kind.
func AsArtifact[A interface{ artifact() }, B interface {
	artifact()
	Input
}](b B) A {
	var a A
	rebind(any(&a).(field), b)
	return a
}

// AsList is [AsArtifact] for a list.
func AsList[A, B interface{ artifact() }](l List[B]) List[A] {
	var a List[A]
	rebind(&a, l)
	return a
}

// rebind makes a field a reference to what another one refers to.
func rebind(to field, from Input) {
	v := from.ref()
	if v == nil {
		return
	}
	typ := v.Type
	to.bind(v)
	v.Type = typ
}

var keyForm = lazyregexp.New(`^[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

// TaskKey sets the name of a task in the compiled YAML: small letters, digits and
// dashes. Without it that is the name of the component, with a number where
// several tasks have one. For the name that UIs show see [Named].
func TaskKey(key string) Option {
	return record.At(func(t *record.Task) {
		if !keyForm.MatchString(key) || len(key) > maxName {
			t.Errorf("TaskKey(%q): at most %d small letters, digits and dashes, with a letter or digit at both ends", key, maxName)
			return
		}
		t.Key = key
	})
}

// rekey gives a task the name that TaskKey asks for, and its own one back.
func (s *Scope) rekey(t *record.Task, pos graph.Pos, before int) {
	base := t.Component.Name
	if t.Key == "" || t.Key == t.Name {
		return
	}
	if t.Name != base {
		delete(s.names, t.Name)
	}
	if s.names[base] = before; before == 0 {
		delete(s.names, base)
	}
	if s.names[t.Key] > 0 {
		s.errorf(pos, "TaskKey(%q): a task before it has that name", t.Key)
	}
	t.Name, s.names[t.Key] = t.Key, max(2, s.names[t.Key])
}
