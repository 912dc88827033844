package kfpgo_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// A block is a fenced part of a page.
type block struct {
	line int    // of its first line
	lang string // sh, go, ...
	file string // what it is called, after the language
	text string
}

func blocks(t *testing.T, page string) []block {
	t.Helper()
	var found []block
	open := false
	for i, line := range strings.Split(string(read(t, page)), "\n") {
		switch info, fence := strings.CutPrefix(line, "```"); {
		case fence && open:
			open = false
		case fence:
			open = true
			lang, file, _ := strings.Cut(info, " ")
			found = append(found, block{line: i + 2, lang: lang, file: file})
		case open:
			found[len(found)-1].text += line + "\n"
		}
	}
	return found
}

// commands returns the lines of a block that can be run here: not those that
// say what they need, nor make, whose targets CI runs.
func commands(t *testing.T, page string, b block) []string {
	t.Helper()
	if strings.HasPrefix(b.text, "# needs ") {
		return nil
	}
	var lines []string
	for _, line := range strings.Split(b.text, "\n") {
		if target, ok := strings.CutPrefix(line, "make "); ok {
			checkTarget(t, page, strings.Fields(target)[0])
			continue
		}
		if !strings.Contains(line, "# needs ") {
			lines = append(lines, line)
		}
	}
	return lines
}

func checkTarget(t *testing.T, page, name string) {
	t.Helper()
	if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `:`).Match(read(t, "Makefile")) {
		t.Errorf("%s: the Makefile has no target %s", page, name)
	}
}

// follow does what a page says: it writes the files and runs the commands, in a
// folder that starts as given. What it shows as the output of commands is in their output.
// The files that are given are there for the commands that name them.
func follow(t *testing.T, page, dir string, env []string, given map[string][]byte) {
	t.Helper()
	cwd, last := filepath.Join(t.TempDir(), "cwd"), ""
	write(t, cwd, dir)
	for _, b := range blocks(t, page) {
		if b.lang == "text" && b.file == "output" {
			for _, line := range strings.SplitAfter(ofAnyRun(b.text), "\n") {
				if !strings.Contains(last, line) {
					t.Errorf("%s:%d: no %q in\n%s", page, b.line, line, last)
				}
			}
			continue
		}
		for name, text := range given {
			if b.lang == "sh" && strings.Contains(b.text, name) {
				write(t, filepath.Join(strings.TrimSpace(string(read(t, cwd))), name), string(text))
			}
		}
		if b.file != "" {
			write(t, filepath.Join(strings.TrimSpace(string(read(t, cwd))), b.file), b.text)
		}
		if b.lang != "sh" {
			continue
		}
		script := fmt.Sprintf("cd \"$(cat %q)\"\n%s\npwd >%q\n", cwd, strings.Join(commands(t, page, b), "\n"), cwd)
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute) // half of what the package has, so that what hangs has a name
		defer cancel()
		cmd := exec.CommandContext(ctx, "bash", "-eu", "-c", script)
		cmd.WaitDelay = time.Second
		cmd.Env = append(os.Environ(), env...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s:%d: %v\n%s", page, b.line, err, out)
		}
		last = ofAnyRun(string(out))
	}
}

var (
	took   = regexp.MustCompile(` in [0-9.]+s\b`)
	folder = regexp.MustCompile(`/\S+/runs/([a-z]+)-\w+-\w+`)
)

// ofAnyRun leaves out of what a command printed how long it took, and the names of folders.
func ofAnyRun(text string) string {
	return folder.ReplaceAllString(took.ReplaceAllString(text, " in 0s"), "/runs/$1")
}

// readerEnv is the environment of somebody who follows a page: kfpgo is in the
// path, and modules come from the cache or, kfpgo itself, from the checkout.
func readerEnv(t *testing.T) []string {
	t.Helper()
	r := publish(t)
	r.install(t)
	return append(slices.Clone(offline),
		"PATH="+r.bin+string(filepath.ListSeparator)+os.Getenv("PATH"), "KFPGO_HOME="+filepath.Join(t.TempDir(), "home"))
}

// TestPages follows the pages whose commands need no cluster, in a module that
// has the examples too.
func TestPages(t *testing.T) {
	env := readerEnv(t)
	pages := slices.DeleteFunc(files(t, ".md"), func(page string) bool {
		return !strings.HasPrefix(page, "docs/guides/") && page != "examples/calc/README.md" && page != "examples/hello/README.md"
	})
	for _, page := range pages {
		t.Run(page, func(t *testing.T) {
			dir := consumer(t, "package main\n", "v0.0.0")
			if err := os.Remove(filepath.Join(dir, "main.go")); err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"examples/calc", "examples/hello"} {
				if err := os.CopyFS(filepath.Join(dir, path), os.DirFS(path)); err != nil {
					t.Fatal(err)
				}
			}
			follow(t, page, dir, env, nil)
		})
	}
}

// TestReadme follows README.md from an empty folder, with kfpgo from a module proxy. The
// pipeline from Python is the twin of an example. The picture is that of the page's pipeline.
func TestReadme(t *testing.T) {
	tmp, r := t.TempDir(), publish(t)
	dir := filepath.Join(tmp, "new")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	follow(t, "README.md", dir, append(slices.Clone(r.env), "KFPGO_HOME="+filepath.Join(tmp, "home")),
		map[string][]byte{"pipeline.yaml": read(t, "examples/twins/sweep/twin.yaml")})
	golden.Check(t, "docs/digits.svg", read(t, filepath.Join(dir, "digits", "digits.svg")))
}

