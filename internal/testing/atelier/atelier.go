// Package atelier builds many packages that were raised as one program, and
// compares what they compile to with the IR that they came from: for tests.
package atelier

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/lower"
	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/raise"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// Image is that of Go steps, whose functions no file has.
const Image = "prog"

// An Atelier is a module with a package for each pipeline.
type Atelier struct {
	dir, repo string
	names     []string          // of pipelines; package p003 is the fourth
	want      map[string][]byte // their IR
}

// New returns an atelier in a folder, for the kfpgo of a repository.
func New(dir, repo string) *Atelier {
	return &Atelier{dir: dir, repo: repo, want: map[string][]byte{}}
}

// vertex are texts of Google's components that KFP passes on as they are, so that
// they are the author's own.
var vertex = []string{"{{$.pipeline_google_cloud_project_id}}", "{{$.pipeline_google_cloud_location}}", "{{$.json_escape[0]}}", "{{$.json_escape[1]}}"}

// Add raises a program, whose IR is given, to a package.
func (a *Atelier) Add(name string, p *program.Program, ir []byte) error {
	pkg := packageName(len(a.names))
	files, err := raise.Source(p, raise.Options{Package: pkg, Image: Image})
	if err != nil {
		return err
	}
	for file, text := range files {
		for _, own := range vertex {
			text = bytes.ReplaceAll(text, []byte(own), nil)
		}
		for _, ir := range []string{"pipelinechannel", "{{$", "parseJson"} {
			if strings.HasSuffix(file, ".go") && bytes.Contains(text, []byte(ir)) {
				return fmt.Errorf("%s holds text of IR: %s", file, ir)
			}
		}
	}
	if err := raise.WriteFiles(filepath.Join(a.dir, pkg), files); err != nil {
		return err
	}
	a.names = append(a.names, name)
	a.want[name] = ir
	return nil
}

func packageName(i int) string { return fmt.Sprintf("p%03d", i) }

var failed = regexp.MustCompile(`(?m)^# github.com/kfpgo/kfpgo/imported/p(\d+)\n((?:[^#].*\n?)*)`)

// Compare builds the packages and returns what is wrong with each: the compiler's
// errors, those of definitions, or where the IR differs.
func (a *Atelier) Compare() (map[string][]string, error) {
	got, wrong, err := a.graphs()
	if err != nil {
		return nil, err
	}
	for name, g := range got {
		if lines := diff(g, a.want[name]); len(lines) > 0 {
			wrong[name] = lines
		}
	}
	return wrong, nil
}

// Programs builds the packages and returns what they are, or what is wrong with each.
func (a *Atelier) Programs() (map[string]*program.Program, map[string][]string, error) {
	got, wrong, err := a.graphs()
	if err != nil {
		return nil, nil, err
	}
	all := map[string]*program.Program{}
	for name, j := range got {
		g, err := graph.Read(j)
		if err == nil {
			all[name], err = lower.Lower(g, g.Component(1))
		}
		if err != nil {
			delete(all, name)
			wrong[name] = strings.Split(err.Error(), "\n")
		}
	}
	return all, wrong, nil
}

// graphs builds the packages and returns their graphs, or what is wrong with each.
func (a *Atelier) graphs() (got map[string]json.RawMessage, wrong map[string][]string, err error) {
	wrong = map[string][]string{}
	if err := a.module(); err != nil {
		return nil, nil, err
	}
	// What doesn't build is left out of the program.
	if out, err := a.command("build", "./...").CombinedOutput(); err != nil {
		for _, m := range failed.FindAllStringSubmatch(string(out), -1) {
			i, err := strconv.Atoi(m[1])
			if err != nil || i >= len(a.names) {
				return nil, nil, fmt.Errorf("package %s is none of them", m[1])
			}
			wrong[a.names[i]] = strings.Split(strings.TrimSpace(m[2]), "\n")
		}
		if len(wrong) == 0 {
			return nil, nil, fmt.Errorf("%w\n%s", err, out)
		}
	}
	if err := a.main(wrong); err != nil {
		return nil, nil, err
	}
	cmd := a.command("run", ".")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, nil, fmt.Errorf("%w\n%s", err, &stderr)
	}
	return got, wrong, json.Unmarshal(out, &got)
}

// command returns a go command in the module, which asks no network.
func (a *Atelier) command(args ...string) *exec.Cmd {
	cmd := exec.Command("go", args...)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod -trimpath", "GOPROXY=off") // so that what was compiled in another folder is taken from the cache
	return cmd
}

// module writes the go.mod: that of the repository, and the repository itself. The path of the
// module lets its program import the internal package that makes graphs.
func (a *Atelier) module() error {
	mod, err := os.ReadFile(filepath.Join(a.repo, "go.mod"))
	if err != nil {
		return err
	}
	sum, err := os.ReadFile(filepath.Join(a.repo, "go.sum"))
	if err != nil {
		return err
	}
	_, requires, _ := strings.Cut(string(mod), "\n")
	text := fmt.Sprintf("module github.com/kfpgo/kfpgo/imported\n%s\nrequire github.com/kfpgo/kfpgo v0.0.0\nreplace github.com/kfpgo/kfpgo => %s\n", requires, a.repo)
	return raise.WriteFiles(a.dir, map[string][]byte{"go.mod": []byte(text), "go.sum": sum})
}

