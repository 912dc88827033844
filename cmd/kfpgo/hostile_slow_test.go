//go:build slow && linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// most is the memory that the command may take over any file, in MB.
const most = 600

// A hostileFile is a file that is made to take much, and what is said of it; "" is that it
// is read.
type hostileFile struct{ name, want, text string }

// hostiles returns the files. They are made here, since they have up to 30 MB.
func hostiles() []hostileFile {
	list := func(n int, each func(i int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(each(i))
		}
		return b.String()
	}
	laughs := func(format, sep, first string) string {
		text := "a0: &a0 " + first + "\n"
		for i := 1; i < 12; i++ {
			text += fmt.Sprintf("a%d: &a%d "+format+"\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d"+sep, i-1), 10), sep))
		}
		return text
	}
	const head = `"pipelineInfo":{"name":"x"},"schemaVersion":"2.1.0","deploymentSpec":{"executors":{"e":{"container":{"image":"i:1","command":["a"]}}}},`
	const leaf = `"comp-a":{"executorLabel":"e"}`
	const call = `"componentRef":{"name":"comp-a"}`
	pipeline := func(components, tasks string) string {
		if components != "" {
			components = "," + components
		}
		return `{` + head + `"components":{` + leaf + components + `},"root":{"dag":{"tasks":{` + tasks + `}}}}`
	}
	loop := func(items string) string {
		raw, _ := json.Marshal(items) // a text can't fail
		return pipeline(`"comp-l":{"inputDefinitions":{"parameters":{"i":{"parameterType":"NUMBER_INTEGER"}}},"executorLabel":"e"}`,
			`"l":{"componentRef":{"name":"comp-l"},"parameterIterator":{"itemInput":"i","items":{"raw":`+string(raw)+`}}}`)
	}
	nested := func(n, calls int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `%s"comp-n%d":{"dag":{"tasks":{%s}}}`, strings.Repeat(",", min(i, 1)), i, list(calls, func(k int) string {
				if i == n-1 {
					return fmt.Sprintf(`"t%d":{%s}`, k, call)
				}
				return fmt.Sprintf(`"t%d":{"componentRef":{"name":"comp-n%d"}}`, k, i+1)
			}))
		}
		return pipeline(b.String(), `"t":{"componentRef":{"name":"comp-n0"}}`)
	}
	when := func(c string) string {
		return pipeline("", `"t":{`+call+`,"triggerPolicy":{"condition":"`+c+`"}}`)
	}
	argo := func(spec string) string {
		return "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata: {name: x}\nspec:\n  entrypoint: m\n  templates:\n" + spec
	}
	const pod = "  - {name: c, container: {image: 'i:1', command: [a]}}\n"
	return []hostileFile{
		{"laughs", "aliases put in", laughs("[%s]", ", ", "[x, x, x, x, x, x, x, x, x, x]")},
		{"laughs-map", "aliases put in", "k0: &k0 {x: y}\n" + func() (s string) {
			for i := 1; i < 12; i++ {
				s += fmt.Sprintf("k%d: &k%d {%s}\n", i, i, list(10, func(k int) string { return fmt.Sprintf("m%d: *k%d", k, i-1) }))
			}
			return s
		}()},
		{"laughs-merge", "aliases put in", laughs("{<<: [%s]}", ", ", "{x: y}")},
		{"self", "nested more than", "a: &a [*a]\n"},
		{"deep-json", "nested more than", strings.Repeat(`{"a":`, 9_000) + "1" + strings.Repeat("}", 9_000)},
		{"deep-flow", "", strings.Repeat("[", 1_000_000)},
		{"deep-block", "nested more than", strings.Repeat("- ", 9_000) + "x\n"},
		{"spaces", "", "a: 1\n" + strings.Repeat(" ", 30<<20) + "\n"},
		{"text", "", "a: " + strings.Repeat("x", 30<<20) + "\n"},
		{"comment", "", "# " + strings.Repeat("x", 30<<20) + "\na: 1\n"},
		{"array", "at most 100000 are read", `{"schemaVersion":"2.1.0","a":[` + strings.Repeat("1,", 900_000) + `1]}`},
		{"array-long", "more than", `{"a":[` + strings.Repeat("1,", 10_000_000) + `1]}`},
		{"nuls", "", strings.Repeat("\x00", 10<<20)},
		{"documents", "more than a pipeline has", strings.Repeat("---\n", 2_000_000)},
		{"anchors", "", "x:\n" + strings.ReplaceAll(list(300_000, func(i int) string { return fmt.Sprintf("- &a%d y\n", i) }), ",", "")},
		{"lines", "more than a pipeline has", strings.Repeat("- a\n", 6_000_000)},
		{"cycle", "tasks wait for each other", pipeline("", `"a":{`+call+`,"dependentTasks":["b"]},"b":{`+call+`,"dependentTasks":["a"]}`)},
		{"own", "tasks wait for each other", pipeline("", `"a":{`+call+`,"dependentTasks":["a"]}`)},
		{"recursive", "holds itself", pipeline(`"comp-b":{"dag":{"tasks":{"b":{"componentRef":{"name":"comp-b"}}}}}`, `"b":{"componentRef":{"name":"comp-b"}}`)},
		{"doubled", "", nested(40, 2)},
		{"nested", "nested more than 100 deep", nested(3_000, 1)},
		{"condition", "", when(strings.Repeat("(", 50_000) + "1 == 1" + strings.Repeat(")", 50_000))},
		{"tasks", "the pipeline has 100000 tasks, and at most 20000 are read", pipeline("", list(100_000, func(i int) string { return fmt.Sprintf(`"t%d":{%s}`, i, call) }))},
		{"tasks-many", "", pipeline("", list(10_000, func(i int) string {
			return fmt.Sprintf(`"t%d":{%s,"cachingOptions":{"enableCache":true},"taskInfo":{"name":"t%d"}}`, i, call, i)
		}))},
		{"items", "a list of 1000000 items, and at most 100000 are read", loop("[" + list(1_000_000, func(i int) string { return fmt.Sprint(i) }) + "]")},
		{"items-many", "", loop("[" + list(100_000, func(i int) string { return fmt.Sprint(i) }) + "]")},
		{"inputs", "200000 inputs, and at most 50000 are read", pipeline(`"comp-w":{"executorLabel":"e","inputDefinitions":{"parameters":{`+list(200_000, func(i int) string { return fmt.Sprintf(`"p%d":{"parameterType":"STRING","isOptional":true}`, i) })+`}}}`, `"w":{"componentRef":{"name":"comp-w"}}`)},
		{"dense", "arguments and dependencies, and at most 300000 are read", pipeline("", list(1_000, func(i int) string {
			return fmt.Sprintf(`"t%d":{%s,"dependentTasks":[%s]}`, i, call, list(i, func(k int) string { return fmt.Sprintf(`"t%d"`, k) }))
		}))},
		{"dense-more", "the file has more than 1000000 values", pipeline("", list(1_500, func(i int) string {
			return fmt.Sprintf(`"t%d":{%s,"dependentTasks":[%s]}`, i, call, list(i, func(k int) string { return fmt.Sprintf(`"t%d"`, k) }))
		}))},
		{"argo-laughs", "", argo("  - &t0 {name: m, container: {image: i, args: [x, x, x, x, x, x, x, x, x, x]}}\n") + laughs("[%s]", ", ", "[x, x, x, x, x, x, x, x, x, x]")},
		{"argo-lines", "more than a pipeline has", argo(strings.Repeat("  - a\n", 5_000_000))},
		{"argo-tasks", "at most 20000 are read", argo("  - name: m\n    dag:\n      tasks:\n" + strings.ReplaceAll(list(50_000, func(i int) string { return fmt.Sprintf("      - {name: t%d; template: c}\n", i) }), ",", "") + pod)},
		{"argo-items", "at most 100000 are read", argo("  - name: m\n    steps:\n    - - {name: a, template: c, withItems: [" + list(150_000, func(i int) string { return fmt.Sprint(i) }) + "]}\n" + pod)},
		{"argo-nested", "nested more than 100 deep", argo(func() string {
			var b strings.Builder
			for i := range 3_000 {
				name, next := fmt.Sprintf("m%d", i), fmt.Sprintf("m%d", i+1)
				if i == 0 {
					name = "m"
				}
				if i == 2_999 {
					next = "c"
				}
				fmt.Fprintf(&b, "  - {name: %s, steps: [[{name: s, template: %s}]]}\n", name, next)
			}
			return b.String()
		}() + pod)},
		{"component", "200000 inputs", "name: x\ninputs: [" + list(200_000, func(i int) string { return fmt.Sprintf("{name: p%d}", i) }) + "]\nimplementation: {container: {image: 'i:1'}}\n"},
	}
}

