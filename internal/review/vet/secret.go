package vet

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

var secret = lazyregexp.New(`(?i)(?:^|_)(?:PASSWORD|PASSWD|TOKEN|SECRET|API_?KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY)$`)

// named is what arguments and inputs with secrets are called. One that is called
// secret is likely to hold the name of one.
var named = lazyregexp.New(`(?i)(?:^|_)(?:PASSWORD|PASSWD|TOKEN|API_?KEY|PRIVATE_KEY|ACCESS_KEY|SECRET_KEY)$`)

// forms are what secrets look like, by what they are.
var forms = []struct {
	what string
	form *lazyregexp.Regexp
}{
	{"an access key of AWS", lazyregexp.New(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`)},
	{"a token of GitHub", lazyregexp.New(`\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{50,})\b`)},
	{"a token of Slack", lazyregexp.New(`\bxox[abeoprs]-[A-Za-z0-9-]{10,}`)},
	{"a key of Google's APIs", lazyregexp.New(`\bAIza[0-9A-Za-z_-]{35}\b`)},
	{"a token of Hugging Face", lazyregexp.New(`\bhf_[A-Za-z0-9]{30,}\b`)},
	{"a private key", lazyregexp.New(`-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----`)},
	{"a URL with a password", lazyregexp.New(`\b[a-z][a-z0-9+.-]*://[^/\s:@'"{]+:[^/\s:@'"{]+@`)},
	{"a password", lazyregexp.New(`(?i)--?(?:password|passwd|token|api-?key|secret)[= ][^\s{$'"]{4,}`)},
}

// secrets finds secrets that stand in the pipeline, where all can read them. What
// they are is never said.
func (v *vetter) secrets(t *program.Task, c *program.Component, path string) {
	for _, e := range t.Settings.Env {
		text, ok := e.Value.Constant()
		if !ok || text == "" {
			continue
		}
		if secret.MatchString(e.Name) {
			v.find(Warning, "secret", path, t.Pos, "variable %s has its value in the pipeline, where everybody can read it; take it from a secret", e.Name)
		} else {
			v.literal(path, t.Pos, "variable "+e.Name, "", text)
		}
	}
	for _, name := range sortedKeys(t.Args) {
		a := t.Args[name]
		if text, ok := a.Constant(); ok && text != "" && text != `""` {
			v.literal(path, t.Pos, "argument "+name, name, text)
		}
	}
	if c.Exec != nil && c.Exec.Container != nil {
		for _, arg := range slices.Concat(c.Exec.Container.Command, c.Exec.Container.Args) {
			v.literal(path, t.Pos, "its command line", "", arg)
		}
	}
}

// literal checks a string that is written in the pipeline.
func (v *vetter) literal(path string, pos graph.Pos, where, name, text string) {
	for _, f := range forms {
		if f.form.MatchString(text) {
			v.find(Warning, "secret", path, pos, "%s holds %s, which everybody can read who sees the pipeline; take it from a secret", where, f.what)
			return
		}
	}
	if plain := len(text) > 2 && text != "null" && text != "true" && text != "false"; plain && named.MatchString(name) {
		v.find(Warning, "secret", path, pos, "%s has a value that everybody can read who sees the pipeline; take it from a secret", where)
	}
}