// main writes the program, which prints the graphs of all pipelines.
func (a *Atelier) main(without map[string][]string) error {
	var imports, graphs strings.Builder
	for i, name := range a.names {
		if without[name] == nil {
			fmt.Fprintf(&imports, "\t%q\n", "github.com/kfpgo/kfpgo/imported/"+packageName(i))
			fmt.Fprintf(&graphs, "\tout[%q] = recorded.Graph(%s.Pipeline)\n", name, packageName(i))
		}
	}
	text := fmt.Sprintf(`package main

import (
	"encoding/json"
	"os"

	"github.com/kfpgo/kfpgo/internal/model/recorded"
%s)

func main() {
	out := map[string]any{}
	_ = recorded.Graph[any]
%s	if err := json.NewEncoder(os.Stdout).Encode(out); err != nil {
		panic(err)
	}
}
`, &imports, &graphs)
	return raise.WriteFiles(a.dir, map[string][]byte{"main.go": []byte(text)})
}

// diff compiles a graph and lists where its IR differs.
func diff(g json.RawMessage, want []byte) []string {
	gr, err := graph.Read(g)
	if err != nil {
		return []string{err.Error()}
	}
	p, err := lower.Lower(gr, gr.Component(1))
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	ir, err := kfp.Write(p, kfp.Options{Image: Image})
	if err != nil {
		return strings.Split(err.Error(), "\n")
	}
	lines, err := compare(ir, want)
	if err != nil {
		return []string{err.Error()}
	}
	if len(lines) > 0 { // KFP 2.0 gave outputs of groups that the pipeline returns names without the mark
		plain, err := compare(bytes.ReplaceAll(ir, mark, nil), bytes.ReplaceAll(want, mark, nil))
		if err == nil && len(plain) == 0 {
			return nil
		}
	}
	return lines
}

// compare lists the differences that say something else.
func compare(ir, want []byte) ([]string, error) {
	lines, err := irdiff.Compare(ir, want)
	return slices.DeleteFunc(lines, func(l string) bool {
		if m := differ.FindStringSubmatch(l); m != nil && (m[2] == m[3] || m[1] == "/pipelineInfo/name" && noName.ReplaceAllString(m[3], "-") == m[2]) {
			return true
		}
		if m := typed.FindStringSubmatch(l); m != nil && m[1] == m[2] {
			return true
		}
		return slices.ContainsFunc(same, func(re *regexp.Regexp) bool { return re.MatchString(l) })
	}), err
}

// typed is a constant, and one with its type, as alphas of KFP 2 wrote them.
var typed = regexp.MustCompile(`/constant: "?([^"{}]*)"?, want \{"(?:string|int|double)Value":"?([^"{}]*)"?\}$`)

// mark is what names of inputs and outputs of groups begin with. Nobody sees it.
var mark = []byte(contract.Channel)

// differ is a difference of texts, or of a number and the same as a text, as KFP 1's
// compiler wrote defaults.
var differ = regexp.MustCompile(`^(.*/defaultValue|/pipelineInfo/name): "?([^"]*)"?, want "([^"]*)"$`)

// noName is what Kubernetes doesn't take in a name.
var noName = regexp.MustCompile(`[^a-z0-9-]+`)

// same are differences that say nothing else, of files that other versions of the
// SDK wrote (see program.Change.Form), and those that are meant.
var same = []*regexp.Regexp{
	regexp.MustCompile(`/inputDefinitions/parameters/[^/]+/isOptional: true, want none$`),            // beside a default
	regexp.MustCompile(`/dependentTasks: \[.*\], want none$`),                                        // a task follows what it reads
	regexp.MustCompile(`/container/resources/resource(Cpu|Memory)(Limit|Request): ".*", want none$`), // KFP before 2.4 had the numbers only
	regexp.MustCompile(`/kubernetes/\w+\[\d+\]/\w+Parameter: .*, want none$`),                        // KFP before 2.4 had plain texts for names of objects
	regexp.MustCompile(`/accelerator/resource(Count|Type): ".*", want none$`),                        // and one form of devices
	regexp.MustCompile(`/createpvc[-0-9]*/.*/parameters/data_source: \{.*\}, want none$`),            // kfp-kubernetes declared no source of data before 2.17
	regexp.MustCompile(`/inputDefinitions/artifacts/[^/]+/isOptional: true, want none$`),             // of a group, in KFP 2.0
	regexp.MustCompile(`/cachingOptions: \{\}, want none$`),                                          // nothing is cached either way
	regexp.MustCompile(`/parameters/kfpgo-env: missing, want .*$`),                                   // of a Go step, which becomes a container
}
