package argosim

import (
	"encoding/json"
	"fmt"
	"strconv"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
)

// loops are the ways to repeat a task.
var loops = []func(t *wfv1.DAGTask) ([]wfv1.Item, error){withItems, withParam, withSequence}

func withItems(t *wfv1.DAGTask) ([]wfv1.Item, error) { return t.WithItems, nil }

func withParam(t *wfv1.DAGTask) (items []wfv1.Item, err error) {
	if t.WithParam == "" {
		return nil, nil
	}
	if err := json.Unmarshal([]byte(t.WithParam), &items); err != nil {
		return nil, fmt.Errorf("withParam value could not be parsed as a JSON list: %s: %w", t.WithParam, err)
	}
	return items, nil
}

func withSequence(t *wfv1.DAGTask) (items []wfv1.Item, err error) {
	q := t.WithSequence
	if q == nil {
		return nil, nil
	}
	from, to := 0, 0
	if q.Start != nil {
		if from, err = strconv.Atoi(q.Start.String()); err != nil {
			return nil, err
		}
	}
	switch {
	case q.End != nil:
		to, err = strconv.Atoi(q.End.String())
	case q.Count != nil:
		if to, err = strconv.Atoi(q.Count.String()); err == nil && to == 0 {
			return nil, nil
		}
		to += from - 1
	}
	if err != nil {
		return nil, err
	}
	format, by := q.Format, 1
	if format == "" {
		format = "%d"
	}
	if to < from {
		by = -1
	}
	for i := from; (to-i)*by >= 0; i += by {
		item, err := wfv1.ParseItem(strconv.Quote(fmt.Sprintf(format, i)))
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}

// loop runs a task for each item, as expandTask and processItem do.
func (f *frame) loop(t *wfv1.DAGTask, vars map[string]string, before pods) *Node {
	node := f.c.node + "." + t.Name
	var items []wfv1.Item
	for _, of := range loops {
		more, err := of(t)
		if err != nil {
			return f.wrong(node, err)
		}
		items = append(items, more...)
	}
	if len(items) == 0 {
		return &Node{Phase: wfv1.NodeSkipped}
	}
	t.WithItems, t.WithParam, t.WithSequence = nil, "", nil
	group := &Node{Phase: wfv1.NodeSucceeded, group: true}
	for i, item := range items {
		n := f.item(t, i, item, vars, before)
		group.Children = append(group.Children, n)
		group.pods = group.pods.and(n.pods)
		if n.failed() {
			group.Phase, group.Message = n.Phase, n.Message
		}
	}
	return group
}

func (f *frame) item(t *wfv1.DAGTask, i int, item wfv1.Item, vars map[string]string, before pods) *Node {
	node := fmt.Sprintf("%s.%s(%d)", f.c.node, t.Name, i)
	with, err := f.itemVars(item)
	if err != nil {
		return f.wrong(node, err)
	}
	for k, v := range vars {
		if _, ok := with[k]; !ok {
			with[k] = v
		}
	}
	one := &wfv1.DAGTask{}
	if err := f.replaced(t, with, one, later(t)); err != nil {
		return f.wrong(node, err)
	}
	if one.When != "" {
		if ok, err := f.when(one.When); err != nil {
			return f.wrong(node, err)
		} else if !ok {
			return &Node{Phase: wfv1.NodeSkipped}
		}
	}
	one.Name, one.Template = fmt.Sprintf("%s(%d)", t.Name, i), t.Template
	return f.invoke(f.c, one, f.as, node, before)
}

// itemVars returns what an item is to tags.
func (f *frame) itemVars(item wfv1.Item) (map[string]string, error) {
	var v any
	switch item.GetType() {
	case wfv1.Map:
		v = item.GetMapVal()
	case wfv1.List:
		v = item.GetListVal()
	default:
		return map[string]string{"item": itemText(item, f.Unescaped || f.Version == 4)}, nil
	}
	j, err := json.Marshal(v)
	with := map[string]string{"item": string(j)}
	if members, ok := v.(map[string]wfv1.Item); ok {
		for k, m := range members {
			with["item."+k] = itemText(m, f.Unescaped)
		}
	}
	return with, err
}

func itemText(item wfv1.Item, unescaped bool) string {
	if unescaped && item.GetType() == wfv1.String {
		return item.GetStrVal()
	}
	return item.String()
}
