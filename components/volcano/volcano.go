// Package volcano runs distributed jobs with Volcano (batch.volcano.sh/v1alpha1):
// TensorFlow with a chief, workers and parameter servers, PyTorch, and MPI. All
// pods start together or not at all, and a queue shares the cluster.
//
//	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{
//		Name: dsl.Const("mnist"),
//		Pod:  dsl.Const(pod.Spec{Image: "tensorflow/tensorflow:2.16.1", Command: []string{"python", "/train.py"}}),
//		Workers: dsl.Const(2), Servers: dsl.Const(2),
//	})
package volcano

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// JobIn is what all jobs have.
type JobIn struct {
	Queue        dsl.Param[string]            `default:"default" doc:"must be there, unless QueueWeight is given" check:"name"`
	QueueWeight  dsl.Param[int]               `kfp:",optional" doc:"creates the queue, with this weight" check:"min=1"`
	QueueLimit   dsl.Param[map[string]string] `kfp:",optional" doc:"of the queue that is created: cpu, memory, nvidia.com/gpu"`
	MinAvailable dsl.Param[int]               `kfp:",optional" doc:"how many pods start together; default: all" check:"min=1"`
	Priority     dsl.Param[string]            `kfp:",optional" doc:"name of a PriorityClass" check:"name"`
	Retries      dsl.Param[int]               `default:"0" doc:"how often the whole job starts again (maxRetry)" check:"min=0"`
	Args         dsl.Param[[]string]          `kfp:",optional" doc:"more arguments of the containers"`
	Env          dsl.Param[map[string]string] `kfp:",optional" doc:"more variables of the containers" check:"env"`
	work.Limits
}

// JobOut is the job that ran.
type JobOut struct {
	Name      dsl.Param[string]
	Succeeded dsl.Param[int] `doc:"how many pods succeeded"`
}

// A task is one kind of pods of a job.
type task struct {
	name     string
	replicas int
	spec     pod.Spec
	policies map[string]string // action by event
	restart  string
}

type m = map[string]any

// job returns the manifest of a Job. A pod that is evicted restarts all of them:
// the other pods of a distributed training wait for it forever.
func job(name string, in JobIn, plugins m, tasks ...task) m {
	all, specs := 0, []any{}
	var names []string
	for _, t := range tasks {
		names = append(names, t.name)
	}
	for _, t := range tasks {
		if t.replicas == 0 {
			continue
		}
		all += t.replicas
		others := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == t.name })
		spec := m{
			"name": t.name, "replicas": t.replicas,
			"template": t.spec.Without(others...).With(in.Args.Get(), in.Env.Get()).Template(t.name, cmp.Or(t.restart, "Never")),
		}
		if p := policies(t.policies); len(p) > 0 {
			spec["policies"] = p
		}
		specs = append(specs, spec)
	}
	if n, ok := in.MinAvailable.Lookup(); ok {
		all = n
	}
	spec := m{
		"schedulerName": "volcano", "queue": in.Queue.Get(), "minAvailable": all, "maxRetry": in.Retries.Get(),
		"plugins": plugins, "ttlSecondsAfterFinished": 24 * 3600, "tasks": specs,
		"policies": policies(map[string]string{"PodEvicted": "RestartJob", "PodFailed": failedAction(in)}),
	}
	if p, ok := in.Priority.Lookup(); ok {
		spec["priorityClassName"] = p
	}
	return m{"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": work.Meta(name, true, nil), "spec": spec}
}

func failedAction(in JobIn) string {
	if in.Retries.Get() > 0 {
		return "RestartJob"
	}
	return "AbortJob"
}

// policies returns lifecycle policies, in the order of their events.
func policies(byEvent map[string]string) (list []any) {
	for _, event := range []string{"PodEvicted", "PodFailed", "TaskCompleted"} {
		if action, ok := byEvent[event]; ok {
			list = append(list, m{"event": event, "action": action})
		}
	}
	return list
}

// queue returns the Queue to make, or the one that must be there.
func queue(in JobIn) work.Object {
	q := m{"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue", "metadata": m{"name": in.Queue.Get()}}
	weight, ok := in.QueueWeight.Lookup()
	if !ok {
		return work.Object{Action: "get", Manifest: q}
	}
	spec := m{"weight": weight, "reclaimable": true}
	if limit := in.QueueLimit.Get(); len(limit) > 0 {
		spec["capability"] = maps.Clone(limit)
	}
	q["spec"] = spec
	return work.Object{Action: "apply", Manifest: q}
}

// rights are those of all jobs.
var rights = []work.Right{work.Makes("batch.volcano.sh", "jobs"), work.MakesWide("scheduling.volcano.sh", "queues")}

// run makes the queue and the job, and waits for it.
func run(ctx context.Context, in JobIn, manifest m, out *JobOut) error {
	got, err := work.Do(ctx, in.Limits, "volcano.sh/job-name={name}", queue(in), work.Object{
		Action: "create", Manifest: manifest,
		Success: "status.state.phase == Completed", Failure: "status.state.phase in (Failed, Aborted, Aborting, Terminated)",
	})
	if err != nil {
		return err
	}
	out.Name.Set(work.Field(got[1], "metadata.name"))
	n := 0
	fmt.Sscan(work.Field(got[1], "status.succeeded"), &n)
	out.Succeeded.Set(n)
	return nil
}

// longest is how long the name of a job may be, for its suffixes in the names
// of its pods, which are those of hosts.
const longest = 45

// A role is an input that is a pod.Role, and the name of its pods' container.
type role struct{ input, container string }

// check looks at the values that are known when the pipeline is defined.
func check(c *work.Call, counts []string, roles ...role) {
	var containers []string
	for _, r := range roles {
		containers = append(containers, r.container)
		c.Role(r.input, r.container)
	}
	c.Containers("pod", containers...)
	if s, ok := work.Arg[pod.Spec](c, "pod"); ok {
		if len(s.Command) == 0 {
			c.Errorf("input pod: no command; the job's pods start it with the hosts of the others, so the image's command can't be used")
		}
	}
	c.Short("name", longest)
	all, known := 1, true
	for _, name := range counts {
		n, ok := work.Arg[int](c, name)
		all, known = all+n, known && ok
	}
	if n, ok := work.Arg[int](c, "min_available"); ok && known && (n > all) {
		c.Errorf("input min_available is %d, and the job has %d pods", n, all)
	}
	if q, ok := work.Arg[string](c, "queue"); ok && q == "default" && c.Given("queue_weight") {
		c.Errorf("input queue_weight: the queue default is the cluster's own, and would be changed for everybody; name another one")
	}
	limit, _ := work.Arg[map[string]string](c, "queue_limit")
	for _, resource := range slices.Sorted(maps.Keys(limit)) {
		if msg := pod.BadResource(resource, limit[resource]); msg != "" {
			c.Errorf("input queue_limit: %s: %s", resource, msg)
		}
	}
	if c.Given("queue_limit") && !c.Given("queue_weight") {
		c.Errorf("input queue_limit: it is of a queue that is created; give queue_weight too")
	}
}
