package stepfunc

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
	"github.com/kfpgo/kfpgo/internal/text/near"
)

// A step is a function that becomes one.
type step struct {
	fn       *ast.FuncDecl
	in       *file
	name     string // of the step
	variable string // of Go
	doc      string
	lines    []string // its directives
	ports    []*portDirective

	inputs, outputs []*port
	context, fails  bool // whether it takes a context, and returns an error
}

// A portDirective is a line //kfpgo:input or //kfpgo:output.
type portDirective struct {
	pos                  token.Pos
	word, of             string // input or output; the parameter or result
	name, value, doc     string
	optional, hasDefault bool
	used                 bool
}

// directives are the words that may follow //kfpgo: in a source.
var directives = []string{"step", "input", "output", "ignore"}

var directiveLine = lazyregexp.New(`^//kfpgo:([a-z]*)(?:[ \t]+(.*))?$`)

// find finds the functions that are steps, and directives that belong to none.
func (p *Package) find() {
	for _, f := range p.files {
		docs := map[*ast.CommentGroup]*ast.FuncDecl{}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc != nil {
				docs[fn.Doc] = fn
			}
		}
		before := len(p.steps)
		for _, group := range f.Comments {
			p.group(f, group, docs[group])
		}
		if before < len(p.steps) && p.constrained(f) {
			p.errorf(p.steps[before].fn.Pos(), "function %s is in a file for some systems or tags only, and %s is for all; move it to a file without a build constraint", p.steps[before].fn.Name.Name, File)
		}
	}
}

// constrained reports whether a file isn't part of its package everywhere: a system
// that there isn't doesn't have it.
func (p *Package) constrained(f *file) bool {
	ctx := build.Context{GOOS: "kfpgo", GOARCH: "kfpgo", Compiler: "gc", CgoEnabled: true, ReleaseTags: build.Default.ReleaseTags}
	match, err := ctx.MatchFile(p.src.Dir, filepath.Base(f.path))
	return err == nil && !match
}

// group reads the directives of a comment, which is that of a function if fn isn't nil.
func (p *Package) group(f *file, group *ast.CommentGroup, fn *ast.FuncDecl) {
	var s *step
	var ports []*portDirective
	var lines []string
	for _, c := range group.List {
		if fn != nil && strings.HasPrefix(strings.TrimLeft(c.Text, "/ \t"), "kfpgo:step") && !strings.HasPrefix(c.Text, "//kfpgo:") {
			p.errorf(c.Pos(), "%q has a space, which makes it a comment; write //kfpgo:step", strings.TrimSpace(c.Text))
		}
		m := directiveLine.FindStringSubmatch(c.Text)
		if m == nil || m[1] == "ignore" || m[1] == "made" { // made: in a file for Python
			continue
		}
		word, rest := m[1], strings.TrimSpace(m[2])
		switch {
		case !slices.Contains(directives, word):
			hint := ""
			if n := near.Name(word, directives); n != "" {
				hint = "; did you mean //kfpgo:" + n + "?"
			}
			p.errorf(c.Pos(), "there is no directive //kfpgo:%s%s", word, hint)
			continue
		case fn == nil:
			p.errorf(c.Pos(), "//kfpgo:%s belongs in the comment right above a function, and no function follows this one", word)
			continue
		}
		lines = append(lines, word+" "+rest)
		if word != "step" {
			if d := p.portDirective(c.Pos(), word, rest); d != nil {
				ports = append(ports, d)
			}
			continue
		}
		if s != nil {
			p.errorf(c.Pos(), "function %s has //kfpgo:step twice", fn.Name.Name)
			continue
		}
		s = &step{fn: fn, in: f, doc: strings.TrimSpace(fn.Doc.Text()), name: strings.ReplaceAll(graph.PortName(fn.Name.Name), "_", "-")}
		if strings.HasPrefix(rest, `"`) || strings.HasPrefix(rest, "`") {
			name, err := strconv.Unquote(rest)
			if err != nil {
				p.errorf(c.Pos(), "//kfpgo:step: %s is not a string of Go", rest)
			}
			rest = name
		}
		if rest != "" {
			s.name = rest
		}
	}
	switch {
	case s != nil:
		s.ports, s.lines = ports, lines
		p.steps = append(p.steps, s)
	case len(ports) > 0:
		p.errorf(ports[0].pos, "function %s has //kfpgo:%s without //kfpgo:step", fn.Name.Name, ports[0].word)
	}
}

// portDirective reads NAME [name=NAME] [default=VALUE] [optional] ["DOC"]. It returns
// nil for what isn't that.
func (p *Package) portDirective(pos token.Pos, word, text string) *portDirective {
	parts, err := split(text)
	if err != nil || len(parts) == 0 || !token.IsIdentifier(parts[0].text) || parts[0].quoted {
		p.errorf(pos, "//kfpgo:%s %s: write //kfpgo:%s NAME [name=NAME] [default=VALUE] [optional] [\"description\"], where NAME is the parameter or result of the function", word, text, word)
		return nil
	}
	d := &portDirective{pos: pos, word: word, of: parts[0].text}
	for _, part := range parts[1:] {
		switch {
		case part.key == "name" && part.text != "":
			d.name = part.text
		case part.key == "default" && word == "input":
			d.value, d.hasDefault = part.text, true
		case part.key == "default":
			p.errorf(pos, "output %s: only an input has a default", d.of)
		case part.key == "" && part.quoted:
			d.doc = part.text
		case part.key == "" && part.text == "optional":
			d.optional = true
		default:
			p.errorf(pos, "//kfpgo:%s %s: %q is not understood; there are name=NAME, default=VALUE, optional and \"description\"", word, d.of, part.source)
		}
	}
	return d
}

// A part of a directive is a word, a string of Go, or KEY= before one of them.
type part struct {
	key, text string
	quoted    bool
	source    string
}

var keyForm = lazyregexp.New(`^([a-z]+)=`)

func split(text string) (parts []part, err error) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		start := text
		var w part
		if m := keyForm.FindStringSubmatch(text); m != nil {
			w.key, text = m[1], text[len(m[0]):]
		}
		if strings.HasPrefix(text, `"`) || strings.HasPrefix(text, "`") {
			literal, err := strconv.QuotedPrefix(text)
			if err != nil {
				return nil, fmt.Errorf("a string isn't closed")
			}
			w.text, _ = strconv.Unquote(literal)
			w.quoted, text = true, text[len(literal):]
		} else {
			w.text, text, _ = strings.Cut(text, " ")
		}
		w.source = strings.TrimSpace(start[:len(start)-len(text)])
		parts = append(parts, w)
	}
	return parts, nil
}
