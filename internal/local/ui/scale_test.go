package ui

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/run"
)

// wide returns a program with groups of tasks, each a nested pipeline.
func wide(groups, each int) []byte {
	var components, calls []string
	for g := range groups {
		var tasks []string
		for i := range each {
			after := ""
			if i > 0 {
				after = fmt.Sprintf(`,"after":["step-%d"]`, i-1)
			}
			tasks = append(tasks, fmt.Sprintf(`{"name":"step-%d","component":"step"%s}`, i, after))
		}
		components = append(components, fmt.Sprintf(`{"name":"group-%d","dag":{"kind":"pipeline","tasks":[%s]}}`, g, strings.Join(tasks, ",")))
		calls = append(calls, fmt.Sprintf(`{"name":"group-%d","component":"group-%d"}`, g, g))
	}
	return fmt.Appendf(nil, `{"name":"wide","main":"wide","components":[{"name":"wide","dag":{"kind":"pipeline","tasks":[%s]}},%s,{"name":"step","exec":{"go":{"name":"step"}}}]}`,
		strings.Join(calls, ","), strings.Join(components, ","))
}

// TestScale: 1,000 runs and a run of 1,000 tasks stay quick. The times are far above
// what it takes, for machines that do other things too.
func TestScale(t *testing.T) {
	h := home{t.TempDir(), t}
	const groups, each = 25, 40
	var tasks []*run.Task
	at := began
	for g := range groups {
		group := fmt.Sprintf("group-%d", g)
		tasks = append(tasks, &run.Task{Path: group, Name: group, Component: group, Kind: "pipeline", State: run.Succeeded, Started: at, Ended: at.Add(time.Minute)})
		for i := range each {
			name := fmt.Sprintf("step-%d", i)
			tasks = append(tasks, &run.Task{Path: group + "/" + name, Name: name, Component: "step", Kind: "go", State: run.Succeeded, Started: at, Ended: at.Add(time.Second),
				Inputs: map[string]json.RawMessage{"text": raw(strings.Repeat("x", 300))}})
		}
	}
	for i := range 1000 {
		r := &run.Run{ID: fmt.Sprintf("wide-%04d", i), Pipeline: "wide", State: run.Succeeded, Started: at.Add(time.Duration(i) * time.Second), Ended: at.Add(time.Hour)}
		if r.Tasks = tasks[:5]; i%100 == 0 {
			r.Tasks = tasks
		}
		h.record(r)
	}
	h.file("wide-0000", "program.json", wide(groups, each))
	v := visit(t, Options{Home: h.dir})
	for _, test := range []struct {
		path string
		most int // bytes
	}{
		{"/", 200 << 10},
		{"/?page=20", 200 << 10}, // what was read is kept
		{"/runs/wide-0000", 1 << 20},
		{"/runs/wide-0000", 1 << 20}, // the places of the boxes are kept
		{"/runs/wide-0000?page=5", 1 << 20},
		{"/runs/wide-0000/task?path=group-3/step-7", 100 << 10},
	} {
		start := time.Now()
		page := v.get(test.path)
		t.Logf("%s: %d ms, %d kB", test.path, time.Since(start).Milliseconds(), len(page)>>10)
		if len(page) > test.most {
			t.Errorf("%s has %d bytes; at most %d", test.path, len(page), test.most)
		}
	}
	if page := v.get("/runs/wide-0000"); !strings.Contains(page, "<svg") || !strings.Contains(page, "1 to 200 of 1025") {
		t.Error("the run of 1,000 tasks has no picture, or not 200 lines")
	} else if !strings.Contains(page, "1000 tasks are drawn as 25 boxes") || !strings.Contains(page, "graph=all#graph") {
		t.Error("it isn't said that the picture is folded, or how to draw all of it")
	}
	if page := v.get("/runs/wide-0000?graph=all"); !strings.Contains(page, "Fold a large picture") {
		t.Error("the whole picture can't be folded again")
	}
}