// verbs are what reads files, with where it writes.
var verbs = map[string][]string{"compile": {"-o", "/dev/null"}, "vet": nil, "graph": {"-o", "out.svg"}, "import": {"-o", "out"}}

// build returns a command that is built as users have it, and a folder with the files.
func build(t testing.TB, files []hostileFile) (command, dir string) {
	t.Helper()
	dir = t.TempDir()
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.name+".yaml"), []byte(strings.ReplaceAll(f.text, ";", ",")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	command = filepath.Join(dir, "kfpgo")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return command, dir
}

// measure runs a command and prints, as its last line, its peak memory in kB and its time
// on processors. The process of a test can't tell it: what that has taken itself counts for
// those that it starts.
const measure = `import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print()
print(used.ru_maxrss, used.ru_utime + used.ru_stime)
sys.exit(code)`

// over runs a verb over a file, and returns what it said, its peak memory in MB and its
// time on processors.
func over(t testing.TB, command, dir, verb, file string) (out string, peak int64, cpu time.Duration, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	work := t.TempDir()
	c := exec.CommandContext(ctx, "python3", append([]string{"-c", measure, command, verb, filepath.Join(dir, file+".yaml")}, verbs[verb]...)...)
	c.Dir = work
	c.Env = append(slices.DeleteFunc(os.Environ(), func(s string) bool { return strings.HasPrefix(s, "GOGC=") || strings.HasPrefix(s, "GOMEMLIMIT=") }), "KFPGO_HOME="+work)
	var b bytes.Buffer
	c.Stdout, c.Stderr = &b, &b
	err = c.Run()
	if ctx.Err() != nil {
		t.Errorf("%s %s doesn't end", verb, file)
	}
	out = strings.TrimSpace(b.String())
	last := strings.LastIndexByte(out, '\n') + 1
	var seconds float64
	if _, wrong := fmt.Sscan(out[last:], &peak, &seconds); wrong != nil {
		t.Fatalf("%s %s: %v in %.300q", verb, file, wrong, out)
	}
	return out[:last], peak >> 10, time.Duration(seconds * float64(time.Second)), err
}

