package pairs

import "github.com/kfpgo/kfpgo/examples/calc"

var _ = pair(calc.Pipeline)

// examples/mnist is a program, and compares in its own test.
var _ = example("mnist").OwnRuntime()
