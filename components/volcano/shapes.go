package volcano

import (
	"context"
	"slices"

	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
)

// TensorFlowIn is a distributed TensorFlow program: each pod finds what it is and
// where the others are in TF_CONFIG.
type TensorFlowIn struct {
	Name    dsl.Param[string]   `doc:"the object's name starts with it" check:"name"`
	Pod     dsl.Param[pod.Spec] `doc:"what runs in each pod; with a command, and GPUs for the chief and the workers"`
	Workers dsl.Param[int]      `default:"1" check:"min=0"`
	Servers dsl.Param[int]      `default:"0" doc:"parameter servers, which end with the job; they get no GPU, unless Server says so" check:"min=0"`
	Port    dsl.Param[int]      `default:"2222" check:"port"`
	Chief   dsl.Param[pod.Role] `kfp:",optional" doc:"what the chief has in place of what Pod says"`
	Worker  dsl.Param[pod.Role] `kfp:",optional" doc:"what the workers have in place of what Pod says"`
	Server  dsl.Param[pod.Role] `kfp:",optional" doc:"what the parameter servers have in place of what Pod says"`
	JobIn
}

// tfConfig starts a command with TF_CONFIG, made from what Volcano's svc plugin
// writes to the pod, a file with the hosts of each task, and from the number of
// the pod, which its env plugin sets. TASK and PORT are variables of ours.
const tfConfig = `set -e
dir=${VC_HOSTS:-/etc/volcano}
hosts() {
  list=
  while read -r h || [ -n "$h" ]; do
    [ -z "$h" ] || list="$list${list:+, }\"$h:$KFPGO_PORT\""
  done <"$dir/$1.host"
  printf '"%s": [%s]' "$1" "$list"
}
cluster=
for t in chief worker ps; do
  [ ! -f "$dir/$t.host" ] || cluster="$cluster${cluster:+, }$(hosts $t)"
done
TF_CONFIG="{\"cluster\": {$cluster}, \"task\": {\"type\": \"$KFPGO_TASK\", \"index\": ${VC_TASK_INDEX:-${VK_TASK_INDEX:-0}}}}"
export TF_CONFIG
exec "$@"
`

// tensorFlowJob returns the manifest.
func tensorFlowJob(in TensorFlowIn) map[string]any {
	as := func(name string, gpus bool, role dsl.Param[pod.Role]) pod.Spec {
		s := in.Pod.Get()
		s.Command = slices.Concat([]string{"sh", "-c", tfConfig, "start"}, s.Command)
		if !gpus {
			s.GPUs = 0
		}
		return role.Get().Over(s).With(nil, map[string]string{"KFPGO_TASK": name, "KFPGO_PORT": in.Port.String()})
	}
	return job(in.Name.Get(), in.JobIn, m{"svc": []string{}, "env": []string{}},
		task{name: "chief", replicas: 1, spec: as("chief", true, in.Chief), policies: map[string]string{"TaskCompleted": "CompleteJob"}},
		task{name: "worker", replicas: in.Workers.Get(), spec: as("worker", true, in.Worker)},
		task{name: "ps", replicas: in.Servers.Get(), spec: as("ps", false, in.Server)})
}

// TensorFlow runs a distributed TensorFlow program to the end of its chief.
var TensorFlow = work.Step("volcano-tensorflow", func(ctx context.Context, in TensorFlowIn, out *JobOut) error {
	return run(ctx, in.JobIn, tensorFlowJob(in), out)
}, func(c *work.Call) {
	check(c, []string{"workers", "servers"}, role{"chief", "chief"}, role{"worker", "worker"}, role{"server", "ps"})
}, rights...)

