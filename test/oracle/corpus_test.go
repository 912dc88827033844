package oracle

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/irdiff"
	"github.com/kfpgo/kfpgo/internal/kfp"
	"github.com/kfpgo/kfpgo/internal/kfpread"
	"github.com/kfpgo/kfpgo/internal/picture"
	"github.com/kfpgo/kfpgo/internal/program"
	"github.com/kfpgo/kfpgo/internal/raise"
	"github.com/kfpgo/kfpgo/internal/vet"
)

// TestCorpus takes the files of KFPGO_CORPUS, which KFP's SDKs compiled, through
// all that kfpgo does with a file.
func TestCorpus(t *testing.T) {
	dir := os.Getenv("KFPGO_CORPUS")
	if dir == "" {
		skipped["corpus"] = true
		t.Skip("KFPGO_CORPUS names no folder with pipelines that KFP compiled")
	}
	journey(t, "corpus", pipelines(t, dir))
}

// TestModule does so with the pipelines in the sources of KFP's Go module.
func TestModule(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/kubeflow/pipelines").Output()
	if err != nil {
		t.Fatal(err)
	}
	files := pipelines(t, strings.TrimSpace(string(out)))
	if len(files) < 84 {
		t.Errorf("%d files, want at least the 84 of its tests", len(files))
	}
	journey(t, "KFP module's own files", files)
}

// A file is IR, and where it is from.
type file struct {
	name string
	data []byte
}

// pipelines returns the files below a folder that hold a pipeline.
func pipelines(t *testing.T, dir string) []file {
	t.Helper()
	var files []file
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || ext != ".yaml" && ext != ".yml" && ext != ".json" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(data, []byte("pipelineInfo")) {
			return err
		}
		if docs, err := irdiff.Read(data); err == nil && docs[0]["pipelineInfo"] != nil && docs[0]["root"] != nil {
			name, _ := filepath.Rel(dir, path)
			files = append(files, file{name, data})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Fatalf("no pipelines in %s", dir)
	}
	return files
}

// journey reads files and writes them again, through the JSON of the program; has
// them checked and drawn; makes Go of them, builds it, and compares what that
// compiles to.
func journey(t *testing.T, name string, files []file) {
	t.Helper()
	var built imports
	for i, f := range files {
		var p *program.Program
		stage := func(what string, do func() error) {
			err := error(nil)
			if p != nil || what == "read" {
				err = safely(do)
			} else {
				err = fmt.Errorf("not read")
			}
			tally(name+" "+what, err == nil, "")
			if err != nil && p != nil || what == "read" && err != nil {
				t.Errorf("%s: %s: %v", f.name, what, err)
			}
		}
		stage("read", func() (err error) { p, err = kfpread.Read(filepath.Base(f.name), f.data); return err })
		stage("written", func() error { return writtenEqual(p, f.data) })
		stage("vetted", func() error { vet.Program(p); return nil })
		stage("drawn", func() error { _, err := picture.SVG(p, nil, picture.Right); return err })
		stage("imported", func() error { return built.add(fmt.Sprintf("p%03d", i), f, p) })
	}
	built.check(t, name+" built and compiled equal", len(files))
}

// safely turns a panic into an error: no file may cause one.
func safely(f func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return f()
}

// writtenEqual compares what a program is written as with the file that it was
// read from. Of the program, only its JSON is kept.
func writtenEqual(p *program.Program, file []byte) error {
	j, err := json.Marshal(p)
	if err != nil {
		return err
	}
	var again program.Program
	if err := json.Unmarshal(j, &again); err != nil {
		return err
	}
	b, err := kfp.Write(&again, kfp.Options{})
	if err != nil {
		return err
	}
	got, err := irdiff.Read(b)
	if err != nil {
		return err
	}
	want, err := irdiff.Read(file)
	if err != nil {
		return err
	}
	if len(got) != len(want) {
		return fmt.Errorf("%d documents, want %d", len(got), len(want))
	}
	var lines []string
	for i := range want {
		lines = append(lines, irdiff.Diff("", got[i], want[i])...)
	}
	return differences(lines)
}

func differences(lines []string) error {
	if len(lines) == 0 {
		return nil
	}
	const most = 5
	if len(lines) > most {
		lines = append(lines[:most:most], fmt.Sprintf("and %d more", len(lines)-most))
	}
	return fmt.Errorf("differs:\n  %s", strings.Join(lines, "\n  "))
}

// imports are packages that were made of files, to be built as one program.
type imports struct {
	dir      string
	packages []string
	of       map[string]file
}

