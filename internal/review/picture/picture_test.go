package picture

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

func mnist(t *testing.T) *program.Program {
	t.Helper()
	data, err := os.ReadFile("../../local/report/testdata/program.json")
	if err != nil {
		t.Fatal(err)
	}
	p := &program.Program{}
	if err := json.Unmarshal(data, p); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWords(t *testing.T) {
	want := map[string]string{
		"exit-handler-1":                                             "guarded by an exit handler",
		"exit-handler-1/condition-branches-2":                        "one of these",
		"exit-handler-1/condition-branches-2/condition-4":            `if trainer == "tensorflow"`,
		"exit-handler-1/condition-branches-2/condition-4/for-loop-3": "for each of sweep, 2 at a time",
		"exit-handler-1/condition-branches-2/condition-5":            "else",
		"exit-handler-1/condition-branches-2/condition-5/for-loop-6": "for each of sweep, 2 at a time",
		"exit-handler-1/condition-7":                                 "if evaluate.accuracy >= threshold",
	}
	if diff := cmp.Diff(want, Words(mnist(t))); diff != "" {
		t.Error(diff)
	}
}

// wellFormed reads an SVG as XML and returns its texts.
func wellFormed(t *testing.T, svg []byte) []string {
	t.Helper()
	var texts []string
	d := xml.NewDecoder(bytes.NewReader(svg))
	in := ""
	for {
		token, err := d.Token()
		if err == io.EOF {
			return texts
		} else if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			in = token.Name.Local
			if slices.Contains([]string{"script", "foreignObject", "image", "use"}, in) {
				t.Errorf("the picture has an element %s", in)
			}
			for _, a := range token.Attr {
				if strings.HasPrefix(a.Name.Local, "on") {
					t.Errorf("the picture has an attribute %s", a.Name.Local)
				}
			}
		case xml.CharData:
			if in == "text" && strings.TrimSpace(string(token)) != "" {
				texts = append(texts, string(token))
			}
		}
	}
}

// TestInside: in each direction no box overlaps another, all are in their group,
// and arrows that aren't between groups lead from one to the other.
func TestInside(t *testing.T) {
	for _, to := range []Direction{Right, Down} {
		for _, p := range []*program.Program{mnist(t), chain(10), fan(100), wide(300)} {
			root, err := build(p)
			if err != nil {
				t.Fatal(err)
			}
			at, err := layout(root, nil, to)
			if err != nil {
				t.Fatal(err)
			}
			var leaves []*node
			arrows := 0
			root.walk(func(n *node) {
				r, ok := at.boxes[n.id]
				if !ok {
					t.Errorf("%s %s: %s has no place", p.Name, to, n.path)
				}
				outer := rect{0, 0, at.width, at.height}
				if n.parent != root {
					outer = at.boxes[n.parent.id]
				}
				if r.x < outer.x-1 || r.y < outer.y-1 || r.x+r.w > outer.x+outer.w+1 || r.y+r.h > outer.y+outer.h+1 {
					t.Errorf("%s %s: %s at %v is not in %v", p.Name, to, n.path, r, outer)
				}
				if !n.group() {
					leaves = append(leaves, n)
				}
				arrows += len(n.needed())
			})
			for i, a := range leaves {
				for _, b := range leaves[:i] {
					if ra, rb := at.boxes[a.id], at.boxes[b.id]; ra.x < rb.x+rb.w && rb.x < ra.x+ra.w && ra.y < rb.y+rb.h && rb.y < ra.y+ra.h {
						t.Errorf("%s %s: %s covers %s", p.Name, to, a.path, b.path)
					}
				}
			}
			if len(at.arrows) != arrows {
				t.Errorf("%s %s: %d arrows, want %d", p.Name, to, len(at.arrows), arrows)
			}
			for _, a := range at.arrows {
				before, after := at.boxes[a.from.id], at.boxes[a.to.id]
				if to == Right && before.x >= after.x || to == Down && before.y >= after.y {
					t.Errorf("%s %s: the arrow from %s to %s leads back", p.Name, to, a.from.path, a.to.path)
				}
			}
		}
	}
}

func step(name string, after ...string) *program.Task {
	return &program.Task{Name: name, Component: "step", After: after}
}

func pipeline(name string, tasks ...*program.Task) *program.Program {
	return &program.Program{Schema: 1, Name: name, Main: name, Components: []*program.Component{
		{Name: name, DAG: &program.DAG{Kind: program.Pipeline, Tasks: tasks}},
		{Name: "step", Exec: &program.Executor{Go: &program.GoStep{Name: "step"}}},
	}}
}

func chain(n int) *program.Program {
	tasks := []*program.Task{step("step-0")}
	for i := 1; i < n; i++ {
		tasks = append(tasks, step(fmt.Sprintf("step-%d", i), fmt.Sprintf("step-%d", i-1)))
	}
	return pipeline("chain", tasks...)
}

