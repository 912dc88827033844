package argoread

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// loop repeats a task for the items of a list.
func (s *scope) loop(c *call, t *task) {
	each := &program.Each{Parallelism: int(s.m.t.Parallelism)}
	var typ graph.Type // of the items, where they are known
	switch {
	case t.WithItems != nil:
		each.Items, typ = s.items(c, t)
	case t.WithSequence != nil:
		each.Items = s.sequence(t.WithSequence)
		typ.Name = kfptype.String
	default:
		each.Items = s.value(t.WithParam.At, t.WithParam.S, nil)
		switch each.Items.Kind {
		case program.Const:
			each.Items, typ = s.constants(c, t.WithParam.At, []byte(constant(each.Items)))
		case program.Format:
			s.refuse(t.WithParam.At, "withParam of a string with tags", "%s; take one list", t.WithParam.S)
		}
	}
	if each.Items.Kind == "" {
		return
	}
	c.loop = true
	s.wrap(c, program.Loop, s.group("for-loop"))
	outer, w := c.tasks[0], c.wraps[0]
	outer.Each = each
	for i := range w.Inputs {
		if outer.Args[w.Inputs[i].Name].Kind == item {
			each.Item = w.Inputs[i].Name
			w.Inputs[i].Type = typ
			delete(outer.Args, each.Item)
		}
	}
	if each.Item == "" {
		each.Item = free(w.Inputs, "item")
		if typ.Name == "" {
			typ.Name = kfptype.String
		}
		w.Inputs = append(w.Inputs, program.Port{Name: each.Item, Type: typ})
	}
	if each.Items.Kind != program.Const {
		each.List = free(w.Inputs, each.Item+"s")
		w.Inputs = append(w.Inputs, program.Port{Name: each.List, Type: graph.Type{Name: kfptype.List}})
		outer.Args[each.List] = each.Items
	}
}

func constant(v program.Value) string { s, _ := v.Constant(); return s }

// items returns a list that is written out. Argo replaces the tags in it first.
func (s *scope) items(c *call, t *task) (program.Value, graph.Type) {
	list, typ := s.constants(c, t.WithItems.At, t.WithItems.JSON)
	var items any
	if !tagForm.Match(list.Const) || jsontext.Decode(list.Const, &items) != nil {
		return list, typ
	}
	v := program.Value{Kind: program.Format, Text: []string{""}, Type: list.Type}
	s.put(&v, t.WithItems.At, items)
	return v, typ
}

// put adds the JSON of something to a list that is made of values.
func (s *scope) put(list *program.Value, at pos, v any) {
	last := &list.Text[len(list.Text)-1]
	switch v := v.(type) {
	case []any:
		*last += "["
		for i, item := range v {
			if i > 0 {
				list.Text[len(list.Text)-1] += ","
			}
			s.put(list, at, item)
		}
		list.Text[len(list.Text)-1] += "]"
	case map[string]any:
		sep := "{"
		for _, k := range sortedKeys(v) {
			list.Text[len(list.Text)-1] += sep + string(jsonText(k)) + ":"
			s.put(list, at, v[k])
			sep = ","
		}
		list.Text[len(list.Text)-1] += "}"
	case string:
		of := s.value(at, v, nil)
		if of.Kind == program.Const {
			*last += string(of.Const)
			return
		}
		if of.Kind != program.Format { // a string, whatever it is elsewhere
			of = program.Value{Kind: program.Format, Text: []string{"", ""}, Of: []program.Value{of}, Type: graph.Type{Name: kfptype.String}}
		}
		list.Text, list.Of = append(list.Text, ""), append(list.Of, of)
	default:
		*last += asText(v)
	}
}

// constants returns a list as a constant. Items of several kinds are strings, as all
// are for Argo.
func (s *scope) constants(c *call, at pos, list []byte) (program.Value, graph.Type) {
	if err := kfpread.Items(string(list)); err != nil {
		s.errorf(at, "", "the items of a loop: %v", err)
		return program.Value{}, graph.Type{}
	}
	var items []any
	if err := jsontext.Decode(list, &items); err != nil {
		s.errorf(at, "", "the items of a loop must be a list: %v", err)
		return program.Value{}, graph.Type{}
	}
	typ := graph.Type{Name: kfptype.String}
	kinds, members := map[string]bool{}, map[string]string{}
	mixed := false
	for _, it := range items {
		j, _ := json.Marshal(it) // it was JSON
		kinds[kfptype.OfJSON(j)] = true
		if m, ok := it.(map[string]any); ok {
			for k, v := range m {
				j, _ := json.Marshal(v)
				mixed = mixed || members[k] != "" && members[k] != kfptype.OfJSON(j)
				members[k] = kfptype.OfJSON(j)
			}
		}
	}
	switch {
	case len(kinds) == 1 && !mixed && !kinds[""] && !kinds[kfptype.List]:
		typ.Name = sortedKeys(kinds)[0]
	case kinds[kfptype.Struct]:
		s.refuse(at, "items of several kinds", "items that are objects must have members of one kind each")
		return program.Value{}, typ
	default:
		for i := range items {
			items[i] = asText(items[i])
		}
	}
	j, err := json.Marshal(items)
	if err != nil {
		s.errorf(at, "", "the items of a loop: %v", err)
	}
	if items == nil {
		j = []byte("[]")
	}
	return program.Value{Kind: program.Const, Const: j, Type: graph.Type{Name: kfptype.List, Elem: &typ}}, typ
}

// asText returns what Argo puts in place of {{item}}.
func asText(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	j, _ := json.Marshal(v) // it was JSON
	return string(j)
}

// most of the items that a sequence may have.
const maxItems = 10_000

// sequence returns the strings of a sequence whose ends are written out.
func (s *scope) sequence(q *sequence) program.Value {
	number := func(text string, or int) (int, bool) {
		if text == "" {
			return or, true
		}
		n, err := strconv.Atoi(text)
		return n, err == nil
	}
	s.one(q.At, "withSequence", map[string]bool{"count": q.Count != "", "end": q.End != ""})
	start, ok1 := number(q.Start, 0)
	end, ok2 := number(q.End, start)
	count, ok3 := number(q.Count, 0)
	if !ok1 || !ok2 || !ok3 {
		s.refuse(q.At, "withSequence of a run", "its ends are known only to a run; let a task make the list, and use withParam")
		return program.Value{}
	}
	format := q.Format
	if format == "" {
		format = "%d"
	}
	if q.Count != "" {
		end = start + count - 1
	}
	by := 1
	if q.Count == "" && end < start {
		by = -1
	}
	list := []string{}
	for i := start; (i-end)*by <= 0; i += by {
		if len(list) == maxItems {
			s.refuse(q.At, "withSequence", "more than %d items", maxItems)
			return program.Value{}
		}
		list = append(list, fmt.Sprintf(format, i))
	}
	j, _ := json.Marshal(list) // strings can't fail
	return program.Value{Kind: program.Const, Const: j, Type: graph.Type{Name: kfptype.List, Elem: &graph.Type{Name: kfptype.String}}}
}