// TestPeak: no file takes more than so much memory, and what is beyond a limit is told
// by the limit.
func TestPeak(t *testing.T) {
	files := hostiles()
	command, dir := build(t, files)
	for _, f := range files {
		for _, verb := range []string{"compile", "vet", "graph", "import"} {
			out, peak, cpu, err := over(t, command, dir, verb, f.name)
			t.Logf("%-8s %-14s %4d MB %6.2f s %v %.150q", verb, f.name, peak, cpu.Seconds(), err, out)
			if peak > most {
				t.Errorf("%s %s takes %d MB, more than %d", verb, f.name, peak, most)
			}
			if strings.Contains(out, "panic:") || strings.Contains(out, "goroutine ") || strings.Contains(out, "stack overflow") {
				t.Errorf("%s %s: %.2000s", verb, f.name, out)
			}
			if f.want != "" && (err == nil || !strings.Contains(out, f.want)) {
				t.Errorf("%s %s: %v %.300s\nwant %s", verb, f.name, err, out, f.want)
			}
			if len(out) > 200_000 {
				t.Errorf("%s %s says %d bytes", verb, f.name, len(out))
			}
		}
	}
}

// BenchmarkPeak tells the time on processors and the memory of each verb over each file.
func BenchmarkPeak(b *testing.B) {
	files := hostiles()
	command, dir := build(b, files)
	for _, f := range files {
		for _, verb := range []string{"compile", "vet", "graph", "import"} {
			b.Run(verb+"/"+f.name, func(b *testing.B) {
				var cpu time.Duration
				var peak int64
				for b.Loop() {
					_, m, c, _ := over(b, command, dir, verb, f.name)
					cpu, peak = cpu+c, max(peak, m)
				}
				b.ReportMetric(cpu.Seconds()/float64(b.N), "CPU-s/op")
				b.ReportMetric(float64(peak), "MB-peak")
			})
		}
	}
}