// TestTutorial follows the tutorial, which is the way of somebody new: a project, its
// tests, a run, a change, a picture, vet, YAML and a schedule. It says how long the
// machine took.
func TestTutorial(t *testing.T) {
	tmp, r := t.TempDir(), publish(t)
	env := append(slices.Clone(r.env), "KFPGO_HOME="+filepath.Join(tmp, "home"))
	dir := filepath.Join(tmp, "new")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { // the run that the schedule's trigger has started goes on by itself
		for i := 0; i < 100 && os.RemoveAll(tmp) != nil; i++ {
			time.Sleep(100 * time.Millisecond)
		}
	})
	start := time.Now()
	const page = "docs/tutorial.md"
	follow(t, page, dir, env, nil)
	t.Logf("from nothing to a schedule: %.0f s of this machine", time.Since(start).Seconds())

	// What the page shows of the graph is what there was.
	cmd := exec.Command(filepath.Join(r.bin, "kfpgo"), "graph", ".", "--format", "txt")
	cmd.Dir, cmd.Env = filepath.Join(dir, "digits"), append(os.Environ(), env...)
	got, err := cmd.Output()
	if err != nil || !bytes.Contains(read(t, page), got) {
		t.Errorf("%v: the page doesn't show this graph:\n%s", err, got)
	}

	// What it shows of the code is there, and so are the errors for two mistakes.
	file := filepath.Join(dir, "digits", "pipeline.go")
	program := string(read(t, file))
	wrong := []string{"PublishIn{Model: best.Out.Error}", "PublishIn{}"}
	for _, b := range blocks(t, page) {
		switch {
		case b.lang == "go" && b.file == "" && !strings.Contains(program, b.text):
			t.Errorf("%s:%d: pipeline.go has no\n%s", page, b.line, b.text)
		case b.lang == "text" && b.file == "" && len(wrong) > 0 && !strings.HasPrefix(b.text, "digits\n"):
			write(t, file, strings.Replace(program, "PublishIn{Model: best.Out.Model}", wrong[0], 1))
			cmd := exec.Command(filepath.Join(r.bin, "kfpgo"), "compile", ".", "--image", "x")
			cmd.Dir, cmd.Env = filepath.Join(dir, "digits"), append(os.Environ(), env...)
			out, err := cmd.CombinedOutput()
			if err == nil || !bytes.Contains(out, []byte(b.text)) {
				t.Errorf("%s:%d: with %s: %v, want the message in\n%s", page, b.line, wrong[0], err, out)
			}
			wrong = wrong[1:]
		}
	}
	if len(wrong) > 0 {
		t.Errorf("%s doesn't show the error for %v", page, wrong)
	}
	report, err := filepath.Glob(filepath.Join(tmp, "home", "runs", "digits-*", "run.json"))
	if err != nil || len(report) != 4 {
		t.Errorf("the runs are %v, %v; want three, and the one of the schedule", report, err)
	}
}

// TestTaste: the program in the README shows what it promises, and is still a
// taste.
func TestTaste(t *testing.T) {
	for _, b := range blocks(t, "README.md") {
		if b.file != "nightly/digits.go" {
			continue
		}
		for _, label := range []string{"container op", "volume op", "GPU step", "condition", "recurring run"} {
			if !regexp.MustCompile(`(?m)^\s*// An? ` + label).MatchString(b.text) {
				t.Errorf("README.md: no comment labels the %s", label)
			}
		}
		if n := strings.Count(b.text, "\n"); n > 50 {
			t.Errorf("README.md: the taste has %d lines", n)
		}
		return
	}
	t.Error("README.md: no Go program")
}

var (
	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notSlug = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// TestLinks: each relative link of a page leads to a file, and to a heading in it.
func TestLinks(t *testing.T) {
	for _, page := range files(t, ".md") {
		prose := fenced.ReplaceAll(read(t, page), nil) // Go's generics look like links
		for _, m := range link.FindAllSubmatch(prose, -1) {
			target := string(m[1])
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			path, anchor, _ := strings.Cut(target, "#")
			at := page
			if path != "" {
				at = filepath.Join(filepath.Dir(page), path)
			}
			if _, err := os.Stat(at); err != nil {
				t.Errorf("%s: the link %s leads nowhere", page, target)
			} else if anchor != "" && !slices.Contains(anchors(t, at), anchor) {
				t.Errorf("%s: the link %s names no heading", page, target)
			}
		}
	}
}

var fenced = regexp.MustCompile("(?ms)^```.*?^```$")

// anchors returns the names that links give to the headings of a page.
func anchors(t *testing.T, page string) []string {
	t.Helper()
	var names []string
	for _, m := range heading.FindAllSubmatch(read(t, page), -1) {
		name := notSlug.ReplaceAllString(strings.ToLower(string(m[1])), "")
		names = append(names, strings.ReplaceAll(name, " ", "-"))
	}
	return names
}

// TestMakeTargetsInPages: what a page tells people to make is there.
func TestMakeTargetsInPages(t *testing.T) {
	inline := regexp.MustCompile("`make ([a-z0-9-]+)")
	for _, page := range files(t, ".md") {
		for _, m := range inline.FindAllSubmatch(read(t, page), -1) {
			checkTarget(t, page, string(m[1]))
		}
		for _, b := range blocks(t, page) {
			if b.lang == "sh" {
				commands(t, page, b)
			}
		}
	}
}

// TestKFP1: the guide for people who come from KFP 1 says what became of each name
// of its SDK.
func TestKFP1(t *testing.T) {
	page := string(read(t, "docs/guides/from-kfp-v1.md"))
	for _, name := range strings.Fields(string(read(t, "testdata/kfp_v1_names.txt"))) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("%s is not on the page", name)
		}
	}
}
