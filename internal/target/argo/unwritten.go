package argo

import "github.com/kfpgo/kfpgo/internal/model/program"

// unwritten returns the inputs, as component.input, that some task passes an optional
// artifact of another one, which that may not have written. The step runs then, as on this
// machine, whatever the input says: Argo would refuse it for the missing file.
func (b *builder) unwritten() map[string]bool {
	if b.lacks != nil {
		return b.lacks
	}
	b.lacks = map[string]bool{}
	for more := true; more; { // arguments of a DAG are passed on to the tasks inside
		more = false
		for c, t := range b.p.Tasks() {
			for name, v := range t.Args {
				key := t.Component + "." + name
				if b.lacks[key] || !v.Type.Artifact {
					continue
				}
				if v.Kind == program.Output && b.p.Nullable(c, v) || v.Kind == program.Input && b.lacks[c.Name+"."+v.Name] {
					b.lacks[key], more = true, true
				}
			}
		}
	}
	return b.lacks
}
