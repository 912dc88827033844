package random

import "github.com/kfpgo/kfpgo/dsl"

// cond makes a condition, of conditions up to a depth.
func (m *maker) cond(at *pool, depth int) dsl.Cond {
	if depth > 0 {
		switch m.IntN(6) {
		case 0:
			return dsl.And(m.cond(at, depth-1), m.cond(at, depth-1))
		case 1:
			return dsl.Or(m.cond(at, depth-1), m.cond(at, depth-1))
		case 2:
			return dsl.Not(m.cond(at, depth-1))
		}
	}
	switch m.IntN(8) {
	case 0, 1:
		return compare(m, one(m.random, at.ns, m.refInt(at)), at.ns, m.int)
	case 2, 3:
		return compare(m, one(m.random, at.texts, m.refText(at)), at.texts, m.text)
	case 4:
		if len(at.fs) > 0 {
			return compare(m, pick(m.random, at.fs), at.fs, m.float)
		}
	case 5:
		if len(at.maybe) > 0 {
			return compare(m, pick(m.random, at.maybe), append(at.maybe, at.texts...), m.text)
		}
	case 6:
		if len(at.maybeN) > 0 {
			return compare(m, pick(m.random, at.maybeN), append(at.maybeN, at.ns...), m.int)
		}
	case 7:
		if len(m.given) > 0 {
			return pick(m.random, m.given)
		}
	}
	if len(at.bs) > 0 {
		if b := pick(m.random, at.bs); m.bool() {
			return dsl.True(b)
		}
		return dsl.NeRef(pick(m.random, at.bs), pick(m.random, at.bs))
	}
	return dsl.Eq(pick(m.random, at.texts), m.text())
}

// What a pool without a value of a type has of it: its items' fields, or else the text.
func (m *maker) refInt(at *pool) func() dsl.Param[int] {
	return func() dsl.Param[int] {
		if len(at.item) > 0 {
			return dsl.Field(pick(m.random, at.item), func(i *item) *int { return &i.N })
		}
		return pick(m.random, at.ns)
	}
}

func (m *maker) refText(at *pool) func() dsl.Param[string] {
	return func() dsl.Param[string] {
		if len(at.item) > 0 {
			return dsl.Field(pick(m.random, at.item), func(i *item) *string { return &i.Text })
		}
		return pick(m.random, at.texts)
	}
}

func compare[T string | int | float64](m *maker, a dsl.Param[T], refs []dsl.Param[T], fresh func() T) dsl.Cond {
	if m.bool() {
		b := pick(m.random, refs)
		return pick(m.random, []func(a, b dsl.Param[T]) dsl.Cond{dsl.EqRef[T], dsl.NeRef[T], dsl.LtRef[T], dsl.LeRef[T], dsl.GtRef[T], dsl.GeRef[T]})(a, b)
	}
	if m.IntN(4) == 0 {
		return dsl.In(a, fresh(), fresh(), fresh())
	}
	return pick(m.random, []func(a dsl.Param[T], b T) dsl.Cond{dsl.Eq[T], dsl.Ne[T], dsl.Lt[T], dsl.Le[T], dsl.Gt[T], dsl.Ge[T]})(a, fresh())
}
