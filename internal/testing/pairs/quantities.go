package pairs

import "github.com/kfpgo/kfpgo/dsl"

var _ = pair(quantities, "set_accelerator_type", "set_accelerator_limit", "set_cpu_limit", "set_retry")

// quantities has quantities and names that Kubernetes' own form wouldn't have.
var quantities = dsl.Pipeline("quantities", func(s *dsl.Scope, _ dsl.None) dsl.None {
	say.Call(s, textIn{Text: dsl.Const("k80")}, dsl.Accelerator("NVIDIA_TESLA_K80", 2), dsl.CPU("1.5"), dsl.Retry(0))
	say.Call(s, textIn{Text: dsl.Const("tpu")}, dsl.Accelerator("tpu-v3", 1), dsl.CPU(".5"))
	say.Call(s, textIn{Text: dsl.Const("any")}, dsl.Accelerator("", 1), dsl.CPU("0.5m"))
	return dsl.None{}
})
