package pairs

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

func init() {
	hi := textIn{dsl.Const("hi")}

	// The order of tasks across groups and pipelines.
	pair(dsl.Pipeline("after-groups", func(s *dsl.Scope, in intIn) dsl.None {
		inner := dsl.Pipeline("inner-order", func(s *dsl.Scope, in textIn) dsl.None {
			a := say.Call(s, in)
			say.Call(s, in, dsl.After(a))
			return dsl.None{}
		})
		a := say.Call(s, hi)
		p := inner.Call(s, hi, dsl.After(a))
		say.Call(s, hi, dsl.After(p, a))
		dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
			b := say.Call(s, hi, dsl.After(p))
			dsl.If(s, dsl.Eq(in.N, 2), func(s *dsl.Scope) { inner.Call(s, hi, dsl.After(a, b)) })
			say.Call(s, hi, dsl.After(b))
		}).Else(func(s *dsl.Scope) { say.Call(s, hi, dsl.After(a)) })
		return dsl.None{}
	}), "after", "a pipeline in a pipeline", "dsl.If", "dsl.Else")

	// What runs whatever happened before, with and without values from there.
	pair(dsl.Pipeline("ignoring", func(s *dsl.Scope, in intIn) dsl.None {
		a := makeText.Call(s, hi)
		b := makeInt.Call(s, in)
		type laterIn struct {
			Text dsl.Param[string] `default:"none"`
			N    dsl.Param[int]    `default:"0"`
		}
		later := tool("later", "/later", func(i laterIn, _ dsl.None) []string { return dsl.Args(i.Text, i.N) })
		later.Call(s, laterIn{a.Out.Out, in.N}, dsl.IgnoreUpstreamFailure())
		later.Call(s, laterIn{a.Out.Out, b.Out.Out}, dsl.IgnoreUpstreamFailure(), dsl.After(a))
		say.Call(s, hi, dsl.IgnoreUpstreamFailure(), dsl.After(a))
		dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) {
			c := say.Call(s, hi)
			say.Call(s, hi, dsl.After(c), dsl.IgnoreUpstreamFailure())
		})
		return dsl.None{}
	}), "ignore_upstream_failure")

	// Secrets, claims and settings in nested loops and pipelines.
	type secretsIn struct {
		Secret dsl.Param[string]
		Claim  dsl.Param[string]
		Texts  dsl.Param[[]string]
	}
	pair(dsl.Pipeline("settings-deep", func(s *dsl.Scope, in secretsIn) dsl.None {
		inner := dsl.Pipeline("settings-inner", func(s *dsl.Scope, i secretsIn) dsl.None {
			dsl.ParallelFor(s, i.Texts, func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
				say.Call(s, textIn{x}, k8s.SecretEnv("A", i.Secret, "a"), k8s.MountPVC(i.Claim, "/data"), dsl.CPU("1"))
				return dsl.None{}
			})
			return dsl.None{}
		})
		dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, x dsl.Param[string]) dsl.None {
			dsl.ParallelFor(s, in.Texts, func(s *dsl.Scope, y dsl.Param[string]) dsl.None {
				say.Call(s, textIn{y}, k8s.SecretEnv("A", in.Secret, "a"), k8s.SecretEnv("B", "fixed", "b"))
				say.Call(s, textIn{x}, k8s.MountPVC(in.Claim, "/data"), k8s.MountPVC("fixed", "/fixed"))
				return dsl.None{}
			})
			name := makeText.Call(s, textIn{x}).Out.Out
			say.Call(s, textIn{x}, k8s.SecretEnv("A", name, "a"), k8s.MountPVC(name, "/data"))
			inner.Call(s, secretsIn{name, in.Claim, in.Texts})
			return dsl.None{}
		})
		inner.Call(s, in)
		return dsl.None{}
	}), "kubernetes.use_secret_as_env", "kubernetes.mount_pvc", "names of references", "nested loops").
		Except(9, "/for-loop-2/componentRef/dag/tasks/say-2/inputs/parameters/text/componentInputParameter", "/pipelinechannel--texts-loop-item-2")

	// Importers by constant and by reference, in groups and pipelines.
	pair(dsl.Pipeline("importers", func(s *dsl.Scope, in dataIn) outputModel {
		load := dsl.Pipeline("load", func(s *dsl.Scope, in dataIn) outputModel {
			return outputModel{dsl.Import[dsl.Model](s, in.Source)}
		})
		made := makeText.Call(s, textIn{in.Source}).Out.Out
		useModel.Call(s, modelIn{dsl.Import[dsl.Model](s, made)})
		dsl.ParallelFor(s, dsl.Const([]string{"gs://a/b", "s3://c/d"}), func(s *dsl.Scope, uri dsl.Param[string]) dsl.None {
			useModel.Call(s, modelIn{dsl.Import[dsl.Model](s, uri)})
			return dsl.None{}
		})
		dsl.If(s, dsl.Ne(in.Source, ""), func(s *dsl.Scope) {
			train.Call(s, trainIn{dsl.Import[dsl.Dataset](s, in.Source), dsl.Const(0.5)})
		})
		return load.Call(s, in).Out
	}), "dsl.importer", "dsl.importer(artifact_uri of a reference)", "a pipeline in a pipeline")
}
