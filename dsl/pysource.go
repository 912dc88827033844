package dsl

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// pythonSpec checks what a Python component needs.
func pythonSpec(py PythonSource, errorf func(string, ...any)) *graph.PythonSpec {
	spec := &graph.PythonSpec{Source: py.Source, Function: py.Function, Image: py.Image, Venv: py.Venv,
		Packages: slices.Clone(py.Packages), LocalPackages: slices.Clone(py.LocalPackages), IndexURLs: slices.Clone(py.IndexURLs), TrustedHosts: slices.Clone(py.TrustedHosts)}
	if py.Image == "" {
		errorf("no image; python:3.12 is a good one")
	} else if err := imageRef.Check(graph.InImage.ReplaceAllString(py.Image, "x")); err != nil {
		errorf("%v", err)
	}
	for _, p := range slices.Concat(py.Packages, py.LocalPackages) {
		if strings.TrimSpace(p) == "" || strings.HasPrefix(p, "-") {
			errorf("package %q: a package is a name that pip takes, such as numpy==2.2.0", p)
		}
	}
	readRequirements(spec, py.Requirements, errorf)
	for _, text := range slices.Concat(spec.Packages, spec.LocalPackages, spec.IndexURLs) {
		if graph.HoldsCredentials(text) {
			errorf("package or index %q: %s", graph.WithoutCredentials(text), graph.CredentialsAdvice)
		}
	}
	for _, url := range spec.IndexURLs {
		if url := graph.WithoutCredentials(url); !indexURL.MatchString(url) {
			errorf("index URL %q: want a URL without blanks and quotes, such as https://packages.example.com/simple", url)
		}
	}
	for _, host := range spec.TrustedHosts {
		if !trustedHost.MatchString(host) {
			errorf("trusted host %q: want a host, with its port if it has one, such as pypi.example.com:8080", host)
		}
	}
	if len(spec.TrustedHosts) > 0 && len(spec.IndexURLs) == 0 {
		errorf("trusted hosts without IndexURLs")
	}
	if py.Files != nil {
		spec.Files = readFiles(py.Files, errorf)
	}
	if py.SDK != (PythonSDK{}) {
		spec.SDK = pythonSDK(py, spec, errorf)
	}
	return spec
}

// sdkForms are the versions that changed how KFP's SDK starts a step.
var sdkForms = []string{"", "1.8", "2.0", "2.0.2", "2.1", "2.9", "2.14"}

var (
	indexURL    = lazyregexp.New(`^[a-z][a-z0-9+.-]*://[^\s'"` + "`" + `$\\;&|<>]+$`)
	trustedHost = lazyregexp.New(`^[^\s'"` + "`" + `$\\;&|<>-][^\s'"` + "`" + `$\\;&|<>]*$`)
	sdkVersion  = lazyregexp.New(`^[12]\.\d+(\.\d+)?((a|b|rc)\d+|-(alpha|beta|rc)\.\d+)?$`)
)

// pythonSDK checks what KFP's own form of a step needs.
func pythonSDK(py PythonSource, spec *graph.PythonSpec, errorf func(string, ...any)) *graph.PythonSDK {
	sdk := py.SDK
	if n := len(slices.DeleteFunc([]bool{sdk.Version != "", sdk.Package != "", sdk.InImage}, func(b bool) bool { return !b })); n > 1 {
		errorf("PythonSDK has %d fields set; set Version, or Package, or InImage", n)
	}
	if sdk.Version != "" && !sdkVersion.MatchString(sdk.Version) {
		errorf("PythonSDK Version %q: want one of KFP's SDK, such as 2.17.3", sdk.Version)
	}
	if sdk.InImage && py.Venv {
		errorf("KFP's SDK leaves out the virtual environment when it isn't installed itself: drop Venv or InImage")
	}
	if i := slices.IndexFunc(spec.Packages, func(p string) bool { return strings.Contains(p, " --") }); i >= 0 {
		errorf("requirement %q: KFP's form takes no options of a package; use kfpgo's own, without SDK", spec.Packages[i])
	}
	own := func(p string) bool { return strings.HasPrefix(p, "kfp") } // what the SDK itself takes for KFP
	if i := slices.IndexFunc(spec.Packages, own); i >= 0 && !sdk.InImage {
		errorf("package %q: KFP's SDK takes packages that begin with kfp for itself; set PythonSDK's InImage, and name the SDK among the packages", spec.Packages[i])
	}
	if !sdk.Whole {
		spec.Source = cutDecorators(spec.Source)
	}
	if at := regexp.MustCompile(`(?m)^@(?:\w+\.)*(?:pipeline|container_component|component|notebook_component)\b`).FindString(spec.Source); at != "" {
		errorf("the source has a %s, which KFP's SDK doesn't know inside a step: put the function into a file of its own", at)
	}
	if !slices.Contains(sdkForms, sdk.Form) {
		errorf("PythonSDK Form %q: want one of %s", sdk.Form, strings.Join(sdkForms[1:], ", "))
	}
	if sdk.NoDeps && sdk.Package == "" {
		errorf("PythonSDK NoDeps without a Package")
	}
	form := sdk.Form
	if form == "2.14" {
		form = ""
	}
	return &graph.PythonSDK{Version: sdk.Version, Package: sdk.Package, None: sdk.InImage, NoDeps: sdk.NoDeps, Whole: sdk.Whole, Dialect: form}
}

