package vet

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// marker starts a comment that silences rules in its own line and the next:
//
//	//kfpgo:ignore RULE[,RULE...] REASON
const marker = "//kfpgo:ignore"

var markerLine = lazyregexp.New(`(?m)^([^\n]*?)//kfpgo:ignore\b[ \t]*([^\n]*)$`)

// A comment is one that silences.
type comment struct {
	pos    graph.Pos
	rules  []string
	reason string
	used   map[string]bool
}

// Silence marks the findings that a comment in the program's source leaves, with its
// reason, and adds the errors in such comments. A finding that has no position
// gets that of the pipeline. In a pipeline that was read from a file there are no
// comments.
func Silence(p *program.Program, found []Finding) []Finding {
	if main := p.Component(p.Main); main != nil {
		for i := range found {
			if found[i].Pos.File == "" {
				found[i].Pos = main.Pos
			}
		}
	}
	var mistakes []Finding
	say := func(c *comment, format string, args ...any) {
		mistakes = append(mistakes, Finding{Level: Warning, Rule: "ignore", Pos: c.pos, Msg: fmt.Sprintf(format, args...)})
	}
	comments := comments(p)
	mark(found, comments)
	for _, c := range comments {
		for _, name := range c.rules {
			switch rule := Lookup(name); {
			case rule == nil:
				say(c, "there is no rule %q; the rules are %s", name, strings.Join(Names(), ", "))
			case name == "compile" || name == "ignore":
				say(c, "rule %s can't be silenced", name)
			case c.reason == "":
				say(c, "a comment that silences rule %s says why: %s %s REASON", name, marker, name)
			case !c.used[name] && !rule.Conditional:
				say(c, "rule %s finds nothing here: delete the comment", name)
			}
		}
		if len(c.rules) == 0 {
			say(c, "which rule, and why? %s RULE REASON", marker)
		}
	}
	found = append(found, mistakes...)
	sortFindings(found)
	return found
}

// mark sets the reasons of the findings that a comment silences.
func mark(found []Finding, comments []*comment) {
	for i := range found {
		f := &found[i]
		for _, c := range comments {
			near := c.pos.File == f.Pos.File && (c.pos.Line == f.Pos.Line || c.pos.Line+1 == f.Pos.Line)
			if near && c.reason != "" && slices.Contains(c.rules, f.Rule) && f.Rule != "compile" {
				c.used[f.Rule] = true
				f.Silenced = c.reason
			}
		}
	}
}

// comments reads the comments of the files that the program's tasks are written in.
func comments(p *program.Program) (all []*comment) {
	used := map[string]bool{} // files
	for _, c := range p.Components {
		used[c.Pos.File] = true
		if c.DAG != nil {
			for _, t := range c.DAG.Tasks {
				used[t.Pos.File] = true
			}
		}
	}
	for _, file := range sortedKeys(used) {
		b, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		for _, m := range markerLine.FindAllStringSubmatchIndex(string(b), -1) {
			before, text := string(b[m[2]:m[3]]), strings.TrimSpace(string(b[m[4]:m[5]]))
			if strings.Count(before, "`")%2 == 1 || strings.Count(before, `"`)%2 == 1 || strings.Contains(before, "//") {
				continue // in a string, or in another comment
			}
			rules, reason, _ := strings.Cut(text, " ")
			c := &comment{pos: graph.Pos{File: file, Line: 1 + strings.Count(string(b[:m[0]]), "\n")}, reason: strings.TrimSpace(reason), used: map[string]bool{}}
			if rules != "" {
				c.rules = strings.Split(rules, ",")
			}
			all = append(all, c)
		}
	}
	return all
}
