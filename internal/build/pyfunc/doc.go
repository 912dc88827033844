package pyfunc

import (
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

var (
	section = lazyregexp.New(`^(Args|Arguments|Parameters|Params|Returns|Return|Yields|Raises|Example|Examples|Note|Notes):[ \t]*$`)
	entry   = lazyregexp.New(`^([\pL_][\pL\pN_]*)[ \t]*(?:\([^)]*\))?[ \t]*:[ \t]*(.*)$`)
)

// describe takes the descriptions of the step and of its inputs and outputs out of the
// docstring: those below Args: and Returns:, in the form that KFP's documentation uses.
func (s *step) describe() {
	var text []string
	sections := map[string][]string{}
	in := ""
	for _, line := range strings.Split(s.fn.Doc, "\n") {
		m := section.FindStringSubmatch(line)
		switch {
		case m != nil && (m[1][0] == 'A' || m[1][0] == 'P'):
			in = "args"
			continue
		case m != nil && strings.HasPrefix(m[1], "Return"):
			in = "returns"
			continue
		case m != nil, line != "" && !strings.HasPrefix(line, " "):
			in = ""
		}
		if in == "" {
			text = append(text, line)
		} else {
			sections[in] = append(sections[in], line)
		}
	}
	s.doc = strings.TrimSpace(strings.Join(text, "\n"))
	all := slices.Concat(s.inputs, s.outputs)
	entries(sections["args"], all)
	if rest := entries(sections["returns"], s.outputs); rest != "" {
		if i := slices.IndexFunc(s.outputs, func(q *port) bool { return q.name == "Output" }); i >= 0 && s.outputs[i].doc == "" {
			s.outputs[i].doc = rest
		}
	}
}

// entries sets the descriptions of a section, name: text, whose lines behind the first
// have more indentation. It returns what has none of the names.
func entries(lines []string, ports []*port) (rest string) {
	indent := -1
	var q *port
	for _, line := range lines {
		text := strings.TrimSpace(line)
		n := len(line) - len(strings.TrimLeft(line, " "))
		if text == "" {
			continue
		}
		if indent < 0 {
			indent = n
		}
		if m := entry.FindStringSubmatch(text); n <= indent && m != nil {
			i := slices.IndexFunc(ports, func(p *port) bool { return p.name == m[1] })
			if q = nil; i >= 0 {
				q, text = ports[i], m[2]
			}
		} else if n <= indent {
			q = nil
		}
		if q != nil {
			q.doc = strings.TrimSpace(q.doc + "\n" + text)
		} else {
			rest = strings.TrimSpace(rest + "\n" + text)
		}
	}
	return rest
}
