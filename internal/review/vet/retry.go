package vet

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// acts are commands that do something anew each time.
var acts = lazyregexp.New(`\bkubectl\s+(?:create|replace)\b|\bgit\s+push\b|\bcurl\b[^|;&\n]*\s(?:-X\s*(?:POST|PUT|PATCH|DELETE)\b|--request[ =](?:POST|PUT|PATCH|DELETE)\b|-d\b|--data\b)|\bwget\b[^|;&\n]*\s--post-|\b(?i:insert\s+into)\b|\bsendmail\b|\baws\s+sns\s+publish\b`)

// retries finds retries that repeat work that is done already.
func (v *vetter) retries(t *program.Task, c *program.Component, path string) {
	if t.Settings.Retry == nil || c.Exec == nil {
		return
	}
	if n, ok := t.Settings.Retry.Max.Constant(); ok && n == "0" {
		return
	}
	if r := c.Exec.Resource; r != nil && r.Action == "create" {
		if r.Builtin == program.CreatePVC || strings.Contains(r.Manifest, "generateName:") {
			v.find(Warning, "retry", path, t.Pos, "it is tried again and creates an object of a new name each time: the objects of a failed try stay; use apply, with a name of its own, or no Retry")
		} else {
			v.find(Warning, "retry", path, t.Pos, "it is tried again and creates an object, which is there already if the first try got so far: the second one fails; use apply in place of create, or no Retry")
		}
		return
	}
	text := ""
	switch {
	case c.Exec.Container != nil:
		text = strings.Join(c.Exec.Container.Command, " ") + " " + strings.Join(c.Exec.Container.Args, " ")
	case c.Exec.Python != nil:
		text = c.Exec.Python.Source
		if m := pythonActs.FindString(text); m != "" {
			v.find(Warning, "retry", path, t.Pos, "it is tried again and has %s: a try that failed after that has done it already; make it safe to repeat, or use no Retry", strings.TrimSuffix(m, "("))
			return
		}
	}
	if m := acts.FindString(text); m != "" {
		v.find(Warning, "retry", path, t.Pos, "it is tried again and runs %q: a try that failed after that has done it already; make it safe to repeat, or use no Retry", strings.Join(strings.Fields(m), " "))
	}
}

var pythonActs = lazyregexp.New(`\b(?:requests|httpx|session)\.(?:post|put|patch|delete)\(|\bsmtplib\.SMTP\(|\bcreate_namespaced_\w+\(`)
