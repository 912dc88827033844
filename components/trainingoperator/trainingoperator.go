// Package trainingoperator runs distributed trainings with Kubeflow's training
// operator (TFJob and PyTorchJob) and with Kubeflow Trainer (TrainJob).
//
//	trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{
//		Name: dsl.Const("mnist"), Workers: dsl.Const(2), Servers: dsl.Const(2),
//		Pod:  dsl.Const(pod.Spec{Image: "tensorflow/tensorflow:2.16.1", Command: []string{"python", "/train.py"}}),
//	})
package trainingoperator

import (
	"context"
	"reflect"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// JobIn is what all jobs have.
type JobIn struct {
	Name    dsl.Param[string]            `doc:"the object's name starts with it" check:"name"`
	Pod     dsl.Param[pod.Spec]          `doc:"what runs in each pod"`
	Args    dsl.Param[[]string]          `kfp:",optional" doc:"more arguments of the containers"`
	Env     dsl.Param[map[string]string] `kfp:",optional" doc:"more variables of the containers" check:"env"`
	Queue   dsl.Param[string]            `kfp:",optional" doc:"of a gang scheduler (schedulingPolicy.queue)" check:"name"`
	Retries dsl.Param[int]               `default:"0" doc:"how often containers that fail start again, all together (backoffLimit)" check:"min=0"`
	work.Limits
}

// JobOut is the job that ran.
type JobOut struct{ Name dsl.Param[string] }

type m = map[string]any

// A role is the pods of one kind of a job.
type role struct {
	count int
	has   dsl.Param[pod.Role]
}

// replicas returns the ReplicaSpecs of a job, without kinds that have no pod.
func replicas(in JobIn, container string, roles map[string]role) m {
	// What the operator counts towards backoffLimit is how often containers start again,
	// which those of Never don't.
	restart := "Never"
	if in.Retries.Get() > 0 {
		restart = "OnFailure"
	}
	specs := m{}
	for kind, r := range roles {
		if r.count == 0 {
			continue
		}
		spec := in.Pod.Get().With(in.Args.Get(), in.Env.Get())
		if kind == "PS" {
			spec.GPUs = 0
		}
		spec = r.has.Get().Over(spec)
		specs[kind] = m{"replicas": r.count, "restartPolicy": restart, "template": spec.Template(container, "")}
	}
	return specs
}

func job(in JobIn, kind, field string, specs m) m {
	policy := m{"cleanPodPolicy": "Running", "backoffLimit": in.Retries.Get(), "ttlSecondsAfterFinished": 24 * 3600}
	if q, ok := in.Queue.Lookup(); ok {
		policy["schedulingPolicy"] = m{"queue": q}
	}
	return m{
		"apiVersion": "kubeflow.org/v1", "kind": kind, "metadata": work.Meta(in.Name.Get(), true, nil),
		"spec": m{"runPolicy": policy, field: specs},
	}
}

func run(ctx context.Context, l work.Limits, manifest m, out *JobOut, pods, done string) error {
	got, err := work.Do(ctx, l, pods, work.Object{
		Action: "create", Manifest: manifest, Condition: []string{done}, NotCondition: []string{"Failed"},
	})
	if err != nil {
		return err
	}
	out.Name.Set(work.Field(got[0], "metadata.name"))
	return nil
}

// The containers that the operator looks for.
const (
	tfContainer    = "tensorflow"
	torchContainer = "pytorch"
)

const operatorPods = "training.kubeflow.org/job-name={name}"

// TFJobIn is a distributed TensorFlow program; the operator sets TF_CONFIG.
type TFJobIn struct {
	Workers dsl.Param[int]      `default:"1" doc:"beside the chief" check:"min=0"`
	Servers dsl.Param[int]      `default:"0" doc:"parameter servers; they get no GPU, unless Server says so" check:"min=0"`
	Chief   dsl.Param[pod.Role] `kfp:",optional" doc:"what the chief has in place of what Pod says"`
	Worker  dsl.Param[pod.Role] `kfp:",optional" doc:"what the workers have in place of what Pod says"`
	Server  dsl.Param[pod.Role] `kfp:",optional" doc:"what the parameter servers have in place of what Pod says"`
	JobIn
}

// tfJob returns the manifest.
func tfJob(in TFJobIn) map[string]any {
	return job(in.JobIn, "TFJob", "tfReplicaSpecs", replicas(in.JobIn, tfContainer, map[string]role{"Chief": {1, in.Chief}, "Worker": {in.Workers.Get(), in.Worker}, "PS": {in.Servers.Get(), in.Server}}))
}

// TFJob runs a TFJob to its end.
var TFJob = work.Step("tfjob", func(ctx context.Context, in TFJobIn, out *JobOut) error {
	return run(ctx, in.Limits, tfJob(in), out, operatorPods, "Succeeded")
}, func(c *work.Call) { check(c, tfContainer, "chief", "worker", "server") }, work.Makes("kubeflow.org", "tfjobs"))

// PyTorchJobIn is a distributed PyTorch program; the operator sets MASTER_ADDR,
// WORLD_SIZE and RANK.
type PyTorchJobIn struct {
	Workers dsl.Param[int]      `default:"1" doc:"beside the master" check:"min=0"`
	Procs   dsl.Param[int]      `kfp:"procs_per_node" default:"1" doc:"processes in each pod, for torchrun (nprocPerNode)" check:"min=1"`
	Master  dsl.Param[pod.Role] `kfp:",optional" doc:"what the master has in place of what Pod says"`
	Worker  dsl.Param[pod.Role] `kfp:",optional" doc:"what the workers have in place of what Pod says"`
	JobIn
}

// pyTorchJob returns the manifest.
func pyTorchJob(in PyTorchJobIn) map[string]any {
	j := job(in.JobIn, "PyTorchJob", "pytorchReplicaSpecs", replicas(in.JobIn, torchContainer, map[string]role{"Master": {1, in.Master}, "Worker": {in.Workers.Get(), in.Worker}}))
	j["spec"].(m)["nprocPerNode"] = strconv.Itoa(in.Procs.Get())
	return j
}

// PyTorchJob runs a PyTorchJob to its end.
var PyTorchJob = work.Step("pytorchjob", func(ctx context.Context, in PyTorchJobIn, out *JobOut) error {
	return run(ctx, in.Limits, pyTorchJob(in), out, operatorPods, "Succeeded")
}, func(c *work.Call) { check(c, torchContainer, "master", "worker") }, work.Makes("kubeflow.org", "pytorchjobs"))

// TrainJobIn is a training with a runtime that the cluster's administrator set up.
type TrainJobIn struct {
	Name    dsl.Param[string]            `doc:"the object's name starts with it" check:"name"`
	Runtime dsl.Param[string]            `default:"torch-distributed" doc:"of the ClusterTrainingRuntimes" check:"name"`
	Nodes   dsl.Param[int]               `default:"1" check:"min=1"`
	Procs   dsl.Param[int]               `kfp:"procs_per_node" default:"1" check:"min=1"`
	Pod     dsl.Param[pod.Spec]          `doc:"what runs on each node: image, command, arguments, variables and resources"`
	Args    dsl.Param[[]string]          `kfp:",optional" doc:"more arguments"`
	Env     dsl.Param[map[string]string] `kfp:",optional" doc:"more variables" check:"env"`
	work.Limits
}

// trainJob returns the manifest.
func trainJob(in TrainJobIn) map[string]any {
	t := in.Pod.Get().With(in.Args.Get(), in.Env.Get()).Template("node", "")
	c := t["spec"].(m)["containers"].([]any)[0].(m)
	trainer := m{"numNodes": in.Nodes.Get(), "numProcPerNode": in.Procs.Get()}
	for _, field := range []string{"image", "command", "args", "env"} {
		if v, ok := c[field]; ok {
			trainer[field] = v
		}
	}
	if r, ok := c["resources"]; ok {
		trainer["resourcesPerNode"] = r
	}
	return m{
		"apiVersion": "trainer.kubeflow.org/v1alpha1", "kind": "TrainJob", "metadata": work.Meta(in.Name.Get(), true, nil),
		"spec": m{"runtimeRef": m{"name": in.Runtime.Get()}, "trainer": trainer},
	}
}

// TrainJob runs a TrainJob of Kubeflow Trainer to its end.
var TrainJob = work.Step("trainjob", func(ctx context.Context, in TrainJobIn, out *JobOut) error {
	return run(ctx, in.Limits, trainJob(in), out, "jobset.sigs.k8s.io/jobset-name={name}", "Complete")
}, func(c *work.Call) {
	c.Short("name", longest)
	if s, ok := work.Arg[pod.Spec](c, "pod"); ok {
		if fields := elsewhere(s); len(fields) > 0 {
			c.Errorf("input pod: a TrainJob takes %s from its runtime; set that there", strings.Join(fields, ", "))
		}
	}
}, work.Makes("trainer.kubeflow.org", "trainjobs"))

// elsewhere lists the fields of a spec that a TrainJob has no place for.
func elsewhere(s pod.Spec) (fields []string) {
	s.Image, s.Command, s.Args, s.Env, s.CPU, s.Memory, s.GPUs, s.GPU = "", nil, nil, nil, "", "", 0, ""
	v := reflect.ValueOf(s)
	for i := range v.NumField() {
		if f := v.Field(i); !f.IsZero() {
			fields = append(fields, v.Type().Field(i).Name)
		}
	}
	return fields
}

// longest is how long the name of a job may be, for its suffixes in the names
// of its pods, which Services have too.
const longest = 45

// check looks at a job whose pods have a container of one name, and at its roles.
func check(c *work.Call, container string, roles ...string) {
	c.Short("name", longest)
	c.Containers("pod", container)
	for _, input := range roles {
		c.Role(input, container)
	}
}
