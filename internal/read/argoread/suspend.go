package argoread

import (
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// supplies reports whether a person gives an output of a template.
func (t *template) supplies(name string) bool {
	for _, p := range t.Outputs.Parameters {
		if p.Name == name && p.ValueFrom != nil && p.ValueFrom.Supplied.JSON != nil {
			return true
		}
	}
	return false
}

// suspend makes the component of a step that waits for a person. An input of the name of
// an output has its allowed values, its default and its description.
func (r *reader) suspend(m *made) {
	t := m.t
	m.c = r.newComponent(t.Name, t.At)
	r.inputs(m)
	for _, a := range append(t.Inputs.Artifacts[:len(t.Inputs.Artifacts):len(t.Inputs.Artifacts)], t.Outputs.Artifacts...) {
		r.refuse(a.At, "artifacts of a suspend", "a person gives parameters")
	}
	m.c.Exec = &program.Executor{Suspend: &program.Suspend{Duration: r.waits(t)}}
	r.ofPod(t)
	for what, has := range map[string]bool{"retryStrategy": t.RetryStrategy != nil, "activeDeadlineSeconds": t.ActiveDeadlineSeconds != "", "synchronization": t.Synchronization != nil} {
		if has {
			r.refuse(t.At, what+" of a suspend", "the template %s runs nothing; leave it out", t.Name)
		}
	}
	for _, p := range t.Outputs.Parameters {
		if !t.supplies(p.Name) {
			r.errorf(p.At, "", "the output %s of template %s is not valueFrom.supplied, and a suspend has no other", p.Name, t.Name)
			continue
		}
		out := program.Port{Name: free(m.c.Outputs, portName(p.Name)), Doc: p.Description}
		from := p.ValueFrom.Default
		for _, in := range t.Inputs.Parameters {
			if in.Name != p.Name {
				continue
			}
			if from == nil {
				from = in.Default
			}
			if in.Description != "" {
				out.Doc = in.Description
			}
			for _, v := range in.Enum {
				r.constValue(v.At, "an enum", v.S)
				out.Enum = append(out.Enum, v.S)
			}
		}
		switch {
		case from != nil:
			r.constValue(from.At, "a default", from.S)
			out.Default = jsonText(from.S)
		case m.c.Exec.Suspend.Duration > 0:
			r.errorf(p.At, "", "the output %s of template %s has no default, which it needs when the duration has passed", p.Name, t.Name)
		}
		m.out["parameters/"+p.Name] = out.Name
		m.c.Outputs = append(m.c.Outputs, out)
	}
	m.settings = func(*scope, *program.Task, map[string]program.Value) {}
}

// waits returns the seconds that a suspend waits.
func (r *reader) waits(t *template) int64 {
	text := t.Suspend.Duration
	if text.S == "" {
		return 0
	}
	if n, err := strconv.ParseInt(text.S, 10, 64); err == nil && n >= 0 && n < 1<<31 {
		return n
	}
	d, err := time.ParseDuration(text.S)
	if err != nil || d < time.Second || d%time.Second != 0 {
		r.refuse(text.At, "suspend.duration "+text.S, "kfpgo takes whole seconds that are known when it compiles")
	}
	return int64(d / time.Second)
}

// noEnum refuses the allowed values of what no person gives.
func (r *reader) noEnum(p *parameter) {
	if len(p.Enum) > 0 {
		r.refuse(p.Enum[0].At, "enum", "the parameter %s: only an output of a suspend may have allowed values; check the value in a step", p.Name)
	}
}
