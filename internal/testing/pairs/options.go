package pairs

import (
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type optionsIn struct {
	S     dsl.Param[string]
	Image dsl.Param[string] `default:"y"`
	N     dsl.Param[int]    `default:"3"`
	Limit dsl.Param[string] `default:"2Gi"`
}

var _ = pair(options,
	"set_cpu_limit", "set_cpu_request", "set_memory_limit", "set_memory_request", "set_accelerator_type", "set_accelerator_limit",
	"resources of references", "set_retry", "set_env_variable", "set_display_name", "set_container_image of a reference", "set_caching_options",
	"ignore_upstream_failure", "kubernetes.use_secret_as_env", "kubernetes.add_node_selector", "kubernetes.add_toleration",
	"kubernetes.set_timeout", "names of references")

var options = dsl.Pipeline("options", func(s *dsl.Scope, in optionsIn) dsl.None {
	a := say.Call(s, textIn{Text: dsl.Const("a")},
		dsl.CPU("500m"), dsl.CPURequest("0.25"), dsl.Memory("1Gi"), dsl.MemoryRequest("512M"), dsl.GPU(2),
		dsl.Retry(3, dsl.Backoff{Initial: 10 * time.Second, Factor: 1.5, Max: 90 * time.Second}),
		dsl.Env("B", "1"), dsl.Env("A", "two"), dsl.Named("Say A"))
	b := say.Call(s, textIn{Text: dsl.Const("b")},
		dsl.CPU(in.S), dsl.Memory(in.Limit), dsl.Image(in.Image), dsl.NoCache(), dsl.After(a), dsl.Accelerator("amd.com/gpu", in.N), dsl.Retry(1))
	say.Call(s, textIn{Text: dsl.Const("c")}, dsl.IgnoreUpstreamFailure(), dsl.After(a, b),
		k8s.SecretEnv("PASSWORD", "creds", "password"), k8s.SecretEnv("USER", in.S, "user"),
		k8s.NodeSelector("zone", "a"), k8s.NodeSelector("disk", "ssd"),
		k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: "Exists", Effect: "NoSchedule"}),
		k8s.Tolerate(k8s.Toleration{Key: "team", Operator: "Equal", Value: "ml"}),
		dsl.Timeout(90*time.Second))
	return dsl.None{}
})
