package kfp

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/jsontree"
)

// Carries reports what KFP would change in a value of a type that is given for an
// input: integers beyond 2^53, and strings that its launcher, Argo or Kubernetes replaces.
func Carries(value json.RawMessage, typ string) error {
	_, err := constant(value, typ)
	return cmp.Or(err, stays(string(value)))
}

// InFile reports the integers of a file of IR that KFP would change. Its strings with
// {{$ are meant: that is how a file refers to something. Reading a file doesn't ask,
// since other targets keep all digits.
func InFile(p *program.Program) error {
	if p.IR == nil {
		return nil
	}
	var errs []error
	p.Constants(func(pos graph.Pos, what string, value json.RawMessage, typ graph.Type) {
		tree, err := jsontree.Parse(value)
		if err != nil {
			return
		}
		if text, as := rounded(&tree); text != "" && typ.Name != kfptype.Double {
			errs = append(errs, graph.At(pos, fmt.Errorf("pipeline %s: %s is or holds %s, of which KFP, whose numbers are doubles, makes %s; give another number, or make it a string: a STRING in the file", p.Name, what, text, as)))
		}
	})
	return errors.Join(errs...)
}

// rounded returns the first integer that isn't a double, and the double.
func rounded(n *jsontree.Node) (text, as string) {
	if n.Kind == jsontree.Number {
		if i, ok := new(big.Int).SetString(n.Text, 10); ok {
			if f, accuracy := new(big.Float).SetInt(i).Float64(); accuracy != big.Exact {
				return n.Text, big.NewFloat(f).Text('f', 0)
			}
		}
	}
	for i := range n.Nodes {
		if text, as = rounded(&n.Nodes[i]); text != "" {
			return text, as
		}
	}
	return "", ""
}
