package twins_test

import (
	"go/scanner"
	"go/token"
	"os"
	"regexp"
	"strings"
	"testing"
)

// A size is how long source is, without blanks and comments.
type size struct{ lines, tokens int }

func (s size) plus(o size) size { return size{s.lines + o.lines, s.tokens + o.tokens} }

// sizeOf returns the size of a file in Go or Python.
func sizeOf(t *testing.T, file string) size {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(file, ".py") {
		return pythonSize(string(src))
	}
	return goSize(src)
}

// goSize counts what is written: a semicolon that Go's scanner adds at the end of a line
// isn't, and a directive is, with its words as tokens.
func goSize(src []byte) size {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, src, nil, scanner.ScanComments)
	lines := map[int]bool{}
	n := 0
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return size{len(lines), n}
		}
		if tok == token.SEMICOLON && lit == "\n" {
			continue
		}
		switch {
		case tok != token.COMMENT:
			n++
		case strings.HasPrefix(lit, "//kfpgo:") || strings.HasPrefix(lit, "//go:"):
			n += len(strings.Fields(lit))
		default:
			continue
		}
		first := file.Line(pos)
		for i := range strings.Count(lit, "\n") + 1 {
			lines[first+i] = true
		}
	}
}

// pythonToken is a token of Python at the beginning of a text: a string with its prefix, a
// number, a name, or an operator.
var pythonToken = regexp.MustCompile(`^(?:` +
	`(?i:[rbuf]{0,2})(?:"""(?s:.*?)"""|'''(?s:.*?)'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')` +
	`|[0-9](?:[eE][-+]|[0-9a-zA-Z_.])*|[\pL_][\pL\pN_]*` +
	`|\*\*=|//=|>>=|<<=|\.\.\.|->|:=|[-+*/%@&|^=!<>]=|\*\*|//|<<|>>|.)`)

// pythonSize counts as Python's own tokenizer does, without the ends of lines and the
// indentation. An f-string is one token. A string that is a statement is a comment: Python
// has no other form for that of a module or function.
func pythonSize(src string) size {
	lines := map[int]bool{}
	n, line, statement := 0, 1, true
	for len(src) > 0 {
		switch src[0] {
		case '\n':
			line++
			statement = true
			fallthrough
		case ' ', '\t', '\r', '\\':
			src = src[1:]
			continue
		case '#':
			_, src, _ = strings.Cut(src, "\n")
			src = "\n" + src
			continue
		}
		tok := pythonToken.FindString(src)
		src = src[len(tok):]
		long := strings.Count(tok, "\n")
		if !(statement && strings.HasPrefix(tok, `"""`)) {
			n++
			for i := range long + 1 {
				lines[line+i] = true
			}
		}
		line += long
		statement = false
	}
	return size{len(lines), n}
}

// TestSizes counts by hand.
func TestSizes(t *testing.T) {
	for _, test := range []struct {
		src  string
		want size
	}{
		{"", size{}},
		{"\n# only a comment\n\n\"\"\"A\nmodule.\"\"\"\n", size{}},
		{"x = 1  # one\n", size{1, 3}},
		{"f(a,\n\n  b)\n", size{2, 6}},
		{`print(f"{a} # {b}", 'it\'s', r"\d", 1.5e-3, x.y)`, size{1, 14}},
		{"s = \"\"\"a\nb\n\"\"\"\n", size{3, 3}},
		{"def f(x: int = 2) -> int:\n    return x ** 2 != 3\n", size{2, 18}},
		{"größe //= 2\n", size{1, 3}},
	} {
		if got := pythonSize(test.src); got != test.want {
			t.Errorf("%q has %v, want %v", test.src, got, test.want)
		}
	}
	for _, test := range []struct {
		src  string
		want size
	}{
		{"package p\n\n// A comment.\n\nvar x = f(1, `a\nb`) // it is one\n", size{3, 11}},
		{"package p\n\nfunc f() { g(); h() }\n", size{2, 15}},
		{"package p\n\n// A step.\n//\n//kfpgo:step\n//kfpgo:input x default=2 \"of it\"\nfunc f() {}\n", size{4, 14}},
	} {
		if got := goSize([]byte(test.src)); got != test.want {
			t.Errorf("%q has %v, want %v", test.src, got, test.want)
		}
	}
}
