package pairs

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

var _ = pair(taskConfig,
	"dsl.component(task_config_passthroughs)", "dsl.TaskConfig", "dsl.TaskConfigField", "dsl.TaskConfigPassthrough").OwnRuntime().
	Except(14, "/parameters/kfpgo-env")

type launchIn struct {
	Workers dsl.Param[int]
	Config  dsl.Param[dsl.TaskConfig] `kfp:"task_config"`
}

var launch = dsl.Python[launchIn, dsl.None]("launch", dsl.PythonSource{
	Source: "def launch(workers: int, task_config): print(workers, task_config.env)\n", Function: "launch", Image: "x",
}).Passthroughs(
	k8s.ConfigResources, k8s.ConfigTolerations, k8s.ConfigNodeSelector, k8s.ConfigAffinity,
	k8s.ConfigEnv.ApplyToTask(), k8s.ConfigVolumes.ApplyToTask())

var taskConfig = dsl.Pipeline("task-config", func(s *dsl.Scope, _ dsl.None) dsl.None {
	launch.Call(s, launchIn{Workers: dsl.Const(2)}, dsl.CPU("2"), dsl.GPU(1), dsl.Env("A", "b"))
	return dsl.None{}
})
