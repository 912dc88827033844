package picture

import (
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// HTML returns a page with the picture of a program and what its description and
// inputs are. It needs no other file and holds no script.
func HTML(p *program.Program, to Direction) ([]byte, error) {
	svg, err := SVG(p, nil, to)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>%[1]s</title>
<style>
%[2]sbody { margin: 1.5rem; font: 15px/1.45 -apple-system, system-ui, "Segoe UI", Roboto, sans-serif; color: var(--text); background: var(--back); }
h1 { font-size: 1.35rem; margin: 0 0 .4rem; }
p { margin: 0 0 1rem; max-width: 60rem; color: var(--soft); white-space: pre-wrap; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; margin-top: 1.2rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem 1.2rem .25rem 0; border-bottom: 1px solid var(--frame); }
td { overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; }
</style>
</head>
<body class="kfpgo-colours">
<h1>%[1]s</h1>
`, text(title(p)), Style)
	if p.Doc != "" {
		fmt.Fprintf(&b, "<p>%s</p>\n", text(p.Doc))
	}
	fmt.Fprintf(&b, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Picture\">\n%s</div>\n", svg)
	main := p.Component(p.Main)
	ports(&b, "input", main.Inputs)
	ports(&b, "output", main.Outputs)
	b.WriteString("</body>\n</html>\n")
	return []byte(b.String()), nil
}

func ports(b *strings.Builder, what string, ps []program.Port) {
	if len(ps) == 0 {
		return
	}
	inputs := what == "input"
	fmt.Fprintf(b, "<table>\n<tr><th scope=\"col\">%s</th><th scope=\"col\">type</th>", what)
	if inputs {
		b.WriteString(`<th scope="col">default</th>`)
	}
	b.WriteString("<th scope=\"col\">description</th></tr>\n")
	for _, port := range ps {
		typ, def := port.Type.Name, string(port.Default)
		if port.Type.List {
			typ = "list of " + typ
		}
		if port.Default == nil && port.Optional {
			def = "optional"
		}
		fmt.Fprintf(b, "<tr><td>%s</td><td>%s</td>", text(port.Name), text(typ))
		if inputs {
			fmt.Fprintf(b, "<td>%s</td>", text(clip(def, 400)))
		}
		fmt.Fprintf(b, "<td>%s</td></tr>\n", text(port.Doc))
	}
	b.WriteString("</table>\n")
}