// fan has stages that fan out to ten tasks each.
func fan(n int) *program.Program {
	tasks := []*program.Task{step("join-0")}
	for i := 1; i < n; i++ {
		stage := i / 10
		if i%10 == 0 {
			var all []string
			for j := i - 9; j < i; j++ {
				all = append(all, fmt.Sprintf("step-%d", j))
			}
			tasks = append(tasks, step(fmt.Sprintf("join-%d", stage), all...))
			continue
		}
		tasks = append(tasks, step(fmt.Sprintf("step-%d", i), fmt.Sprintf("join-%d", stage)))
	}
	return pipeline("fan", tasks...)
}

func wide(n int) *program.Program {
	var tasks []*program.Task
	for i := range n {
		tasks = append(tasks, step(fmt.Sprintf("step-%d", i)))
	}
	return pipeline("wide", tasks...)
}

func TestHostile(t *testing.T) {
	const hostile = "</text></title><script>alert(1)</script>\" onload='x' &amp; \x00\x1b 漢字 🎉"
	p := mnist(t)
	p.Title = hostile
	for _, c := range p.Components {
		if c.DAG != nil {
			for _, task := range c.DAG.Tasks {
				task.Title = hostile
			}
		}
	}
	marks := map[string]Mark{"report": {State: run.State(hostile), Note: hostile, Href: "#" + hostile}}
	svg, err := SVG(p, marks, Right)
	if err != nil {
		t.Fatal(err)
	}
	if texts := wellFormed(t, svg); !slices.ContainsFunc(texts, func(s string) bool { return strings.HasPrefix(s, "</text></title><script>") }) {
		t.Errorf("the titles aren't shown: %q", texts)
	}
}

func TestSame(t *testing.T) {
	first, err := SVG(mnist(t), nil, Right)
	if err != nil {
		t.Fatal(err)
	}
	again, err := SVG(mnist(t), nil, Right)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, again) {
		t.Error("two pictures of one program differ")
	}
	want := []string{"createpvc", "resource"}
	if texts := wellFormed(t, first); !slices.Contains(texts, want[0]) || !slices.Contains(texts, want[1]) {
		t.Errorf("texts %q lack some of %q", texts, want)
	}
}

// TestLarge: a program whose nested pipelines are too many is drawn with them
// closed, and one with too many tasks of its own not at all.
func TestLarge(t *testing.T) {
	p := pipeline("p", step("a"), step("b"))
	for i := range 40 { // two to the fortieth steps
		name := fmt.Sprintf("level-%d", i)
		inner := "step"
		if i > 0 {
			inner = fmt.Sprintf("level-%d", i-1)
		}
		p.Components = append(p.Components, &program.Component{Name: name, DAG: &program.DAG{Kind: program.Pipeline, Tasks: []*program.Task{
			{Name: "x", Component: inner}, {Name: "y", Component: inner},
		}}})
	}
	p.Components[0].DAG.Tasks[1].Component = "level-39"
	svg, err := SVG(p, nil, Right)
	if err != nil {
		t.Fatal(err)
	}
	if texts := wellFormed(t, svg); !slices.Equal(texts, []string{"a", "go", "b", "pipeline"}) {
		t.Errorf("texts %q", texts)
	}
	if _, err := SVG(wide(limit+1), nil, Right); !errors.Is(err, ErrTooLarge) {
		t.Errorf("error %v, want ErrTooLarge", err)
	}
	if _, err := SVG(&program.Program{Name: "p", Main: "q"}, nil, Right); err == nil || !strings.Contains(err.Error(), `no pipeline "q"`) {
		t.Errorf("error %v", err)
	}
}

func TestNarrow(t *testing.T) {
	for _, p := range []*program.Program{chain(9), wide(9)} {
		root, err := build(p)
		if err != nil {
			t.Fatal(err)
		}
		at, err := place(root, nil, Narrow)
		if err != nil {
			t.Fatal(err)
		}
		if at.width > 200 {
			t.Errorf("%s is %.0f wide", p.Name, at.width)
		}
	}
}

