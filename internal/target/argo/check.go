package argo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/expr-lang/expr"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// What Argo 4 takes; what more does to Argo 3 isn't nice either.
const (
	maxTemplates = 200
	maxTasks     = 200
	maxParams    = 500
	maxDepth     = 100 // of templates that call each other, unless the controller is configured otherwise
	maxName      = 57  // of a pipeline: Argo appends - and five letters, and takes 63
)

// limited reports whether Argo's objects have limits, which came with the schemas
// of version 4.
func (o Options) limited() bool { return o.Version == "" || o.Version == "4.0" }

// check finds what Argo's validator doesn't see.
func (b *builder) check(w *wfv1.Workflow) {
	if n := strings.TrimSuffix(w.GenerateName, "-"); len(n) > maxName {
		b.errorf("pipeline %s: its name has %d letters, and the name of a Workflow may have %d", n, len(n), maxName)
	}
	for _, t := range w.Spec.Templates {
		if why := badName(t.Name); why != "" {
			b.errorf("component %s: the name %s", t.Name, why)
		}
		if t.DAG != nil && len(t.DAG.Tasks) > maxTasks && b.o.limited() {
			b.errorf("component %s: %d tasks, and Argo takes %d in a DAG; these can't be divided, since they are arms of an If, have conditions that others wait for, or run after failures: put some of them into pipelines of their own", t.Name, len(t.DAG.Tasks), maxTasks)
		}
		if n := len(t.Inputs.Parameters); n > maxParams && b.o.limited() {
			b.errorf("component %s: it takes %d parameters, and Argo takes %d", t.Name, n, maxParams)
		}
	}
	if n := depth(w); n > maxDepth {
		b.errorf("pipeline %s: its groups are nested in %d templates, and Argo takes 100, one in the other; a loop is two", b.p.Name, n)
	}
	if len(b.errs) > 0 {
		return
	}
	j, err := json.Marshal(w)
	var v any
	if err == nil {
		err = json.Unmarshal(j, &v)
	}
	if err != nil {
		b.errs = append(b.errs, err)
		return
	}
	b.expressions("", v)
}

// depth returns how many templates are nested at most, with the one that starts.
func depth(w *wfv1.Workflow) int {
	templates := make(map[string]*wfv1.Template, len(w.Spec.Templates))
	for i := range w.Spec.Templates {
		templates[w.Spec.Templates[i].Name] = &w.Spec.Templates[i]
	}
	depths := map[string]int{}
	var of func(name string) int
	of = func(name string) int {
		t := templates[name]
		if n, ok := depths[name]; ok || t == nil || t.DAG == nil {
			return max(n, 1)
		}
		depths[name] = 1 // nothing calls itself; if it did, this would end
		n := 0
		for _, task := range t.DAG.Tasks {
			n = max(n, of(task.Template))
		}
		depths[name] = n + 1
		return n + 1
	}
	return max(of(w.Spec.Entrypoint), of(w.Spec.Hooks[wfv1.ExitLifecycleEvent].Template))
}

// plainTag is what may stand in {{ }} besides an expression: names, which hold
// nothing that needs an escape.
var plainTag = lazyregexp.New(`^(item|pod\.name|workflow\.(name|uid)|inputs\.(parameters|artifacts)\.[-\w]+|tasks\.[-a-z0-9]+\.outputs\.artifacts\.[-\w]+)$`)

// expressions parses all expressions of a value.
func (b *builder) expressions(at string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			s, isText := v[k].(string)
			if isText && (k == "expression" || k == "fromExpression") {
				b.parse(at+"."+k, s)
				continue
			}
			b.expressions(at+"."+k, v[k])
		}
	case []any:
		for i := range v {
			b.expressions(fmt.Sprintf("%s[%d]", at, i), v[i])
		}
	case string:
		if strings.HasPrefix(at, ".spec.arguments.parameters") || strings.HasPrefix(at, ".metadata") {
			return // Argo takes these as they are
		}
		for _, t := range tags(v) {
			if e, ok := strings.CutPrefix(t, "="); ok {
				b.parse(at, e)
			} else if !plainTag.MatchString(t) {
				b.errorf("internal error: %s would have {{%s}} in it, which Argo replaces", at, t)
			}
		}
	}
}

// clipped keeps a message readable.
func clipped(s string) string {
	if len(s) > 500 {
		return s[:500] + "..."
	}
	return s
}

func (b *builder) parse(at, e string) {
	if b.parsed[e] {
		return
	}
	b.parsed[e] = true
	if _, err := expr.Compile(e); err != nil {
		b.errorf("internal error: %s is not an expression that Argo takes: %s: %s", at, clipped(e), clipped(err.Error()))
	}
}

// tags returns what stands between {{ and }} in a string, as Argo splits it.
func tags(s string) []string {
	var all []string
	for {
		_, after, ok := strings.Cut(s, "{{")
		if !ok {
			return all
		}
		t, rest, ok := strings.Cut(after, "}}")
		if !ok {
			return append(all, after)
		}
		all = append(all, t)
		s = rest
	}
}
