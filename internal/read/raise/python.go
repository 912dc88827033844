package raise

import (
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// python writes the declaration of a component that runs a Python function.
func (b *builder) python(w *strings.Builder, c *class, py *program.Python) {
	rest := *py
	var parts []string
	add := func(field, value string) { parts = append(parts, field+": "+value) }
	notebook := ""
	if py.Notebook != "" {
		rest.Files = nil
		for _, f := range py.Files {
			if f.Name == py.Notebook {
				notebook = b.embed(w, c, py.Function, ".ipynb", "Notebook", string(f.Data))
			} else {
				rest.Files = append(rest.Files, f)
			}
		}
		if notebook == "" {
			b.errorf(c.Pos, "component %s: its notebook %s isn't among its files", c.base, py.Notebook)
		}
		if want := graph.PythonName(c.name) + ".ipynb"; py.Notebook != want {
			b.errorf(c.Pos, "component %s: a notebook in the file %s: the language calls it %s", c.base, py.Notebook, want)
		}
	}
	if py.Source != "" {
		add("Source", b.embed(w, c, py.Function, ".py", "Py", py.Source))
	} else {
		add("Source", `""`)
	}
	add("Function", gosrc.Quote(py.Function))
	if b.replaced(c, py.Image) {
		add("Image", gosrc.Quote(eachImage))
	} else {
		add("Image", gosrc.Quote(py.Image))
	}
	lists := []struct {
		field string
		list  *[]string
	}{
		{"Packages", &rest.Packages}, {"LocalPackages", &rest.LocalPackages}, {"IndexURLs", &rest.IndexURLs}, {"TrustedHosts", &rest.TrustedHosts},
	}
	for _, l := range lists {
		for _, text := range *l.list {
			if graph.HoldsCredentials(text) {
				b.errorf(c.Pos, "component %s: package or index %q: %s", c.base, graph.WithoutCredentials(text), graph.CredentialsAdvice)
			}
		}
		if len(*l.list) > 0 {
			add(l.field, stringList(*l.list))
		}
		*l.list = nil
	}
	if py.Venv {
		add("Venv", "true")
	}
	if len(rest.Files) > 0 {
		add("Files", b.embedFolder(w, c, &rest))
	}
	if py.SDK != nil {
		add("SDK", b.sdk(c, *py.SDK))
	}
	rest.Source, rest.Function, rest.Image, rest.Venv, rest.Files, rest.Notebook, rest.SDK = "", "", "", false, nil, "", nil
	b.leftover(c, "a Python step", rest)
	lit := "dsl.PythonSource{\n" + strings.Join(parts, ",\n") + ",\n}"
	if notebook != "" {
		w.WriteString(b.about(c) + gosrc.Doc("%s runs a notebook.", c.stem))
		fmt.Fprintf(w, "var %s = dsl.Notebook[%s, %s](%s, %s, %s)%s\n\n",
			c.stem, c.inType, c.outType, gosrc.Quote(c.name), notebook, lit, b.ending(c, c.Doc))
		return
	}
	w.WriteString(b.about(c) + gosrc.Doc("%s runs the Python function %s.", c.stem, py.Function))
	fmt.Fprintf(w, "var %s = dsl.Python[%s, %s](%s, %s)%s\n\n",
		c.stem, c.inType, c.outType, gosrc.Quote(c.name), lit, b.ending(c, c.Doc))
}

// leftover reports fields of a struct that have no Go.
func (b *builder) leftover(c *class, what string, rest any) {
	if !reflect.ValueOf(rest).IsZero() {
		j, _ := json.Marshal(rest)
		b.errorf(c.Pos, "component %s: %s with settings that the language has no word for: %s", c.base, what, short(j))
	}
}

// sdk returns how KFP's SDK gets into the container.
func (b *builder) sdk(c *class, sdk program.PythonSDK) string {
	lit := fields("dsl.PythonSDK", "Version", quoted(sdk.Version), "Package", quoted(sdk.Package), "Form", quoted(sdk.Dialect),
		"InImage", flag(sdk.None), "NoDeps", flag(sdk.NoDeps), "Whole", flag(sdk.Whole))
	sdk.Version, sdk.Package, sdk.Dialect, sdk.None, sdk.NoDeps, sdk.Whole = "", "", "", false, false, false
	b.leftover(c, "KFP's form of a Python step", sdk)
	return lit
}

// embed takes a string out into a file, once, and returns the variable that holds it.
func (b *builder) embed(w *strings.Builder, c *class, name, ext, ending, text string) string {
	if v, ok := b.sources[ext+text]; ok {
		return v
	}
	if b.bound != nil || !gosrc.Plain(strings.ReplaceAll(text, "\r\n", "\n")) { // one file, which holds everything; or an editor would hide some of it
		v := b.taken.pick(gosrc.Local(name, "source") + ending)
		b.sources[ext+text] = v
		fmt.Fprintf(w, "const %s = %s\n\n", v, gosrc.Quote(text))
		return v
	}
	file := b.freeFile(name, ext)
	v := b.taken.pick(gosrc.Local(strings.TrimSuffix(file, ext), "source") + ending)
	b.files[file], b.embeds[file] = []byte(text), true
	b.sources[ext+text] = v
	b.imports["embed"] = true
	fmt.Fprintf(w, "//go:embed %s\nvar %s string\n\n", file, v)
	return v
}

// freeFile returns the name of a file or folder that isn't taken.
func (b *builder) freeFile(name, ext string) string {
	base := strings.ReplaceAll(program.CleanName(graph.PortName(gosrc.Exported(name, ""))), "-", "_")
	if base == "" {
		base = "component"
	}
	for i := 1; ; i++ {
		file := base + ext
		if i > 1 {
			file = fmt.Sprintf("%s_%d%s", base, i, ext)
		}
		if b.files[file] == nil && !b.folders[file] {
			return file
		}
	}
}

// embeddable is what go:embed takes as the name of a file.
var embeddable = lazyregexp.New(`^[A-Za-z0-9_.+=@~^-][A-Za-z0-9_.+=@~^ ,!#$%&()\[\]{}-]*$`)

// vcs are the folders of version control, which go:embed doesn't take either.
var vcs = []string{".git", ".hg", ".svn", ".bzr"}

// embedFolder writes the files that go along with a step, and returns them as Go.
func (b *builder) embedFolder(w *strings.Builder, c *class, py *program.Python) string {
	if b.bound != nil {
		b.errorf(c.Pos, "component %s: it has files that go along with it; use kfpgo import, which writes a folder", c.base)
		return "nil"
	}
	name := b.freeFile(py.Function, "_files")
	dir := "_" + name // so that the go command looks for no packages and tests in it
	b.folders[name], b.embeds["all:"+dir] = true, true
	for _, f := range py.Files {
		for _, part := range strings.Split(f.Name, "/") {
			if !embeddable.MatchString(part) || part == ".." || part == "." || strings.HasSuffix(part, ".") || slices.Contains(vcs, part) {
				b.errorf(c.Pos, "component %s: the name of the file %q, which go:embed doesn't take", c.base, f.Name)
			}
		}
		if path.Base(f.Name) == "go.mod" {
			b.errorf(c.Pos, "component %s: the file %q, which makes a Go module of its folder", c.base, f.Name)
		}
		b.files[dir+"/"+f.Name] = f.Data
	}
	v := b.taken.pick(gosrc.Local(name, "files"))
	b.imports["embed"], b.imports["io/fs"], b.folder = true, true, true
	fmt.Fprintf(w, "//go:embed all:%s\nvar %s embed.FS\n\n", dir, v)
	return "folder(" + v + ", " + gosrc.Quote(dir) + ")"
}

// folderFunc is what embedFolder calls.
const folderFunc = `// folder returns a folder of embedded files.
func folder(files embed.FS, name string) fs.FS {
	sub, err := fs.Sub(files, name)
	if err != nil {
		panic(err) // the name is a constant
	}
	return sub
}
`