var decorator = lazyregexp.New(`(?m)^@(?:kfp\.)?(?:dsl\.)?(?:component|notebook_component)[ \t]*(\(|$)`)

// cutDecorators takes KFP's decorators from functions, as its SDK does when it
// sends them.
func cutDecorators(source string) string {
	for {
		at := decorator.FindStringSubmatchIndex(source)
		if at == nil {
			return source
		}
		end := at[1]
		if at[2] < at[3] { // its arguments
			end += pythonArgsEnd(source[end:])
		}
		line := strings.IndexByte(source[end:], '\n')
		if line < 0 || strings.TrimSpace(source[end:end+line]) != "" {
			return source
		}
		source = source[:at[0]] + source[end+line+1:]
	}
}

// pythonArgsEnd returns where the bracket closes that was open before s.
func pythonArgsEnd(s string) int {
	return min(len(s), 1+scanPython(s, func(_ string, depth int) bool { return depth >= 0 }))
}

// checkSDK says where KFP's own executor couldn't run a function.
func checkSDK(c graph.Component, params []pythonParam) (msgs []string) {
	var returned []string
	named := func(name string) bool {
		return slices.ContainsFunc(params, func(p pythonParam) bool { return p.name == name })
	}
	for _, p := range params {
		if p.rest {
			msgs = append(msgs, "takes **kwargs, to which KFP's SDK gives nothing")
		} else if !p.annotated {
			msgs = append(msgs, fmt.Sprintf("has a parameter %s without a type, which KFP's SDK needs", p.name))
		}
	}
	for _, f := range c.Outputs {
		input := slices.ContainsFunc(c.Inputs, func(in graph.Field) bool { return in.Name == f.Name })
		if input || !named(f.Name) {
			returned = append(returned, f.Name)
		}
	}
	switch note := pythonReturns(c.Python.Source, c.Python.Function); {
	case len(returned) == 0:
	case note == "" || note == "None":
		msgs = append(msgs, fmt.Sprintf("has no return type, which KFP's SDK needs for the output %s", strings.Join(returned, ", ")))
	case plainType.MatchString(note) && !slices.Equal(returned, []string{"Output"}):
		msgs = append(msgs, fmt.Sprintf("returns %s, which KFP's SDK calls Output, but the component has the output %s: tag its field kfp:\"Output\", or return a NamedTuple", note, strings.Join(returned, ", ")))
	}
	return msgs
}

var plainType = lazyregexp.New(`^(str|int|float|bool|dict|list|Dict|List)\b`)

// pythonReturns returns the type that a function says it returns.
func pythonReturns(source, function string) string {
	at := pythonDef(function).FindStringIndex(source)
	if at == nil {
		return ""
	}
	rest := source[at[1]:]
	rest = strings.TrimSpace(rest[pythonArgsEnd(rest):])
	note, ok := strings.CutPrefix(rest, "->")
	if !ok {
		return ""
	}
	if end := outside(note, ":"); end < len(note) {
		return strings.TrimSpace(note[:end])
	}
	return ""
}

// readRequirements adds what a requirements.txt holds.
func readRequirements(spec *graph.PythonSpec, text string, errorf func(string, ...any)) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " ")
	comment := regexp.MustCompile(`(^|\s)#.*`)
	for _, line := range strings.Split(text, "\n") {
		shown := graph.WithoutCredentials(line)
		line = strings.Join(strings.Fields(comment.ReplaceAllString(line, "")), " ")
		option, value, _ := strings.Cut(strings.Replace(line, "=", " ", 1), " ")
		if !strings.HasPrefix(line, "-") {
			if line != "" {
				spec.Packages = append(spec.Packages, line)
			}
			continue
		}
		switch option {
		case "--index-url", "-i":
			spec.IndexURLs = append([]string{value}, spec.IndexURLs...)
		case "--extra-index-url":
			spec.IndexURLs = append(spec.IndexURLs, value)
			if len(spec.IndexURLs) == 1 {
				errorf("requirements: %q without an --index-url before it; name the first index with --index-url", shown)
			}
		case "--trusted-host":
			spec.TrustedHosts = append(spec.TrustedHosts, value)
		default:
			errorf("requirements: %q: of options, --index-url, --extra-index-url and --trusted-host go along with a step", shown)
		}
	}
}

// maxFiles bounds how much of Files is read. Targets take less: what an argument of
// a command holds, packed.
const maxFiles = 16 << 20

// readFiles reads the files that go along with a step.
func readFiles(fsys fs.FS, errorf func(string, ...any)) (files []graph.File) {
	size := 0
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path.Base(name) == "__pycache__" || path.Base(name) == ".ipynb_checkpoints"):
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if size > maxFiles {
			return fs.SkipAll
		}
		data, err := fs.ReadFile(fsys, name)
		if err != nil {
			return err
		}
		size += len(data)
		files = append(files, graph.File{Name: name, Data: data})
		return nil
	})
	if err != nil {
		errorf("Files: %v", err)
	}
	if len(files) == 0 && err == nil {
		errorf("Files has no file")
	}
	if size > maxFiles {
		errorf("Files has more than %d bytes; put them into the image or make them an artifact", maxFiles)
		return nil
	}
	return files
}
