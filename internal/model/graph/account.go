package graph

import "github.com/kfpgo/kfpgo/internal/text/lazyregexp"

// AccountForm is the name of a Kubernetes service account.
var AccountForm = lazyregexp.New(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`)

// AccountHint says how to write one.
const AccountHint = "lower case letters, digits, - and dots, with a letter or digit at both ends, at most 253"
