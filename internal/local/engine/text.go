package engine

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// typed returns the text that a container wrote as a value of a KFP type. It
// takes what KFP's launcher takes, such as True for true.
func typed(text, typ string) (json.RawMessage, error) {
	trimmed := strings.TrimSpace(text)
	switch typ {
	case kfptype.String:
		return json.Marshal(strings.TrimSuffix(text, "\n"))
	case kfptype.Integer:
		if n, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
			return json.Marshal(n)
		}
	case kfptype.Double:
		if x, err := strconv.ParseFloat(trimmed, 64); err == nil && !math.IsInf(x, 0) && !math.IsNaN(x) {
			if json.Valid([]byte(trimmed)) {
				return json.RawMessage(trimmed), nil // every digit of it
			}
			return json.Marshal(x)
		}
	case kfptype.Boolean:
		if b, err := strconv.ParseBool(trimmed); err == nil {
			return json.Marshal(b)
		}
	case kfptype.List, kfptype.Struct:
		begin := map[string]string{kfptype.List: "[", kfptype.Struct: "{"}[typ]
		if strings.HasPrefix(trimmed, begin) && json.Valid([]byte(trimmed)) {
			return json.RawMessage(trimmed), nil
		}
	}
	return nil, fmt.Errorf("the container wrote %.100q, which is not a %s", text, typ)
}

// message returns what a step of ours says last on its standard error, all lines
// of it: it begins with the step's name. Others get their last line.
func message(said, name string) (text string, ours bool) {
	said = strings.ToValidUTF8(strings.TrimSpace(said), "?")
	i := strings.LastIndex("\n"+said, "\n"+name+": ")
	if i >= 0 {
		return said[i+len(name)+2:], true
	}
	return strings.TrimSpace(said[strings.LastIndex(said, "\n")+1:]), false
}
