package kfpread

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/contract"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/placeholder"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// value returns a default in its type; KFP 1 wrote them all as strings.
func (o *oldReader) value(n *node, t oldType) json.RawMessage {
	if n.kind != text {
		if t.param == kfptype.String {
			return str(n.text).Const
		}
		return n.json()
	}
	s := strings.TrimSpace(n.text)
	switch t.param {
	case kfptype.String:
		return n.json()
	case kfptype.Boolean:
		switch strings.ToLower(s) {
		case "y", "yes", "t", "true", "on", "1":
			return json.RawMessage("true")
		case "n", "no", "f", "false", "off", "0":
			return json.RawMessage("false")
		}
	case kfptype.Integer, kfptype.Double:
		digits := strings.TrimPrefix(s, "+")
		if plainNumber.MatchString(digits) && (t.param == kfptype.Double || !strings.ContainsAny(digits, ".eE")) {
			return json.RawMessage(digits)
		}
	default:
		if json.Valid([]byte(s)) {
			return json.RawMessage(s)
		}
		return n.json() // as KFP does
	}
	o.errorf(n, "the default %q is not of the type %s", n.text, t.word)
	return nil
}

// line reads a command line.
func (o *oldReader) line(n *node) []string {
	if n == nil || n.kind != list {
		return nil // said already
	}
	var out []string
	for _, e := range n.items {
		out = append(out, o.text(e))
	}
	return out
}

// text reads an element of a command line, which KFP 2 writes as one text.
func (o *oldReader) text(n *node) string {
	if n.kind == text {
		return n.text
	}
	var b bytes.Buffer
	o.element(&b, n)
	var s string
	if json.Unmarshal(b.Bytes(), &s) == nil {
		return s
	}
	return b.String()
}

// element writes an element as KFP 2's JSON.
func (o *oldReader) element(b *bytes.Buffer, n *node) {
	if n.kind == text {
		b.Write(jsontext.String(n.text))
		return
	}
	if n.kind != object || len(n.keys) != 1 {
		o.errorf(n, "%s, where a string or a placeholder with one key belongs", n.kind)
		return
	}
	key, v := n.keys[0], n.items[0]
	switch key.text {
	case "inputValue":
		o.port(b, v, o.in, placeholder.Part{Kind: placeholder.InputParam})
	case "inputPath":
		o.port(b, v, o.in, placeholder.Part{Kind: placeholder.InputArtifact, Field: "path"})
	case "inputUri":
		o.port(b, v, o.in, placeholder.Part{Kind: placeholder.InputArtifact, Field: "uri"})
	case "outputPath":
		o.port(b, v, o.out, placeholder.Part{Kind: placeholder.OutputArtifact, Field: "path"})
	case "outputUri":
		o.port(b, v, o.out, placeholder.Part{Kind: placeholder.OutputArtifact, Field: "uri"})
	case "executorInput":
		b.Write(jsontext.String(contract.ExecutorInput))
	case "concat":
		b.WriteString(`{"Concat": `)
		o.elements(b, v)
		b.WriteByte('}')
	case "if":
		o.present(b, v)
	default:
		known := map[string]bool{"inputValue": true, "inputPath": true, "inputUri": true, "outputPath": true, "outputUri": true, "executorInput": true, "concat": true, "if": true}
		o.errorf(key, "there is no placeholder %q%s", key.text, didYouMean(key.text, known))
	}
}

// elements writes one element or a list of them.
func (o *oldReader) elements(b *bytes.Buffer, n *node) {
	if n.kind != list {
		o.element(b, n)
		return
	}
	b.WriteByte('[')
	for i, e := range n.items {
		if i > 0 {
			b.WriteString(", ")
		}
		o.element(b, e)
	}
	b.WriteByte(']')
}

// present writes what depends on whether an input was given.
func (o *oldReader) present(b *bytes.Buffer, n *node) {
	in, then := n.sub("cond", "isPresent"), n.get("then")
	if in == nil || in.kind != text || then == nil {
		o.errorf(n, "an if needs cond.isPresent, the name of an input, and then")
		return
	}
	if _, ok := o.in[in.text]; !ok {
		o.errorf(in, "the component has no input %q%s", in.text, didYouMean(in.text, o.in))
	}
	b.WriteString(`{"IfPresent": {"InputName": `)
	b.Write(jsontext.String(OldName(in.text)))
	b.WriteString(`, "Then": `)
	o.elements(b, then)
	if other := n.get("else"); other != nil && other.kind != null {
		b.WriteString(`, "Else": `)
		o.elements(b, other)
	}
	b.WriteString("}}")
}

// port writes the placeholder of an input or output.
func (o *oldReader) port(b *bytes.Buffer, n *node, have map[string]oldType, p placeholder.Part) {
	typ, ok := have[n.text]
	if !ok || n.kind != text {
		what := "input"
		if p.Kind == placeholder.OutputArtifact {
			what = "output"
		}
		o.errorf(n, "the component has no %s %q%s", what, n.text, didYouMean(n.text, have))
		return
	}
	p.Name = OldName(n.text)
	switch {
	case p.Kind == placeholder.OutputArtifact && typ.param != "":
		p.Kind, p.Field = placeholder.OutputParam, "output_file"
	case p.Kind == placeholder.InputArtifact && typ.param != "":
		o.errorf(n, "input %q is a parameter in KFP 2, which has a value and no %s; use inputValue", n.text, p.Field)
	case p.Kind == placeholder.InputParam && typ.param == "":
		o.errorf(n, "input %q is an artifact in KFP 2, which has a path and no value; use inputPath", n.text)
	}
	b.Write(jsontext.String(p.String()))
}
