package engine

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

// An env is values by name. One that isn't there was not given.
type env struct {
	params map[string]json.RawMessage
	arts   map[string][]run.Artifact
}

func (e env) has(name string) bool {
	_, param := e.params[name]
	_, art := e.arts[name]
	return param || art
}

// A result is how a task or DAG ended.
type result struct {
	state run.State
	env
	failure *failure // of the first step that failed
}

func (r *result) ok() bool { return r.state == run.Succeeded || r.state == run.Cached }

// after takes note of how a part has ended.
func (r *result) after(part *result) {
	switch {
	case r.failure != nil:
	case part.failure != nil:
		r.failure, r.state = part.failure, run.Failed
	case part.state == run.Cancelled:
		r.state = run.Cancelled
	}
}

// A failure names the step that failed and says why.
type failure struct{ task, msg string }

func (f *failure) String() string { return f.task + ": " + f.msg }

// eval returns a value as JSON, and false where it was not given.
func (f *frame) eval(v program.Value) (json.RawMessage, bool, error) {
	var b json.RawMessage
	ok := true
	switch v.Kind {
	case program.Const:
		b = v.Const
	case program.Input:
		b, ok = f.in.params[v.Name]
	case program.Output:
		b, ok = f.results[v.Task].params[v.Name]
	case program.Status:
		b = f.status(v.Task)
	case program.Run:
		text, err := f.e.about(v.Name, f.who)
		if err != nil {
			return nil, false, err
		}
		b, _ = json.Marshal(text)
	case program.Format:
		return f.format(v)
	default:
		return nil, false, fmt.Errorf("a %s has no value here", v.Kind)
	}
	for _, name := range v.Field {
		if !ok {
			break
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(b, &fields); err != nil {
			return nil, false, fmt.Errorf("field %s of %s, which is not an object", name, b)
		}
		b, ok = fields[name]
	}
	return b, ok && string(b) != "null", nil
}

// format fills in a string, where a value that was not given is empty, or the JSON
// of a list or struct, where it is null.
func (f *frame) format(v program.Value) (json.RawMessage, bool, error) {
	if v.JSON() {
		return f.composed(v)
	}
	s := ""
	for i, text := range v.Text {
		s += text
		if i < len(v.Of) {
			b, _, err := f.eval(v.Of[i])
			if err != nil {
				return nil, false, err
			}
			s += plain(b)
		}
	}
	b, err := json.Marshal(s)
	return b, true, err
}

func (f *frame) composed(v program.Value) (json.RawMessage, bool, error) {
	s := ""
	for _, p := range v.Pieces() {
		if s += p.JSON; p.Value == nil {
			continue
		}
		b, ok, err := f.eval(*p.Value)
		switch {
		case err != nil:
			return nil, false, err
		case ok:
			s += string(b)
		default:
			s += "null"
		}
	}
	if !json.Valid([]byte(s)) {
		return nil, false, fmt.Errorf("%s is not JSON with its references filled in", v)
	}
	return json.RawMessage(s), true, nil
}

// plain returns JSON as text: a string as it is.
func plain(b json.RawMessage) string {
	var s string
	if json.Unmarshal(b, &s) == nil {
		return s
	}
	return string(b)
}

// artifacts returns the artifacts that a value stands for.
func (f *frame) artifacts(v program.Value) ([]run.Artifact, bool) {
	switch v.Kind {
	case program.Input:
		a, ok := f.in.arts[v.Name]
		return a, ok
	case program.Output:
		a, ok := f.results[v.Task].arts[v.Name]
		return a, ok
	}
	return nil, false
}

// args returns what a task is given: its arguments, and the defaults of the rest.
func (f *frame) args(t *program.Task, c *program.Component) (env, error) {
	in := env{params: map[string]json.RawMessage{}, arts: map[string][]run.Artifact{}}
	for i := range c.Inputs {
		port := &c.Inputs[i]
		if t.Each != nil && port.Name == t.Each.Item {
			continue
		}
		v, ok := t.Args[port.Name]
		switch {
		case ok && port.Type.Artifact:
			if a, given := f.artifacts(v); given {
				in.arts[port.Name] = a
			}
		case ok:
			b, given, err := f.eval(v)
			if err != nil {
				return in, fmt.Errorf("input %s: %w", port.Name, err)
			}
			if given {
				in.params[port.Name] = b
			}
		}
		if !in.has(port.Name) && port.Default != nil {
			in.params[port.Name] = port.Default
		}
		if !in.has(port.Name) && port.Required() && c.Exec != nil {
			if len(v.Field) > 0 {
				return in, fmt.Errorf("input %s was not given: its value has no field %s, or its task did not run", port.Name, strings.Join(v.Field, "."))
			}
			return in, fmt.Errorf("input %s was not given: its task did not run", port.Name)
		}
	}
	return in, nil
}

// status is how what an exit handler guards ended, in KFP's form.
func (f *frame) status(task string) json.RawMessage {
	r := f.results[task]
	s := map[string]any{"state": kfptype.Succeeded, "pipelineJobResourceName": f.e.rec.ID, "pipelineTaskName": task}
	switch {
	case r.state == run.Cancelled:
		s["state"] = kfptype.FinalCancelled
	case r.state == run.Skipped: // as under Argo: what didn't run didn't succeed
		s["state"] = kfptype.Failed
		s["error"] = map[string]any{"message": "it did not run"}
	case r.failure != nil:
		s["state"] = kfptype.Failed
		s["pipelineTaskName"] = path.Base(r.failure.task) // as Argo names it
		s["error"] = map[string]any{"message": r.failure.msg}
	}
	b, _ := json.Marshal(s)
	return b
}
