package vet

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/review/objects"
)

// queues finds jobs that ask for more than a queue has which the pipeline makes: quota is
// for those of the cluster, which a file describes. That jobs wait for each other is
// what a queue is for.
func (v *vetter) queues() {
	limits := map[string]map[string]*big.Rat{} // by name; of several, what is largest
	eachMade(v.usual, func(_ objects.Task, o objects.Operation) {
		api, kind, name, generated := o.Name()
		if kind != "Queue" || !strings.HasPrefix(api, "scheduling.volcano.sh/") || generated || unsure(name) {
			return
		}
		all := limits[name]
		if all == nil {
			all = map[string]*big.Rat{}
			limits[name] = all
		}
		limit, _ := field(o.Object, "spec", "capability").(map[string]any)
		for resource, text := range limit {
			if n, ok := quantityOf(text); ok && (all[resource] == nil || n.Cmp(all[resource]) > 0) {
				all[resource] = n
			}
		}
	})
	eachMade(v.usual, func(t objects.Task, o objects.Operation) {
		name := queueOf(o.Object)
		if len(o.Depends) > 0 {
			return
		}
		for _, resource := range sortedKeys(limits[name]) {
			_, unit := v.reader(resource)
			if unit == 0 {
				continue
			}
			hard, n := scaled(limits[name][resource], unit), scaled(atLeast(o.Object, resource), unit)
			if n > hard {
				v.find(Error, "quota", t.Path, t.Task.Pos, "it asks for %s of %s, and queue %s, which the pipeline makes, has %s: it never runs", amount(n, unit), resource, name, amount(hard, unit))
			}
		}
	})
}

// queueOf returns the queue of Volcano that a job or a pod names, or "".
func queueOf(object map[string]any) string {
	annotations, _ := field(object, "metadata", "annotations").(map[string]any)
	for _, name := range []any{
		field(object, "spec", "queue"), field(object, "spec", "runPolicy", "schedulingPolicy", "queue"), annotations["scheduling.volcano.sh/queue-name"],
	} {
		if s, ok := name.(string); ok {
			return s
		}
	}
	return ""
}

// atLeast returns what the pods of an object ask for of a resource when it starts: a job of
// Volcano starts with minAvailable of them, and those of the fewest are meant.
func atLeast(object map[string]any, resource string) *big.Rat {
	all := inObject(object, "requests", resource)
	tasks, _ := field(object, "spec", "tasks").([]any)
	start, ok := quantityOf(field(object, "spec", "minAvailable"))
	if !ok || len(tasks) == 0 {
		return all
	}
	type pods struct{ number, each *big.Rat }
	var kinds []pods
	for _, t := range tasks {
		number, ok := quantityOf(field(t, "replicas"))
		if !ok {
			return all
		}
		kinds = append(kinds, pods{number, inObject(map[string]any{"template": field(t, "template")}, "requests", resource)})
	}
	slices.SortFunc(kinds, func(a, b pods) int { return a.each.Cmp(b.each) })
	least := new(big.Rat)
	for _, k := range kinds {
		n := k.number
		if start.Cmp(n) < 0 {
			n = start
		}
		least.Add(least, new(big.Rat).Mul(n, k.each))
		start = new(big.Rat).Sub(start, n)
	}
	return least
}

// field returns what is at a path of an object, or nil.
func field(v any, path ...string) any {
	for _, key := range path {
		m, _ := v.(map[string]any)
		v = m[key]
	}
	return v
}

// quantityOf returns a quantity of an object that is known, and isn't negative.
func quantityOf(v any) (*big.Rat, bool) {
	if v == nil {
		return nil, false
	}
	n, ok := number(fmt.Sprint(v))
	return n, ok && n.Sign() >= 0
}
