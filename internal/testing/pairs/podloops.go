package pairs

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type podLoopsIn struct {
	Kind  dsl.Param[string]
	N     dsl.Param[int]
	Limit dsl.Param[string]
}

var _ = pair(podLoops, "set_accelerator_type", "set_accelerator_limit", "resources of references", "names of references", "nested loops").
	Except(5, "/root/dag/tasks/for-loop-2/inputs/parameters/pipelinechannel--n",
		"/root/dag/tasks/for-loop-2/componentRef/inputDefinitions/parameters/pipelinechannel--n",
		"/root/dag/tasks/for-loop-2/componentRef/dag/tasks/condition-3/inputs/parameters/pipelinechannel--n",
		"/root/dag/tasks/for-loop-2/componentRef/dag/tasks/condition-3/componentRef/inputDefinitions/parameters/pipelinechannel--n",
		"/root/dag/tasks/for-loop-2/componentRef/dag/tasks/condition-3/componentRef/dag/tasks/for-loop-5/inputs/parameters/pipelinechannel--n",
		"/root/dag/tasks/for-loop-2/componentRef/dag/tasks/condition-3/componentRef/dag/tasks/for-loop-5/componentRef/inputDefinitions/parameters/pipelinechannel--n").
	Except(11, "/root/dag/tasks/say-2/dependentTasks")

// podLoops asks for devices of a kind that only the run knows, and for secrets
// in loops in conditions in loops.
var podLoops = dsl.Pipeline("pod-loops", func(s *dsl.Scope, in podLoopsIn) dsl.None {
	kind := makeText.Call(s, textIn{Text: in.Kind}).Out.Out
	say.Call(s, textIn{Text: dsl.Const("input")}, dsl.Accelerator(in.Kind, in.N), dsl.CPU(in.Limit))
	say.Call(s, textIn{Text: dsl.Const("output")}, dsl.Accelerator(kind, 2))
	dsl.ParallelFor(s, dsl.Const([]string{"a", "b"}), func(s *dsl.Scope, name dsl.Param[string]) dsl.None {
		dsl.If(s, dsl.Eq(name, "a"), func(s *dsl.Scope) {
			dsl.ParallelFor(s, dsl.Const([]int{1, 2}), func(s *dsl.Scope, i dsl.Param[int]) dsl.None {
				say.Call(s, textIn{Text: in.Kind}, k8s.SecretEnv("A", name, "a"), k8s.ConfigMapVolume(kind, "/c"), k8s.PullSecret(in.Limit),
					dsl.Accelerator(kind, in.N))
				return dsl.None{}
			})
		})
		return dsl.None{}
	})
	return dsl.None{}
})