func TestMarks(t *testing.T) {
	at := time.Date(2026, 11, 28, 3, 0, 0, 0, time.UTC)
	zero, one := 0, 1
	task := func(path, kind string, state run.State, iteration *int) *run.Task {
		return &run.Task{Path: path, Kind: kind, State: state, Iteration: iteration, Started: at, Ended: at.Add(1500 * time.Millisecond)}
	}
	r := &run.Run{Tasks: []*run.Task{
		task("a", "go", run.Succeeded, nil),
		task("loop", "loop", run.Failed, nil),
		task("loop/0", "loop", run.Succeeded, &zero), task("loop/0/b", "go", run.Succeeded, nil), task("loop/0/1", "go", run.Cached, nil),
		task("loop/1", "loop", run.Failed, &one), task("loop/1/b", "go", run.Failed, nil), task("loop/1/1", "go", run.Cached, nil),
		task("c", "go", run.Succeeded, nil), // a single task that is repeated
		task("c/0", "go", run.Succeeded, &zero), task("c/1", "go", run.Succeeded, &one),
	}}
	want := map[string]Mark{
		"a":      {State: run.Succeeded, Runs: 1, Note: "1.5 s", Href: "#a"},
		"loop":   {State: run.Failed, Runs: 1, Note: "1.5 s", Href: "#loop"},
		"loop/b": {State: run.Failed, Runs: 2, Note: "2 times, 1 failed", Href: "#loop/1/b"},
		"loop/1": {State: run.Cached, Runs: 2, Note: "2 times, 2 cached", Href: "#loop/0/1"},
		"c":      {State: run.Succeeded, Runs: 2, Note: "2 times", Href: "#c/0"},
	}
	if diff := cmp.Diff(want, Marks(r, func(t *run.Task) string { return "#" + t.Path })); diff != "" {
		t.Error(diff)
	}
}

func TestInherit(t *testing.T) {
	p := mnist(t)
	root, err := build(p)
	if err != nil {
		t.Fatal(err)
	}
	const arm = "exit-handler-1/condition-branches-2/condition-4"
	got := inherit(root, map[string]Mark{arm: {State: run.Skipped}})
	want := []string{arm, arm + "/for-loop-3", arm + "/for-loop-3/train-tensorflow", arm + "/pick"}
	if diff := cmp.Diff(want, slices.Sorted(maps.Keys(got))); diff != "" {
		t.Error(diff)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-1: "0 s", 0: "0 ms", 999 * time.Millisecond: "999 ms", 1500 * time.Millisecond: "1.5 s", 9960 * time.Millisecond: "10 s",
		59700 * time.Millisecond: "1 min 0 s", 61 * time.Minute: "1 h 1 min", 50 * time.Hour: "2 days 2 h",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func BenchmarkSVG(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		for _, p := range []*program.Program{chain(n), fan(n)} {
			b.Run(fmt.Sprintf("%s=%d", p.Name, n), func(b *testing.B) {
				for b.Loop() {
					if _, err := SVG(p, nil, Right); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// TestPlan: a plan of a large program closes the deepest groups, and its boxes keep
// their places whatever the marks.
func TestPlan(t *testing.T) {
	p := &program.Program{Name: "large", Main: "large", Components: []*program.Component{
		{Name: "step", Exec: &program.Executor{Go: &program.GoStep{Name: "step"}}},
		{Name: "inner", DAG: &program.DAG{Kind: program.Pipeline}},
		{Name: "outer", DAG: &program.DAG{Kind: program.Pipeline}},
		{Name: "large", DAG: &program.DAG{Kind: program.Pipeline}},
	}}
	for i := range 10 {
		name := fmt.Sprintf("t%d", i)
		for _, c := range []struct{ in, of string }{{"inner", "step"}, {"outer", "inner"}, {"large", "outer"}} {
			dag := p.Component(c.in).DAG
			task := &program.Task{Name: name, Component: c.of}
			if i > 0 { // no two are alike
				task.After = []string{fmt.Sprintf("t%d", i-1)}
			}
			dag.Tasks = append(dag.Tasks, task)
		}
	}
	for _, test := range []struct{ most, boxes int }{{1000, 110}, {120, 110}, {100, 10}, {5, 10}} {
		plan, err := NewPlan(p, test.most)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		plan.root.walk(func(*node) { n++ })
		if n != test.boxes || !plan.Folded() || plan.Tasks != 1000 || plan.Boxes != test.boxes {
			t.Errorf("at most %d: %d boxes, %d said, %d tasks; want %d", test.most, n, plan.Boxes, plan.Tasks, test.boxes)
		}
	}
	plan, err := NewPlan(p, 20)
	if err != nil {
		t.Fatal(err)
	}
	rects := regexp.MustCompile(`<rect[^>]*>`)
	before := plan.SVG(nil, Right)
	after := plan.SVG(map[string]Mark{"t3": {State: run.Failed, Note: "12 min 3 s", Href: "/x"}}, Right)
	if !bytes.Contains(after, []byte("12 min 3 s · pipeline outer")) || !bytes.Contains(after, []byte("s-failed")) {
		t.Errorf("the picture has not the mark:\n%s", after)
	}
	if len(rects.FindAll(before, -1)) < 20 || viewBox(before) != viewBox(after) {
		t.Errorf("the picture has another size with marks: %s and %s", viewBox(before), viewBox(after))
	}
}

func viewBox(svg []byte) string {
	return string(regexp.MustCompile(`viewBox="[^"]*"`).Find(svg))
}
