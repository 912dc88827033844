package params

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
)

// check reports whether JSON is a value of a type. At is the place within the
// parameter, such as [2].rate, and given is how the user wrote all of it.
func check(b json.RawMessage, t graph.Type, at, given string) error {
	if at == "" {
		if err := text(b, given); err != nil {
			return err
		}
	}
	bad := func() error {
		if at != "" {
			return fmt.Errorf("%s is %s; wanted %s", at, shorten(string(b)), wanted(t))
		}
		return fmt.Errorf("%s is not %s", shorten(given), wanted(t))
	}
	switch t.Name {
	case kfptype.String:
		var s string
		if b[0] != '"' || json.Unmarshal(b, &s) != nil {
			return bad()
		}
		if t.Go == "time.Time" {
			if _, err := time.Parse(time.RFC3339, s); err != nil {
				return bad()
			}
		}
	case kfptype.Boolean:
		if s := string(b); s != "true" && s != "false" {
			return bad()
		}
	case kfptype.Integer:
		if _, ok := new(big.Int).SetString(string(b), 10); !ok {
			return bad()
		}
		if low, high, ok := integers(t.Go, string(b)); !ok {
			return fmt.Errorf("%s is out of range: %s goes from %s to %s", prefix(at, string(b)), typeName(t), low, high)
		}
	case kfptype.Double:
		if b[0] != '-' && (b[0] < '0' || b[0] > '9') {
			return bad()
		}
		bits := 64
		if t.Go == "float32" {
			bits = 32
		}
		if f, err := strconv.ParseFloat(string(b), bits); err != nil || math.IsInf(f, 0) {
			return fmt.Errorf("%s is out of range of %s", prefix(at, string(b)), typeName(t))
		}
	case kfptype.List:
		return list(b, t, at, bad)
	case kfptype.Struct:
		return object(b, t, at, bad)
	}
	return nil
}

func prefix(at, value string) string {
	if at == "" {
		return value
	}
	return at + ": " + value
}

// integers returns the range of a Go type, and whether a number is in it. A type
// with a name of its own counts as int64: what it is made of isn't known here.
func integers(goType, number string) (low, high string, ok bool) {
	switch goType {
	case "uint8", "uint16", "uint32":
		bits, _ := strconv.Atoi(goType[4:])
		_, err := strconv.ParseUint(number, 10, bits)
		return "0", fmt.Sprint(uint64(1)<<bits - 1), err == nil
	case "int8", "int16", "int32":
		bits, _ := strconv.Atoi(goType[3:])
		_, err := strconv.ParseInt(number, 10, bits)
		return fmt.Sprint(-int64(1) << (bits - 1)), fmt.Sprint(int64(1)<<(bits-1) - 1), err == nil
	}
	_, err := strconv.ParseInt(number, 10, 64)
	return fmt.Sprint(math.MinInt64), fmt.Sprint(math.MaxInt64), err == nil
}

func list(b json.RawMessage, t graph.Type, at string, bad func() error) error {
	var items []json.RawMessage
	if b[0] != '[' || json.Unmarshal(b, &items) != nil {
		return bad()
	}
	if t.Elem == nil {
		return nil
	}
	var errs []error
	for i, item := range items {
		if err := check(bytes.TrimSpace(item), *t.Elem, fmt.Sprintf("%s[%d]", at, i), ""); err != nil {
			errs = append(errs, err)
		}
	}
	return all(errs)
}

func object(b json.RawMessage, t graph.Type, at string, bad func() error) error {
	var members map[string]json.RawMessage
	if b[0] != '{' || json.Unmarshal(b, &members) != nil {
		return bad()
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(members)) {
		typ := t.Elem
		if t.Fields != nil {
			i := slices.IndexFunc(t.Fields, func(f graph.TypeField) bool { return f.Name == name })
			if i < 0 {
				names := make([]string, len(t.Fields))
				for i, f := range t.Fields {
					names[i] = f.Name
				}
				hint := "it has " + strings.Join(names, ", ")
				if near := nearest(name, names); near != "" {
					hint = "did you mean " + near + "?"
				}
				errs = append(errs, fmt.Errorf("%s has no field %s; %s", typeName(t), strings.TrimPrefix(at+"."+name, "."), hint))
				continue
			}
			typ = &t.Fields[i].Type
		}
		if typ == nil {
			continue
		}
		if err := check(bytes.TrimSpace(members[name]), *typ, at+"."+name, ""); err != nil {
			errs = append(errs, err)
		}
	}
	return all(errs)
}

// all joins the errors in one parameter to one line.
func all(errs []error) error {
	if len(errs) == 0 {
		return nil
	}
	const most = 3
	var parts []string
	for i, err := range errs {
		if i == most {
			parts = append(parts, fmt.Sprintf("and %d more", len(errs)-most))
			break
		}
		parts = append(parts, err.Error())
	}
	return errors.New(strings.Join(parts, ", "))
}

func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:57]) + "..."
	}
	return s
}
