package pairs

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
)

var _ = pair(retries, "set_retry")

var retries = dsl.Pipeline("retries", func(s *dsl.Scope, in textIn) dsl.None {
	say.Call(s, in, dsl.Retry(2))
	say.Call(s, in, dsl.Retry(3, dsl.Backoff{Initial: time.Minute}))
	say.Call(s, in, dsl.Retry(4, dsl.Backoff{Factor: 1.25}))
	say.Call(s, in, dsl.Retry(5, dsl.Backoff{Initial: 2 * time.Hour, Factor: 3, Max: 48 * time.Hour}))
	dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
		say.Call(s, textIn{text}, dsl.Retry(1, dsl.Backoff{Max: 10 * time.Second}))
		return dsl.None{}
	})
	return dsl.None{}
})

var _ = pair(caching, "set_caching_options", "set_caching_options(cache_key)")

var caching = dsl.Pipeline("caching", func(s *dsl.Scope, in textIn) dsl.None {
	once := dsl.Pipeline("once", func(s *dsl.Scope, in textIn) outputText {
		return outputText{makeText.Call(s, in, dsl.CacheKey("inner")).Out.Out}
	})
	say.Call(s, in)
	say.Call(s, in, dsl.NoCache())
	a := makeText.Call(s, in, dsl.CacheKey("v1"))
	say.Call(s, textIn{a.Out.Out}, dsl.CacheKey("it's: v1"))
	once.Call(s, in)
	dsl.If(s, dsl.Eq(in.Text, "x"), func(s *dsl.Scope) { say.Call(s, in, dsl.NoCache()) })
	return dsl.None{}
})

var _ = pair(variables, "set_env_variable", "set_display_name", "set_container_image")

var variables = dsl.Pipeline("variables", func(s *dsl.Scope, in textIn) dsl.None {
	say.Call(s, in, dsl.Env("Z", "last"), dsl.Env("A", "it's $(HOME) \"x\""), dsl.Env("EMPTY", ""), dsl.Env("N", "1"), dsl.Named("Say: it's a ü"))
	say.Call(s, in, dsl.Image("ghcr.io/acme/say:1.4@sha256:0123456789012345678901234567890123456789012345678901234567890123"))
	dsl.ParallelFor(s, dsl.Const([]string{"a"}), func(s *dsl.Scope, text dsl.Param[string]) dsl.None {
		say.Call(s, textIn{text}, dsl.Env("IN", "loop"), dsl.Named("in a loop"), dsl.Image("y"))
		return dsl.None{}
	})
	return dsl.None{}
})

type devicesIn struct {
	CPU    dsl.Param[string] `kfp:"cpu"`
	Memory dsl.Param[string]
	Kind   dsl.Param[string]
	Count  dsl.Param[string]
	Text   dsl.Param[string]
}

var _ = pair(devices, "set_cpu_limit", "set_cpu_request", "set_memory_limit", "set_memory_request", "set_accelerator_limit",
	"set_accelerator_type", "set_gpu_limit", "add_node_selector_constraint", "resources of references", "set_container_image of a reference")

// devices asks for resources that are constants, inputs and outputs.
var devices = dsl.Pipeline("devices", func(s *dsl.Scope, in devicesIn) dsl.None {
	hi := textIn{in.Text}
	say.Call(s, hi, dsl.CPU("0.5"), dsl.CPURequest("1500m"), dsl.Memory("3Gi"), dsl.MemoryRequest("64Mi"))
	say.Call(s, hi, dsl.CPU("2"), dsl.Memory("1000000"), dsl.MemoryRequest("3T"))
	say.Call(s, hi, dsl.Accelerator("cloud-tpus.google.com/v3", 8))
	say.Call(s, hi, dsl.GPU(1))
	say.Call(s, hi, dsl.CPU(in.CPU), dsl.CPURequest(in.CPU), dsl.Memory(in.Memory), dsl.MemoryRequest(in.Memory))
	made := makeText.Call(s, hi).Out.Out
	say.Call(s, hi, dsl.CPU(made), dsl.Memory(made), dsl.Image(made))
	dsl.If(s, dsl.Eq(made, "big"), func(s *dsl.Scope) {
		say.Call(s, hi, dsl.Memory(made), dsl.Image(made))
	})
	return dsl.None{}
})