// PyTorchIn is a distributed PyTorch program: MASTER_ADDR, MASTER_PORT, WORLD_SIZE
// and RANK are set in each pod, by Volcano's pytorch plugin.
type PyTorchIn struct {
	Name    dsl.Param[string]   `doc:"the object's name starts with it" check:"name"`
	Pod     dsl.Param[pod.Spec] `doc:"what runs in each pod; with a command"`
	Workers dsl.Param[int]      `default:"1" doc:"beside the master" check:"min=0"`
	Port    dsl.Param[int]      `default:"23456" check:"port"`
	Master  dsl.Param[pod.Role] `kfp:",optional" doc:"what the master has in place of what Pod says"`
	Worker  dsl.Param[pod.Role] `kfp:",optional" doc:"what the workers have in place of what Pod says"`
	JobIn
}

// pyTorchJob returns the manifest.
func pyTorchJob(in PyTorchIn) map[string]any {
	return job(in.Name.Get(), in.JobIn, m{"pytorch": []string{"--master=master", "--worker=worker", "--port=" + in.Port.String()}},
		task{name: "master", replicas: 1, spec: in.Master.Get().Over(in.Pod.Get()), policies: map[string]string{"TaskCompleted": "CompleteJob"}},
		task{name: "worker", replicas: in.Workers.Get(), spec: in.Worker.Get().Over(in.Pod.Get()), restart: "OnFailure"})
}

// PyTorch runs a distributed PyTorch program to the end of its master.
var PyTorch = work.Step("volcano-pytorch", func(ctx context.Context, in PyTorchIn, out *JobOut) error {
	return run(ctx, in.JobIn, pyTorchJob(in), out)
}, func(c *work.Call) { check(c, []string{"workers"}, role{"master", "master"}, role{"worker", "worker"}) }, rights...)

// MPIIn is an MPI program, which the launcher starts on the workers: the command
// finds their hosts in MPI_HOST.
type MPIIn struct {
	Name     dsl.Param[string]   `doc:"the object's name starts with it" check:"name"`
	Pod      dsl.Param[pod.Spec] `doc:"what the launcher runs, such as sh -c 'mpirun --host $MPI_HOST /train'; the image has an SSH server"`
	Workers  dsl.Param[int]      `default:"2" check:"min=0"`
	Launcher dsl.Param[pod.Role] `kfp:",optional" doc:"what the launcher has in place of what Pod says; it gets no GPU, unless this says so"`
	Worker   dsl.Param[pod.Role] `kfp:",optional" doc:"what the workers have in place of what Pod says"`
	JobIn
}

// mpiJob returns the manifest.
func mpiJob(in MPIIn) map[string]any {
	launcher, worker := in.Pod.Get(), in.Pod.Get()
	launcher.GPUs = 0
	launcher, worker = in.Launcher.Get().Over(launcher), in.Worker.Get().Over(worker)
	worker.Command, worker.Args = []string{"sh", "-c", "mkdir -p /var/run/sshd && exec /usr/sbin/sshd -D"}, nil
	work := in.JobIn
	work.Args = dsl.Param[[]string]{} // the launcher's own
	launcher.Args = slices.Concat(launcher.Args, in.Args.Get())
	return job(in.Name.Get(), work, m{"ssh": []string{}, "svc": []string{}, "mpi": []string{"--master=launcher", "--worker=worker", "--port=22"}},
		task{name: "launcher", replicas: 1, spec: launcher, policies: map[string]string{"TaskCompleted": "CompleteJob"}, restart: "OnFailure"},
		task{name: "worker", replicas: in.Workers.Get(), spec: worker, restart: "OnFailure"})
}

// MPI runs an MPI program to the end of its launcher.
var MPI = work.Step("volcano-mpi", func(ctx context.Context, in MPIIn, out *JobOut) error {
	return run(ctx, in.JobIn, mpiJob(in), out)
}, func(c *work.Call) {
	check(c, []string{"workers"}, role{"launcher", "launcher"}, role{"worker", "worker"})
	if n, ok := work.Arg[int](c, "workers"); ok && n == 0 {
		c.Errorf("input workers: a launcher starts nothing without workers")
	}
}, rights...)
