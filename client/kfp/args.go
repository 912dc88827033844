package kfp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"github.com/kfpgo/kfpgo/client"
)

// checkArgs refuses arguments that KFP would change: it holds numbers as doubles, and
// its launcher replaces {{$ in texts.
func checkArgs(op string, args map[string]json.RawMessage) error {
	for _, name := range slices.Sorted(maps.Keys(args)) {
		d := json.NewDecoder(bytes.NewReader(args[name]))
		d.UseNumber()
		var v any
		err := d.Decode(&v)
		if err == nil {
			err = held(v)
		}
		if err != nil {
			return &client.Error{Op: op, Code: client.Invalid, Msg: fmt.Sprintf("argument %s: %v", name, err)}
		}
	}
	return nil
}

func held(v any) error {
	switch v := v.(type) {
	case json.Number:
		if i, ok := new(big.Int).SetString(v.String(), 10); ok && !isDouble(i) {
			return fmt.Errorf("KFP holds numbers as doubles, and %s isn't one; give it as a string", v)
		}
	case string:
		if strings.Contains(v, "{{$") {
			return fmt.Errorf("KFP's launcher replaces {{$ in texts, and there is one in %.40q", v)
		}
	case []any:
		for _, e := range v {
			if err := held(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			if err := held(v[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

func isDouble(i *big.Int) bool {
	_, accuracy := new(big.Float).SetInt(i).Float64()
	return accuracy == big.Exact
}
