package pysrc

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The kinds of tokens.
const (
	end     = iota
	newline // the end of a statement's line
	name
	number
	str
	operator
)

type token struct {
	kind      int
	text      string // of the source
	line, col int    // col is 0 at the start of a line
	at        int    // where it is in the text
}

type scanner struct {
	text      string
	tokens    []token // the last one is of kind end
	comments  map[int]string
	i, line   int
	lineStart int
	open      []token // brackets
}

// operators are those of several characters.
var operators = []string{"...", "**=", "->", "**", ":=", "==", "!=", "<=", ">=", "//", "<<", ">>"}

// scan splits Python into tokens.
func scan(text string) (*scanner, error) {
	s := &scanner{text: text, line: 1, comments: map[int]string{}}
	for s.i < len(text) {
		if err := s.token(); err != nil {
			return nil, err
		}
	}
	if n := len(s.open); n > 0 {
		return nil, &Error{s.open[n-1].line, s.open[n-1].text + " isn't closed"}
	}
	s.add(newline, 0)
	s.add(end, 0)
	return s, nil
}

// add adds a token of n bytes.
func (s *scanner) add(kind, n int) token {
	t := token{kind, s.text[s.i : s.i+n], s.line, s.i - s.lineStart, s.i}
	if kind == end {
		t.col = 0
	}
	s.tokens = append(s.tokens, t)
	s.pass(n)
	return t
}

// pass goes n bytes ahead.
func (s *scanner) pass(n int) {
	if at := strings.LastIndexByte(s.text[s.i:s.i+n], '\n'); at >= 0 {
		s.line += strings.Count(s.text[s.i:s.i+n], "\n")
		s.lineStart = s.i + at + 1
	}
	s.i += n
}

func (s *scanner) token() error {
	rest := s.text[s.i:]
	r, size := utf8.DecodeRuneInString(rest)
	switch {
	case r == '\n':
		if n := len(s.tokens); len(s.open) == 0 && n > 0 && s.tokens[n-1].kind != newline {
			s.add(newline, 1)
			return nil
		}
		s.pass(1)
	case r == ' ' || r == '\t' || r == '\r' || r == '\f':
		s.pass(1)
	case strings.HasPrefix(rest, "\\\n"), strings.HasPrefix(rest, "\\\r\n"):
		s.pass(strings.IndexByte(rest, '\n') + 1)
	case r == '#':
		comment, _, _ := strings.Cut(rest, "\n")
		if strings.TrimSpace(s.text[s.lineStart:s.i]) == "" {
			s.comments[s.line] = strings.TrimRight(comment[1:], "\r")
		}
		s.pass(len(comment))
	case strings.ContainsRune("'\"", r):
		return s.str("")
	case r == '_' || unicode.IsLetter(r):
		n := strings.IndexFunc(rest, func(r rune) bool { return r != '_' && !unicode.In(r, unicode.L, unicode.N, unicode.M) })
		if n < 0 {
			n = len(rest)
		}
		if prefix := strings.ToLower(rest[:n]); n < len(rest) && strings.ContainsRune("'\"", rune(rest[n])) && slices.Contains(prefixes, prefix) {
			return s.str(prefix)
		}
		s.add(name, n)
	case unicode.IsDigit(r) || r == '.' && len(rest) > 1 && rest[1] >= '0' && rest[1] <= '9':
		s.add(number, numberEnd(rest))
	default:
		if i := slices.IndexFunc(operators, func(o string) bool { return strings.HasPrefix(rest, o) }); i >= 0 {
			size = len(operators[i])
		}
		return s.bracket(s.add(operator, size))
	}
	return nil
}

// numberEnd returns where a number ends: an exponent may have a sign.
func numberEnd(text string) int {
	for i := 1; i < len(text); i++ {
		c := text[i]
		sign := (c == '+' || c == '-') && (text[i-1] == 'e' || text[i-1] == 'E') && !strings.HasPrefix(strings.ToLower(text), "0x")
		if !sign && c != '.' && c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return i
		}
	}
	return len(text)
}

// bracket keeps which brackets are open.
func (s *scanner) bracket(t token) error {
	switch t.text {
	case "(", "[", "{":
		s.open = append(s.open, t)
	case ")", "]", "}":
		n := len(s.open)
		if n == 0 || map[string]string{"(": ")", "[": "]", "{": "}"}[s.open[n-1].text] != t.text {
			return &Error{t.line, t.text + " closes no bracket"}
		}
		s.open = s.open[:n-1]
	}
	return nil
}
