package argoread

import (
	"cmp"
	"iter"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/read/kfpread"
)

// A home is the templates of an object, which those in it call by their names alone.
type home struct {
	object    string // empty: the pipeline itself
	templates map[string]*template
}

// A library is the templates of other objects: of those in the file, and of those in the
// files beside it, which are read when the first reference isn't one to the file.
type library struct {
	specs  map[string]*workflowSpec // by name; those of namespaces and of the cluster apart, and together
	homes  map[*workflowSpec]*home
	beside iter.Seq2[string, []byte]
	found  map[string]*object // in the files beside it
}

// scoped is the name of an object in its scope: that of the namespace, or of the cluster.
func scoped(name string, cluster bool) string {
	if cluster {
		return "cluster " + name
	}
	return "namespace " + name
}

// add adds the object of a template.
func (r *reader) add(o *object) *workflowSpec {
	spec := &workflowSpec{}
	r.fill(o, spec)
	name := scoped(o.Metadata.Name, o.Kind == "ClusterWorkflowTemplate")
	r.library.specs[name] = spec
	if r.library.specs[o.Metadata.Name] == nil {
		r.library.specs[o.Metadata.Name] = spec
	}
	h := &home{name, byName(spec.Templates)}
	r.library.homes[spec] = h
	for _, t := range spec.Templates {
		r.live(t, h)
	}
	return spec
}

// live gives a template, and those that stand in its tasks, their home.
func (r *reader) live(t *template, h *home) {
	r.homes[t] = h
	for _, k := range t.tasks() {
		if k.Inline != nil {
			r.live(k.Inline, h)
		}
	}
}

// home returns that of a template.
func (r *reader) home(t *template) *home {
	return cmp.Or(r.homes[t], &home{templates: r.templates})
}

// key distinguishes templates of the same name in several objects.
func (r *reader) key(t *template) string {
	if h := r.homes[t]; h != nil {
		return h.object + "/" + t.Name
	}
	return t.Name
}

// tasks returns the tasks of a template, or its steps.
func (t *template) tasks() (all []*task) {
	for _, g := range t.Steps {
		all = append(all, g...)
	}
	if t.DAG != nil {
		all = append(all, t.DAG.Tasks...)
	}
	return all
}

// object returns the spec of a WorkflowTemplate or ClusterWorkflowTemplate, or nil.
func (r *reader) object(name string, cluster bool) *workflowSpec {
	if spec := r.library.specs[scoped(name, cluster)]; spec != nil {
		return spec
	}
	if spec := r.library.specs[name]; spec != nil { // of the file, where the scope did not matter
		return spec
	}
	if r.library.found == nil {
		r.library.found = r.others()
	}
	if o := r.library.found[scoped(name, cluster)]; o != nil {
		return r.add(o)
	}
	return nil
}

// referred returns the template that a task refers to, or nil.
func (r *reader) referred(ref *templateRef) *template {
	spec := r.object(ref.Name, ref.ClusterScope)
	if spec == nil {
		return nil
	}
	return r.library.homes[spec].templates[ref.Template]
}

// refer reads the objects that templates refer to, and those that these refer to.
func (r *reader) refer(list []*template) {
	seen := map[*workflowSpec]bool{}
	for i := 0; i < len(list) && len(r.errs) == 0; i++ {
		for _, k := range list[i].tasks() {
			if k.Inline != nil {
				list = append(list, k.Inline)
			}
			if k.TemplateRef == nil {
				continue
			}
			if spec := r.object(k.TemplateRef.Name, k.TemplateRef.ClusterScope); spec != nil && !seen[spec] {
				seen[spec] = true
				list = append(list, spec.Templates...)
			}
		}
	}
	r.called = list
}

// others returns the templates in the files beside the one that is read. Files that
// can't be read are left out.
func (r *reader) others() map[string]*object {
	found, size := map[string]*object{}, 0
	if r.library.beside == nil {
		return found
	}
	for name, data := range r.library.beside {
		if size += len(data); size > kfpread.MaxSize {
			break
		}
		if !strings.Contains(string(data), "WorkflowTemplate") || !Is(data) {
			continue
		}
		l := &log{name: name}
		docs := l.documents(data)
		if len(l.errs) > 0 {
			continue
		}
		base := r.file(name, strings.Count(string(data), "\n")+1)
		for _, d := range docs {
			shift(d, base, map[*yaml.Node]bool{})
			o, heads := &object{}, &decoder{log: l, left: maxNodes}
			heads.decode(d, reflect.ValueOf(o).Elem(), "object")
			key := scoped(o.Metadata.Name, o.Kind == "ClusterWorkflowTemplate")
			if len(l.errs) == 0 && strings.HasSuffix(o.Kind, "WorkflowTemplate") && found[key] == nil {
				found[key] = o
			}
		}
	}
	return found
}

// shift moves a node to lines of another file.
func shift(n *yaml.Node, by int, done map[*yaml.Node]bool) {
	if n == nil || done[n] {
		return
	}
	done[n] = true
	n.Line += by
	shift(n.Alias, by, done)
	for _, c := range n.Content {
		shift(c, by, done)
	}
}

// A besideFile is one whose lines are counted after those of the others.
type besideFile struct {
	name string
	base int
}

// firstBeside is the number of lines before the files beside the first: a file has fewer.
const firstBeside = kfpread.MaxSize + 1

// file adds a file with so many lines, and returns how many there are before them.
func (l *log) file(name string, lines int) int {
	if l.next == 0 {
		l.next = firstBeside
	}
	base := l.next
	l.next += lines
	l.files = append(l.files, besideFile{name, base})
	return base
}

// place returns the file and the line of what is at a line.
func (l *log) place(line int) (string, int) {
	for _, f := range slices.Backward(l.files) {
		if line > f.base {
			return f.name, line - f.base
		}
	}
	return l.name, line
}
