package oracle

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"github.com/expr-lang/expr"
)

// outputs returns those of a DAG or of steps.
func (s *simulation) outputs(t *wfv1.Template, e env, pods set) ended {
	end := ended{phase: "Succeeded", params: map[string]string{}, arts: map[string]string{}, pods: pods}
	for _, p := range t.Outputs.Parameters {
		switch f := p.ValueFrom; {
		case f == nil:
		case f.Parameter != "":
			end.params[p.Name] = s.text(f.Parameter, e)
		case f.Expression != "":
			end.params[p.Name] = fmt.Sprint(s.eval(f.Expression, e))
		}
	}
	for _, a := range t.Outputs.Artifacts {
		if a.From != "" {
			end.arts[a.Name] = s.artifact(a.From, e)
		}
	}
	return end
}

func (s *simulation) artifact(from string, e env) string {
	v, ok := e.flat["\x00"+strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(from, "{{"), "}}"))]
	if !ok {
		fail("the artifact %s isn't there", from)
	}
	return v
}

var bareWord = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z_][A-Za-z0-9_.-]*`)

// when evaluates a condition: words without quotes are texts.
func (s *simulation) when(when string, e env) bool {
	code := s.text(when, e)
	code = bareWord.ReplaceAllStringFunc(code, func(w string) string {
		if w[0] == '"' || w[0] == '\'' || w == "true" || w == "false" {
			return w
		}
		return strconv.Quote(w)
	})
	v, err := expr.Eval(code, nil)
	if err != nil {
		fail("when %s: %v", code, err)
	}
	ok, isBool := v.(bool)
	if !isBool {
		fail("when %s is %v", code, v)
	}
	return ok
}

// task runs a task, once or for each item.
func (s *simulation) task(k wfv1.DAGTask, e env, before set) ended {
	once := func(e env) ended {
		if k.When != "" && !s.when(k.When, e) {
			return ended{phase: "Skipped", pods: set{}}
		}
		params, arts := map[string]string{}, map[string]string{}
		for _, p := range k.Arguments.Parameters {
			if p.Value != nil {
				params[p.Name] = s.text(p.Value.String(), e)
			}
		}
		for _, a := range k.Arguments.Artifacts {
			if a.From != "" {
				arts[a.Name] = s.artifact(a.From, e)
			}
		}
		t := k.Inline
		if t == nil {
			t = s.template(k.Template)
		}
		return s.call(t, params, arts, before)
	}
	var items []json.RawMessage
	switch {
	case k.WithParam != "":
		if err := json.Unmarshal([]byte(s.text(k.WithParam, e)), &items); err != nil {
			fail("loop over %s: %v", s.text(k.WithParam, e), err)
		}
	case k.WithItems != nil:
		for _, it := range k.WithItems {
			j, _ := json.Marshal(it)
			items = append(items, j)
		}
	case k.WithSequence != nil:
		items = s.sequence(k.WithSequence, e)
	default:
		return once(e)
	}
	all := ended{phase: "Skipped", params: map[string]string{}, pods: set{}}
	lists := map[string][]string{}
	var results []json.RawMessage
	for _, it := range items {
		end := once(s.item(e, it))
		all.pods = all.pods.with(end.pods)
		if end.phase == "Failed" || end.phase == "Succeeded" && all.phase == "Skipped" {
			all.phase = end.phase
		}
		for n, v := range end.params {
			lists[n] = append(lists[n], v)
		}
		r := json.RawMessage(end.result)
		if !json.Valid(r) {
			r, _ = json.Marshal(end.result)
		}
		results = append(results, r)
	}
	for n, l := range lists { // Argo reads what is JSON
		parsed := make([]any, len(l))
		for i, v := range l {
			if json.Unmarshal([]byte(v), &parsed[i]) != nil {
				parsed[i] = v
			}
		}
		j, _ := json.Marshal(parsed)
		all.params[n] = string(j)
	}
	j, _ := json.Marshal(results)
	all.result = string(j)
	return all
}

// item makes the item of a loop known.
func (s *simulation) item(e env, it json.RawMessage) env {
	flat, tree := maps.Clone(e.flat), maps.Clone(e.tree)
	var v any
	json.Unmarshal(it, &v)
	flat["item"] = string(it)
	switch v := v.(type) {
	case string:
		flat["item"] = v
		tree["item"] = v
	case map[string]any:
		j, _ := json.Marshal(v) // as Argo does
		flat["item"] = string(j)
		tree["item"] = v
		var members map[string]json.RawMessage
		json.Unmarshal(it, &members)
		for k, m := range members {
			var text string
			if json.Unmarshal(m, &text) != nil {
				text = string(m)
			}
			flat["item."+k] = text
		}
	default:
		tree["item"] = string(it)
	}
	return env{flat, tree}
}

func (s *simulation) sequence(q *wfv1.Sequence, e env) (items []json.RawMessage) {
	number := func(text string) int {
		n, err := strconv.Atoi(s.text(text, e))
		if err != nil {
			fail("a sequence to %s", text)
		}
		return n
	}
	from, to, by := 0, 0, 1
	if q.Start != nil {
		from = number(q.Start.String())
	}
	switch {
	case q.Count != nil:
		to = from + number(q.Count.String()) - 1
	case q.End != nil:
		if to = number(q.End.String()); to < from {
			by = -1
		}
	}
	format := q.Format
	if format == "" {
		format = "%d"
	}
	for i := from; (to-i)*by >= 0; i += by {
		j, _ := json.Marshal(fmt.Sprintf(format, i))
		items = append(items, j)
	}
	return items
}