// What must not be in Go that was made of IR: names and placeholders of IR.
var irText = regexp.MustCompile(`pipelinechannel--|\{\{\$|comp-[a-z]|exec-[a-z]`)

// add makes a package of a program.
func (m *imports) add(pkg string, f file, p *program.Program) error {
	sources, err := raise.Source(p, raise.Options{Package: pkg, From: filepath.Base(f.name), Image: "prog"})
	if err != nil {
		return err
	}
	if m.dir == "" {
		if m.dir, err = os.MkdirTemp("", "kfpgo-imported-"); err != nil {
			return err
		}
		m.of = map[string]file{}
	}
	for name, text := range sources {
		if strings.HasSuffix(name, ".go") {
			formatted, err := format.Source(text)
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if !bytes.Equal(formatted, text) {
				return fmt.Errorf("%s isn't formatted as by gofmt", name)
			}
			if found := irText.Find(text); found != nil {
				return fmt.Errorf("%s holds text of IR: %s", name, found)
			}
		}
		path := filepath.Join(m.dir, pkg, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return err
		}
	}
	m.packages = append(m.packages, pkg)
	m.of[pkg] = f
	return nil
}

// check builds the packages, and compares what each compiles to with its file.
func (m *imports) check(t *testing.T, name string, of int) {
	t.Helper()
	defer os.RemoveAll(m.dir)
	got := map[string][]byte{}
	if len(m.packages) > 0 {
		good := m.build(t)
		if len(good) > 0 {
			got = m.run(t, good)
		}
	}
	for _, pkg := range m.packages {
		f := m.of[pkg]
		err := error(nil)
		if ir, ok := got[pkg]; !ok {
			err = fmt.Errorf("it doesn't compile")
		} else if lines, bad := irdiff.Compare(ir, f.data); bad != nil {
			err = bad
		} else {
			err = differences(lines)
		}
		if err != nil {
			t.Errorf("%s: imported (%s): %v", f.name, pkg, err)
		}
		tally(name, err == nil, "")
	}
	for range of - len(m.packages) { // those that weren't imported
		tally(name, false, "")
	}
}

// build returns the packages that Go builds.
func (m *imports) build(t *testing.T) []string {
	t.Helper()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	_, requires, _ := strings.Cut(string(mod), "\n")
	text := fmt.Sprintf("module imported\n%s\nrequire github.com/kfpgo/kfpgo v0.0.0\nreplace github.com/kfpgo/kfpgo => %s\n", requires, root)
	m.write(t, "go.mod", text)
	m.write(t, "go.sum", string(sum))
	out, err := m.command("build", "./...")
	if err == nil {
		return m.packages
	}
	t.Errorf("go build: %v\n%s", err, out)
	bad := map[string]bool{}
	for _, failed := range regexp.MustCompile(`(?m)^# imported/(\S+)`).FindAllStringSubmatch(out, -1) {
		bad[failed[1]] = true
	}
	return slices.DeleteFunc(slices.Clone(m.packages), func(pkg string) bool { return bad[pkg] })
}

// run returns the IR of each package, from one program that holds them all.
func (m *imports) run(t *testing.T, packages []string) map[string][]byte {
	t.Helper()
	var names, compiles strings.Builder
	for _, pkg := range packages {
		fmt.Fprintf(&names, "\t%q\n", "imported/"+pkg)
		fmt.Fprintf(&compiles, "\tcompile(%q, %s.Pipeline)\n", pkg, pkg)
	}
	m.write(t, "main.go", fmt.Sprintf(`package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
%s)

var all = map[string]string{}

func compile(pkg string, d dsl.Definition) {
	ir, err := compiler.Compile(d, compiler.KFP, compiler.Image("prog"))
	if err != nil {
		fmt.Fprintln(os.Stderr, pkg+":", err)
		return
	}
	all[pkg] = string(ir)
}

func main() {
%s	json.NewEncoder(os.Stdout).Encode(all)
}
`, &names, &compiles))
	if out, err := m.command("build", "-o", "all", "."); err != nil {
		t.Errorf("go build: %v\n%s", err, out)
		return nil
	}
	cmd := exec.Command(filepath.Join(m.dir, "all"))
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	b, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Errorf("the imported packages: %v\n%s", err, &stderr)
	}
	var irs map[string]string
	if err := json.Unmarshal(b, &irs); err != nil {
		t.Error(err)
	}
	got := map[string][]byte{}
	for pkg, ir := range irs {
		got[pkg] = []byte(ir)
	}
	return got
}

func (m *imports) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(m.dir, name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func (m *imports) command(args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = m.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := cmd.CombinedOutput()
	return string(out), err
}
