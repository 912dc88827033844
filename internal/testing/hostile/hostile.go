// Package hostile has texts that try to become something else where they are
// written, for tests: code, markup, another line, a command of a terminal.
package hostile

// Mark is in all that would be code, markup or a command if it weren't escaped.
const Mark = "PWNED"

// Texts are to be data wherever a text of a file, a step or a server is written.
var Texts = []string{
	// Go
	"x\n\nfunc init() { println(\"PWNED\") }\n\n//",
	"f\n\nvar Pwned = func() int { panic(\"PWNED\") }()\n\n//",
	"x\r\rfunc init() { println(\"PWNED\") }\r\r//",
	"x\u2028func init() { println(\"PWNED\") }\u2029//\u0085\v\f//",
	"*/ func init() { println(\"PWNED\") } /*",
	"x\n}\nfunc init() { println(\"PWNED\") }\ntype T struct {\n//",
	`") + func() string { panic("PWNED") }() + ("`,
	"` + func() string { panic(`PWNED`) }() + `",
	"x\n//go:embed /etc/passwd\nvar Pwned string\n",
	"//go:build PWNED", "go:build PWNED", "+build PWNED", "//line PWNED.go:1", "/*line PWNED.go:1*/", "//export PWNED", "#cgo LDFLAGS: PWNED",
	"x\nimport \"C\"\n",
	// what an editor or a terminal doesn't show as it is
	"x\u202e\u2066// PWNED\u2069\u2066", "x\u200b\u200d\ufeff\u3164\u00ad", "a\x00b", "\x1b]0;PWNED\x07\x1b[2J\x1b[1A", "ok\rPWNED", "\u009b2JPWNED", "\xff\xfe",
	// shells, make, command lines
	"'; touch PWNED; '", `"; touch PWNED; "`, "$(touch PWNED)", "`touch PWNED`", "$(shell touch PWNED)", "-rf", "--output=PWNED", "a b\tc", "!PWNED", `\`,
	// HTML, SVG, Mermaid, DOT
	"<script>PWNED</script>", `"><img src=x onerror=PWNED>`, "' onload='PWNED", "javascript:PWNED", "--><PWNED>", "]]><PWNED>", "</style></script></svg><PWNED>", "&lt;PWNED&gt;", "[x](javascript:PWNED)",
	"x\"]\nclick x href \"javascript:PWNED\"\n%%{init: {}}%%", "x\"]; PWNED [label=\"", "end",
	// YAML, templates, Python, printf
	"x\n- PWNED: 1\n", "x: y # PWNED", "*PWNED", "{{workflow.name}} {{PWNED}}", "<%PWNED%>", "'''\nPWNED()\n'''", `"""`, "%!s(PWNED)%n",
}

// Few are most of Texts in few ones, for where each costs.
var Few = []string{
	Texts[0], Texts[6], Texts[7],
	"x\r\u2028\u202e\u3164//go:build PWNED\n+build PWNED\n*/ PWNED",
	"\"'`$(PWNED)</script><PWNED> \\ {{PWNED}}",
}
