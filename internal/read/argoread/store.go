package argoread

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// stores returns the stores that an artifact names, by the kind.
func (a *artifact) stores() map[string]raw {
	all := map[string]raw{"s3": a.S3, "gcs": a.GCS, "oss": a.OSS, "azure": a.Azure, "git": a.Git, "http": a.HTTP}
	for kind, r := range all {
		if r.JSON == nil {
			delete(all, kind)
		}
	}
	return all
}

// located reports whether an artifact says where it is.
func (a *artifact) located() bool { return a != nil && (a.Raw != nil || len(a.stores()) > 0) }

// noStore refuses the place of an artifact where there is none.
func (r *reader) noStore(a *artifact, what string) {
	for _, kind := range sortedKeys(a.stores()) {
		r.refuse(a.At, kind+" of "+what, "the artifact %s is kept where those of the run are", a.Name)
	}
	if a.Raw != nil {
		r.refuse(a.At, "raw of "+what, "the artifact %s is what a task makes", a.Name)
	}
}

// A placed is where an artifact is: a URI, which may have tags, and the settings of the store.
type placed struct {
	uri   string
	store json.RawMessage
}

// place returns where an artifact is.
func (r *reader) place(a *artifact) (p placed, ok bool) {
	has := map[string]bool{"raw": a.Raw != nil}
	for kind := range a.stores() {
		has[kind] = true
	}
	n := len(r.errs)
	r.one(a.At, "the artifact "+a.Name, has)
	if a.Raw != nil {
		r.constValue(a.Raw.Data.At, "a raw artifact", a.Raw.Data.S)
		return placed{uri: feature.Data + url.PathEscape(a.Raw.Data.S)}, n == len(r.errs)
	}
	for kind, of := range a.stores() {
		var fields map[string]any
		if err := jsontext.Decode(of.JSON, &fields); err != nil {
			r.errorf(of.At, "", "the artifact %s: %s is not an object", a.Name, kind)
			continue
		}
		take := func(name string) string {
			s, _ := fields[name].(string)
			delete(fields, name)
			return s
		}
		switch kind {
		case "git":
			p.uri = take("repo")
			if revision := take("revision"); revision != "" {
				p.uri += "#" + revision
			}
		case "http":
			p.uri = take("url")
		case "azure":
			p.uri = "azure://" + take("container") + "/" + take("blob")
		default:
			bucket, key := take("bucket"), take("key")
			if p.uri = map[string]string{"s3": "s3", "gcs": "gs", "oss": "oss"}[kind] + "://" + bucket + "/" + key; bucket == "" {
				if p.uri = key; kind != "s3" || len(fields) > 0 || key == "" {
					r.refuse(of.At, kind+" without a bucket", "the artifact %s: name its bucket, or its key alone", a.Name)
				}
				return p, n == len(r.errs)
			}
		}
		for _, name := range sortedKeys(fields) {
			if program.StoreFields[kind][name] == "" {
				r.refuse(of.At, kind+"."+name, "the artifact %s: the language has no field for it", a.Name)
			}
		}
		if kind == "http" && len(fields) == 0 {
			break
		}
		j, err := json.Marshal(map[string]any{kind: fields})
		if err != nil {
			r.errorf(of.At, "", "the artifact %s: %v", a.Name, err)
		}
		if strings.Contains(string(j), "{{") {
			r.refuse(of.At, "a tag in a store", "%s: kfpgo takes constants there, other than in the place of the artifact", j)
		}
		p.store = j
	}
	return p, n == len(r.errs)
}

// imported adds a task that imports an artifact from where it is, and returns the artifact.
// With is what inputs of the template are given, where the place is in its terms.
func (s *scope) imported(a *artifact, with func(ref *ref) (program.Value, bool)) (program.Value, bool) {
	at, ok := s.place(a)
	if !ok {
		return program.Value{}, false
	}
	uri := s.value(a.At, at.uri, with)
	for _, v := range append([]program.Value{uri}, uri.Of...) {
		if v.Kind == item {
			s.refuse(a.At, "an artifact of the item of a loop", "%s: its place is another one each time; let the step fetch it", a.Name)
			return program.Value{}, false
		}
	}
	text := typeNamed(kfptype.String)
	c := s.newComponent("import-"+a.Name, a.At)
	c.Exec = &program.Executor{Importer: &program.Importer{}}
	c.Inputs = []program.Port{{Name: "uri", Type: text}}
	c.Outputs = []program.Port{{Name: "artifact", Type: fileType}}
	t := &program.Task{Name: s.taskName(c.Name), Component: c.Name, Pos: s.source(a.At), Args: map[string]program.Value{"uri": uri}}
	t.Settings.Store = at.store
	imp := &call{at: a.At, name: t.Name, task: t, tasks: []*program.Task{t}, inner: &made{c: c}}
	s.finish(imp)
	s.add(imp)
	return program.Value{Kind: program.Output, Task: t.Name, Name: "artifact", Type: fileType}, true
}
