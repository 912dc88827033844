package argoread

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A piece is a part of a string: plain text, or the value that a tag names.
type piece struct {
	text string
	ref  *ref
}

// A ref is what a tag names.
type ref struct {
	tag  string   // as it is written, for messages
	path []string // inputs parameters x; tasks a outputs result
}

var tagForm = lazyregexp.New(`(?s)\{\{(.*?)\}\}`)

// pieces splits a string at its tags.
func pieces(s string) []piece {
	var out []piece
	for {
		m := tagForm.FindStringSubmatchIndex(s)
		if m == nil {
			break
		}
		if m[0] > 0 {
			out = append(out, piece{text: s[:m[0]]})
		}
		tag := strings.TrimSpace(s[m[2]:m[3]])
		out = append(out, piece{ref: &ref{tag: s[m[0]:m[1]], path: splitTag(tag)}})
		s = s[m[1]:]
	}
	if s != "" {
		out = append(out, piece{text: s})
	}
	return out
}

var step = lazyregexp.New(`^(?:\.?([A-Za-z_][A-Za-z0-9_]*)|\[(?:'([^']*)'|"([^"]*)")\])`)

// splitTag splits what a tag names. A tag with an expression is read if that is a
// path too; else it is nil.
func splitTag(tag string) []string {
	e, isExpr := strings.CutPrefix(tag, "=")
	if !isExpr {
		return plainPath(tag)
	}
	var out []string
	for e = strings.TrimSpace(e); e != ""; {
		m := step.FindStringSubmatch(e)
		if m == nil {
			return nil
		}
		out = append(out, m[1]+m[2]+m[3])
		e = e[len(m[0]):]
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// plainPath splits a plain tag at its dots. Names of parameters may hold dots.
func plainPath(tag string) []string {
	parts := strings.Split(tag, ".")
	rest := func(n int) []string {
		if len(parts) <= n {
			return parts
		}
		return append(parts[:n:n], strings.Join(parts[n:], "."))
	}
	switch {
	case len(parts) > 2 && parts[0] == "inputs" && parts[1] == "artifacts", parts[0] == "outputs":
		return parts // ends in path
	case parts[0] == "inputs", parts[0] == "workflow" && len(parts) > 1 && parts[1] == "parameters":
		return rest(2)
	case (parts[0] == "steps" || parts[0] == "tasks") && len(parts) > 4:
		return rest(4)
	case parts[0] == "item":
		return rest(1)
	}
	return parts
}

// is reports whether a path has a form, in which * stands for any name.
func (r *ref) is(form ...string) bool {
	if len(r.path) != len(form) {
		return false
	}
	for i, f := range form {
		if f != "*" && f != r.path[i] {
			return false
		}
	}
	return true
}

// runTags are what a run knows of itself, by Argo's name, as KFP's placeholders.
var runTags = map[string]string{
	"workflow.name": "pipeline_job_name", "workflow.uid": "pipeline_job_uuid", "workflow.scheduledTime": "pipeline_job_schedule_time_utc",
	"workflow.creationTimestamp": "pipeline_job_create_time_utc", "workflow.creationTimestamp.RFC3339": "pipeline_job_create_time_utc",
}
