package raise

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

var actions = map[string]string{"create": "dsl.Create", "apply": "dsl.Apply", "patch": "dsl.Patch", "delete": "dsl.Delete"}

// resource writes the declaration of an operation on an object.
func (b *builder) resource(w *strings.Builder, c *class, r *program.Resource) {
	t := &leaf{builder: b, c: c}
	action := actions[r.Action]
	if action == "" {
		b.errorf(c.Pos, "component %s: the action %q: the language can create, apply, patch and delete", c.base, r.Action)
	}
	parts := []string{"Action: " + action, "Manifest: " + t.text(placeholder.Parse(r.Manifest))}
	if r.Success != "" {
		parts = append(parts, "Success: "+t.text(placeholder.Parse(r.Success)))
	}
	if r.Failure != "" {
		parts = append(parts, "Failure: "+t.text(placeholder.Parse(r.Failure)))
	}
	if r.Owned {
		parts = append(parts, "Owned: true")
	}
	b.imports[k8sPath] = true // with it, the program can do it on KFP too
	w.WriteString(gosrc.Doc("%s works on an object of the cluster.", c.stem))
	t.declare(w, "Resource", parts)
}
