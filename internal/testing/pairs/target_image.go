package pairs

import "github.com/kfpgo/kfpgo/dsl"

// An image that kfp component build made has the code of its steps, and KFP's
// executor, which takes the name of a function.
const builtImage = "registry.example.com/team/train:1"

func built[In, Out any](function string, command ...string) *dsl.Component[In, Out] {
	return dsl.Container(function, func(In, Out) dsl.ContainerSpec {
		return dsl.ContainerSpec{
			Image:   builtImage,
			Command: append(command, "python3", "-m", "kfp.dsl.executor_main"),
			Args:    []string{"--executor_input", dsl.ExecutorInput, "--function_to_execute", function},
		}
	})
}

type (
	builtIn struct {
		Data dsl.Dataset
		Rate dsl.Param[float64] `default:"0.5"`
	}
	builtOut struct {
		Model dsl.Model
		Out   dsl.Param[float64] `kfp:"Output"`
	}
	collectIn struct {
		Rows dsl.Param[int]
	}
	targetIn struct {
		Rows dsl.Param[int] `default:"3"`
	}
)

// installsNumpy is what the SDK puts before the command for packages_to_install.
const installsNumpy = `
if ! [ -x "$(command -v pip)" ]; then
    python3 -m ensurepip || python3 -m ensurepip --user || apt-get install python3-pip
fi

PIP_DISABLE_PIP_VERSION_CHECK=1 python3 -m pip install --quiet --no-warn-script-location 'numpy==2.2.0' && "$0" "$@"
`

var (
	builtLearn   = built[builtIn, builtOut]("learn")
	builtCollect = built[collectIn, dataOut]("collect", "sh", "-c", installsNumpy)
)

var _ = pair(targetImage, "dsl.component(target_image)")

var targetImage = dsl.Pipeline("target-image", func(s *dsl.Scope, in targetIn) dsl.None {
	data := builtCollect.Call(s, collectIn(in)).Out.Data
	builtLearn.Call(s, builtIn{Data: data})
	return dsl.None{}
})
