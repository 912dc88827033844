package kfpgo_test

import (
	"bytes"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

// run runs a command in a folder, and returns what it writes to standard output.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, stderr.Bytes())
	}
	return string(out)
}

// TestDSLDependencies: the packages that every pipeline's program links beside
// the standard library are a reviewed list.
func TestDSLDependencies(t *testing.T) {
	got := run(t, ".", nil, "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "./dsl", "./dsl/argo", "./dsl/k8s")
	golden.Check(t, "testdata/dsl_deps.txt", []byte(got))
}

// TestDSLAPI: a change of what users write is one that somebody meant.
func TestDSLAPI(t *testing.T) {
	for name, dir := range map[string]string{"dsl_api.txt": "./dsl", "dsl_argo_api.txt": "./dsl/argo", "dsl_k8s_api.txt": "./dsl/k8s", "dsl_k8s_pod_api.txt": "./dsl/k8s/pod"} {
		golden.Check(t, filepath.Join("testdata", name), []byte(run(t, ".", workspace(t), "go", "doc", "-all", dir)))
	}
}

// mostNames is how many names a pipeline author may have to look through in package dsl.
const mostNames = 150

// alone finds what belongs to one target: then its place is dsl/argo or dsl/k8s.
var (
	aloneName = regexp.MustCompile(`Argo|Workflow|Kube|K8s|Pod|PVC|ConfigMap|Toleration|Affinity|NodeSelector`)
	aloneDoc  = regexp.MustCompile(`\b[Oo]nly (on |by |for )?(Argo|Kubernetes)\b|\b(Argo|Kubernetes)( Workflows)? (alone|only)\b`)
)

// about returns why a name of dsl, with its doc, is about one target, or "".
func about(name, doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	elsewhere := strings.ReplaceAll(doc, "Package k8s has the options that only Kubernetes knows.", "")
	switch {
	case aloneName.MatchString(name):
		return "its name is"
	case aloneDoc.MatchString(elsewhere):
		return "its doc is: " + aloneDoc.FindString(elsewhere)
	case strings.Contains(doc, "Argo") && !strings.Contains(doc, "KFP"):
		return "its doc has Argo and not KFP"
	}
	return ""
}

// TestDSLNames: package dsl has few exported names, and none that is about one target.
func TestDSLNames(t *testing.T) {
	files := token.NewFileSet()
	var parsed []*ast.File
	sources, err := filepath.Glob("dsl/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	p, err := doc.NewFromFiles(files, parsed, module+"/dsl")
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	check := func(name, doc string) {
		n++
		if why := about(name, doc); why != "" {
			t.Errorf("dsl.%s is about one target (%s); put it in dsl/argo or dsl/k8s", name, why)
		}
	}
	values := func(all []*doc.Value) {
		for _, v := range all {
			for _, name := range v.Names {
				if ast.IsExported(name) {
					check(name, v.Doc)
				}
			}
		}
	}
	funcs := func(all []*doc.Func) {
		for _, f := range all {
			check(f.Name, f.Doc)
		}
	}
	values(p.Consts)
	values(p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		check(typ.Name, typ.Doc)
		values(typ.Consts)
		values(typ.Vars)
		funcs(typ.Funcs)
		for _, m := range typ.Methods {
			if why := about(m.Name, m.Doc); why != "" {
				t.Errorf("method %s of dsl.%s is about one target (%s)", m.Name, typ.Name, why)
			}
		}
	}
	if n < 100 || n > mostNames {
		t.Errorf("dsl exports %d names, want at most %d: a new one takes the place of another, or goes to a package of its own", n, mostNames)
	}
}

// TestAbout: what the test above finds.
func TestAbout(t *testing.T) {
	for name, doc := range map[string]string{
		"ArgoConfig": "", "PodGC": "", "ConfigTolerations": "",
		"Pause": "Pause is what only Argo has, not KFP.", "Mount": "Mount is for Kubernetes alone.", "Keep": "Keep is Argo's archiveLogs.",
	} {
		if about(name, doc) == "" {
			t.Errorf("%s %q passes", name, doc)
		}
	}
}

// TestHelloIsSmall: a program that imports dsl alone has under 5 MB, which is
// most of its image.
func TestHelloIsSmall(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "hello")
	run(t, ".", []string{"CGO_ENABLED=0"}, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", bin, "./examples/hello")
	info, err := os.Stat(bin)
	if err != nil {
		t.Fatal(err)
	}
	if info.Size() >= 5e6 {
		t.Errorf("hello has %d bytes, want under 5,000,000", info.Size())
	}
	t.Logf("hello has %d bytes", info.Size())
}
