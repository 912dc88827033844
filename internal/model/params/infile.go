package params

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontext"
)

// InFile reports the quantities that Kubernetes refuses, and the defaults and constants of a file of IR that aren't of the type of
// their input. KFP's server doesn't look at them, so that a step fails on them, or gets
// something else. Those that only say a number or a list as text are taken, since KFP's
// own examples have them.
func InFile(p *program.Program) error {
	errs := []error{p.CheckQuantities()}
	if p.IR == nil { // Go has seen to the rest
		return errors.Join(errs...)
	}
	p.Constants(func(pos graph.Pos, what string, value json.RawMessage, typ graph.Type) {
		if string(value) == "null" || strings.Contains(string(value), "{{$") {
			return
		}
		if err := check(meant(value, typ), typ, "", string(value)); err != nil {
			errs = append(errs, graph.At(pos, fmt.Errorf("pipeline %s: %s: %w", p.Name, what, err)))
		}
	})
	return errors.Join(errs...)
}

// meant returns a value as its type has it: a string of the file as its type, and a string that is
// written as a number.
func meant(value json.RawMessage, typ graph.Type) json.RawMessage {
	var s string
	if isText := json.Unmarshal(value, &s) == nil; isText == (typ.Name == kfptype.String) {
		return value
	} else if !isText && value[0] != '[' && value[0] != '{' {
		return jsontext.String(string(value))
	} else if isText && typ.Name == kfptype.Boolean {
		s = strings.ToLower(s)
	}
	if s = strings.TrimSpace(s); json.Valid([]byte(s)) {
		return json.RawMessage(s)
	}
	return value
}
