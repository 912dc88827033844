package picture

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/printable"
)

// DOT returns the picture of a program in Graphviz' language, for people who want
// to lay it out themselves. Groups are clusters.
func DOT(p *program.Program, to Direction) ([]byte, error) {
	root, err := build(p)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n", dotText(title(p)))
	fmt.Fprintf(&b, "  rankdir=%s\n  compound=true\n  node [shape=box style=rounded fontname=\"sans-serif\"]\n  graph [fontname=\"sans-serif\" labeljust=l]\n", orRight(to))
	var groups func(g *node, indent string)
	groups = func(g *node, indent string) {
		for _, n := range g.children {
			if !n.group() {
				fmt.Fprintf(&b, "%sn%d [label=%s tooltip=%s]\n", indent, n.id, dotLabel(n.title(), below(n, Mark{})), dotText(n.path))
				continue
			}
			words, small := header(n, Mark{})
			fmt.Fprintf(&b, "%ssubgraph cluster%d {\n%s  label=%s\n%s  tooltip=%s\n", indent, n.id, indent, dotLabel(words, small), indent, dotText(n.path))
			groups(n, indent+"  ")
			b.WriteString(indent + "}\n")
		}
	}
	groups(root, "  ")
	root.walk(func(n *node) {
		for _, before := range n.needed() {
			tail, head := ends(before, n)
			if tail == nil || head == nil {
				continue
			}
			var how []string
			if before.group() {
				how = append(how, fmt.Sprintf("ltail=cluster%d", before.id))
			}
			if n.group() {
				how = append(how, fmt.Sprintf("lhead=cluster%d", n.id))
			}
			if n.task.Always {
				how = append(how, "style=dashed")
			}
			fmt.Fprintf(&b, "  n%d -> n%d", tail.id, head.id)
			if how != nil {
				fmt.Fprintf(&b, " [%s]", strings.Join(how, " "))
			}
			b.WriteByte('\n')
		}
	})
	b.WriteString("}\n")
	return []byte(b.String()), nil
}

// Mermaid returns the picture of a program in Mermaid's language, which many
// sites draw where Markdown has a block of it. Groups are subgraphs.
func Mermaid(p *program.Program, to Direction) ([]byte, error) {
	root, err := build(p)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "flowchart %s\n", orRight(to))
	var groups func(g *node, indent string)
	groups = func(g *node, indent string) {
		for _, n := range g.children {
			if !n.group() {
				fmt.Fprintf(&b, "%sn%d[\"%s\"]\n", indent, n.id, mermaidLabel(n.title(), below(n, Mark{})))
				continue
			}
			words, small := header(n, Mark{})
			fmt.Fprintf(&b, "%ssubgraph n%d[\"%s\"]\n", indent, n.id, mermaidLabel(words, small))
			groups(n, indent+"  ")
			b.WriteString(indent + "end\n")
		}
	}
	groups(root, "  ")
	root.walk(func(n *node) {
		for _, before := range n.needed() {
			line := "-->"
			if n.task.Always {
				line = "-.->"
			}
			fmt.Fprintf(&b, "  n%d %s n%d\n", before.id, line, n.id)
		}
	})
	return []byte(b.String()), nil
}

// ends returns the boxes that stand for two nodes where an arrow leads from box
// to box.
func ends(before, n *node) (tail, head *node) {
	tails, heads := before.sinks(), n.sources()
	if len(tails) == 0 || len(heads) == 0 {
		return nil, nil
	}
	return tails[len(tails)/2], heads[len(heads)/2]
}

func orRight(to Direction) Direction {
	if to == Narrow {
		return Right
	}
	return to
}

// dotText quotes a string for Graphviz, which reads \n and the like in it.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(printable.Line(s)) + `"`
}

func dotLabel(first, second string) string {
	if second == "" {
		return dotText(first)
	}
	return strings.TrimSuffix(dotText(first), `"`) + `\n` + strings.TrimPrefix(dotText(second), `"`)
}

// mermaidLabel writes what Mermaid would read as its own language, or a browser
// as HTML, as the number of its character.
func mermaidLabel(first, second string) string {
	escape := func(s string) string {
		var b strings.Builder
		for _, r := range printable.Line(s) {
			if r < 0x80 && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .,-_/=:", r) {
				fmt.Fprintf(&b, "#%d;", r)
				continue
			}
			b.WriteRune(r)
		}
		return b.String()
	}
	if second == "" {
		return escape(first)
	}
	return escape(first) + "<br/>" + escape(second)
}
