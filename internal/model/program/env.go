package program

import "github.com/kfpgo/kfpgo/internal/text/lazyregexp"

var envName = lazyregexp.New(`\$\(([A-Za-z_][A-Za-z0-9_]*)\)`)

// EnvText returns the constant value of a variable. As in Kubernetes, it may use $(NAME)
// of one before it, for which before has the text; any other $ is a $, and literal
// returns the form of the text around.
func EnvText(text string, before map[string]string, literal func(string) string) string {
	out, at := "", 0
	for _, m := range envName.FindAllStringSubmatchIndex(text, -1) {
		if value, ok := before[text[m[2]:m[3]]]; ok {
			out += literal(text[at:m[0]]) + value
			at = m[1]
		}
	}
	return out + literal(text[at:])
}
