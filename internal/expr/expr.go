// Package expr is conditions: trees that are printed as CEL for KFP and as
// expr-lang for Argo, and evaluated on this machine, with one meaning.
package expr

import "encoding/json"

// An Expr is a node of a condition. Its operator is one of
//
//	== != < <= > >=   two operands
//	in                the first operand is one of the others
//	&& ||             one or more conditions
//	!                 one condition
//	given             a name that may have no value
//	name, const       a leaf
type Expr struct {
	Op    string          `json:"op"`
	Args  []*Expr         `json:"args,omitempty"`
	Name  string          `json:"name,omitempty"`  // of a name: the input that holds the value
	Type  string          `json:"type,omitempty"`  // of a leaf: STRING, NUMBER_INTEGER, NUMBER_DOUBLE or BOOLEAN
	Const json.RawMessage `json:"const,omitempty"` // of a const
}
