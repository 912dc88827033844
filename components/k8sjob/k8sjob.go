// Package k8sjob runs Kubernetes Jobs and single pods.
//
//	train := k8sjob.Run.Call(s, k8sjob.RunIn{
//		Name: dsl.Const("train"),
//		Pod:  dsl.Const(pod.Spec{Image: "ghcr.io/acme/train:3", GPUs: 1, Mounts: []pod.Mount{pod.Claim("data", "/data")}}),
//		Args: dsl.Items(dsl.Const("--epochs"), dsl.Sprintf("%v", in.Epochs)),
//	})
//
// For a Job from YAML or of Kubernetes' own Go types, use package manifest.
package k8sjob

import (
	"context"
	"time"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// RunIn is a Job.
type RunIn struct {
	Name        dsl.Param[string]            `doc:"the object's name starts with it" check:"name"`
	Pod         dsl.Param[pod.Spec]          `doc:"what runs"`
	Args        dsl.Param[[]string]          `kfp:",optional" doc:"more arguments"`
	Env         dsl.Param[map[string]string] `kfp:",optional" doc:"more variables" check:"env"`
	Completions dsl.Param[int]               `default:"1" doc:"how many pods must succeed" check:"min=1"`
	Parallelism dsl.Param[int]               `default:"1" doc:"how many run at a time" check:"min=1"`
	Retries     dsl.Param[int]               `default:"0" doc:"how often failed pods are replaced (backoffLimit)" check:"min=0"`
	work.Limits
}

// RunOut is the Job that ran.
type RunOut struct {
	Name      dsl.Param[string]
	Succeeded dsl.Param[int] `doc:"how many pods succeeded"`
}

// job returns the manifest.
func job(in RunIn) map[string]any {
	t := in.Pod.Get().With(in.Args.Get(), in.Env.Get()).Template("main", "Never")
	return map[string]any{
		"apiVersion": "batch/v1", "kind": "Job",
		"metadata": work.Meta(in.Name.Get(), true, nil),
		"spec": map[string]any{
			"completions": in.Completions.Get(), "parallelism": in.Parallelism.Get(), "backoffLimit": in.Retries.Get(),
			"ttlSecondsAfterFinished": int((24 * time.Hour).Seconds()),
			"template":                t,
		},
	}
}

// Run runs a Job to its end, with the logs of its pods. Its KFP v1 counterpart is
// a ResourceOp with a Job.
var Run = work.Step("run-job", func(ctx context.Context, in RunIn, out *RunOut) error {
	got, err := work.Do(ctx, in.Limits, "batch.kubernetes.io/job-name={name}", work.Object{
		Action: "create", Manifest: job(in), Condition: []string{"Complete"}, NotCondition: []string{"Failed"},
	})
	if err != nil {
		return err
	}
	out.Name.Set(work.Field(got[0], "metadata.name"))
	out.Succeeded.Set(in.Completions.Get())
	return nil
}, check, work.Makes("batch", "jobs"))

// PodIn is one pod.
type PodIn struct {
	Name    dsl.Param[string]            `doc:"the object's name starts with it" check:"name"`
	Pod     dsl.Param[pod.Spec]          `doc:"what runs"`
	Args    dsl.Param[[]string]          `kfp:",optional" doc:"more arguments"`
	Env     dsl.Param[map[string]string] `kfp:",optional" doc:"more variables" check:"env"`
	Restart dsl.Param[string]            `default:"Never" doc:"Never or OnFailure"`
	work.Limits
}

// PodOut is the pod that ran.
type PodOut struct {
	Name dsl.Param[string]
	Node dsl.Param[string] `doc:"where it ran"`
}

// RunPod runs a single pod to its end, with its logs.
var RunPod = work.Step("run-pod", func(ctx context.Context, in PodIn, out *PodOut) error {
	got, err := work.RunPod(ctx, in.Limits, in.Name.Get(), in.Restart.Get(), in.Pod.Get().With(in.Args.Get(), in.Env.Get()))
	if err != nil {
		return err
	}
	out.Name.Set(work.Field(got, "metadata.name"))
	out.Node.Set(work.Field(got, "spec.nodeName"))
	return nil
}, check, work.Makes("", "pods"))

func check(c *work.Call) {
	work.OneOf(c, "restart", "Never", "OnFailure")
	c.Containers("pod", "main")
}
