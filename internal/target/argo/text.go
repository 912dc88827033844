package argo

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/expr"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// constCarrier returns the carrier of a constant.
func constCarrier(j json.RawMessage) string { return string(contract.Carrier(j)) }

// carried returns the JSON of a value as it was before it became a carrier, whose { and $
// are escapes in some places.
func carried(b []byte) []byte {
	if !bytes.Contains(b, []byte(`\u00`)) {
		return b
	}
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] != '\\':
			out = append(out, b[i])
		case bytes.HasPrefix(b[i:], []byte(`\u007b`)):
			out = append(out, '{')
			i += 5
		case bytes.HasPrefix(b[i:], []byte(`\u0024`)):
			out = append(out, '$')
			i += 5
		default: // valid JSON has a character after it
			out = append(out, b[i], b[i+1])
			i++
		}
	}
	return out
}

// jsonText returns a string as JSON in the form of a carrier.
func jsonText(s string) string { return constCarrier(jsontext.String(s)) }

// literal returns a string as a literal of an expression. It uses the plain form
// in single quotes where the text allows it.
func literal(s string) string {
	plain := true
	for _, r := range s {
		if r < ' ' || r > '~' || strings.ContainsRune(`'\{}$`, r) {
			plain = false
		}
	}
	if plain {
		return "'" + s + "'"
	}
	j, _ := json.Marshal(s)
	return expr.ArgoString(j)
}

// tag returns the template tag of an expression. It ends at the first }}, and a {{
// in it would start another.
func tag(e string) string {
	e = strings.ReplaceAll(strings.ReplaceAll(e, "}}", "} }"), "{{", "{ {")
	if strings.HasSuffix(e, "}") {
		e += " "
	}
	return "{{=" + e + "}}"
}

// armour returns an expression that makes a carrier of JSON text.
func armour(e string) string {
	return "replace(replace(" + e + ", '{' + '{', `{\\u007b`), '$', `\\u0024`)"
}

// encoded returns an expression for the carrier of a plain string.
func encoded(e string) string { return armour("toJson(" + e + ")") }

// bracket is an environment variable that holds {, for strings with {{ in them.
const bracket = "KFPGO_LB"

// shell returns an expression for a string that the kubelet is to pass on as it is:
// it would halve $$ and replace $(NAME), and Argo would replace {{.
func shell(e string) string {
	return "replace(replace(" + e + ", '$', '$$'), '{' + '{', '{$(" + bracket + ")')"
}

// shellText is shell for a constant.
func shellText(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "$", "$$"), "{{", "{$("+bracket+")")
}
