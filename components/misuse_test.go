package components_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/components/eci"
	"github.com/kfpgo/kfpgo/components/fetch"
	"github.com/kfpgo/kfpgo/components/gitclone"
	"github.com/kfpgo/kfpgo/components/gpucheck"
	"github.com/kfpgo/kfpgo/components/k8sjob"
	"github.com/kfpgo/kfpgo/components/kaniko"
	"github.com/kfpgo/kfpgo/components/kserve"
	"github.com/kfpgo/kfpgo/components/metrics"
	"github.com/kfpgo/kfpgo/components/notify"
	"github.com/kfpgo/kfpgo/components/pod"
	"github.com/kfpgo/kfpgo/components/pvcdata"
	"github.com/kfpgo/kfpgo/components/query"
	"github.com/kfpgo/kfpgo/components/savedmodel"
	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/components/tfserving"
	"github.com/kfpgo/kfpgo/components/trainingoperator"
	"github.com/kfpgo/kfpgo/components/volcano"
	"github.com/kfpgo/kfpgo/components/work"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
	"github.com/kfpgo/kfpgo/internal/testing/tried"
)

func text(s string) dsl.Param[string]       { return dsl.Const(s) }
func count(n int) dsl.Param[int]            { return dsl.Const(n) }
func share(x float64) dsl.Param[float64]    { return dsl.Const(x) }
func texts(s ...string) dsl.Param[[]string] { return dsl.Const(s) }
func vars(k, v string) map[string]string    { return map[string]string{k: v} }
func runs(s pod.Spec) dsl.Param[pod.Spec]   { return dsl.Const(s) }
func times(s string) work.Limits            { return work.Limits{Timeout: dsl.Const(s)} }
func mount(m pod.Mount) pod.Spec            { return pod.Spec{Image: "x", Mounts: []pod.Mount{m}} }
func patch(field string, v any) pod.Spec {
	return pod.Spec{Image: "x", Patch: map[string]any{field: v}}
}
func job(s pod.Spec) k8sjob.RunIn { return k8sjob.RunIn{Name: text("a"), Pod: runs(s)} }
func tf(in volcano.JobIn) volcano.TensorFlowIn {
	return volcano.TensorFlowIn{Name: text("a"), Pod: runs(ok), JobIn: in}
}
func tfjob(s string) trainingoperator.TFJobIn {
	return trainingoperator.TFJobIn{JobIn: trainingoperator.JobIn{Name: text(s), Pod: runs(ok)}}
}
func bind(size string, s pvcdata.Source) pvcdata.BindIn {
	return pvcdata.BindIn{Name: text("a"), Size: text(size), Source: dsl.Const(s)}
}

// ok is a spec with nothing wrong in it.
var ok = pod.Spec{Image: "ghcr.io/acme/train:3", Command: []string{"train"}}

// pods is what can be wrong with a pod, whatever runs it.
var pods = dsl.Pipeline("bad-pods", func(s *dsl.Scope, _ dsl.None) dsl.None {
	run := k8sjob.Run
	run.Call(s, job(pod.Spec{}))                                                                       // want "input pod: no image; set Image"
	run.Call(s, job(pod.Spec{Image: "ghcr.io/Acme/train"}))                                            // want "Image: .ghcr.io/Acme/train. is not an image: .* lower case letters in NAME"
	run.Call(s, job(pod.Spec{Image: "x y"}))                                                           // want "Image: .x y. is not an image"
	run.Call(s, job(pod.Spec{Image: "x", CPU: "two"}))                                                 // want "CPU: .two. isn't a quantity of Kubernetes"
	run.Call(s, job(pod.Spec{Image: "x", Memory: "8GB"}))                                              // want "Memory: .8GB. isn't a quantity of Kubernetes: write 8G or 8Gi"
	run.Call(s, job(pod.Spec{Image: "x", Memory: "512m"}))                                             // want "Memory: .512m. is thousandths of a byte: write 512Mi"
	run.Call(s, job(pod.Spec{Image: "x", Shm: "-1Gi"}))                                                // want "Shm: .-1Gi. is negative"
	run.Call(s, job(pod.Spec{Image: "x", GPUs: -1}))                                                   // want "input pod: -1 GPUs"
	run.Call(s, job(pod.Spec{Image: "x", GPUs: 1, GPU: "a100"}))                                       // want "GPU: .a100. is not a device resource: .* such as nvidia.com/gpu"
	run.Call(s, job(pod.Spec{Image: "x", GPU: "amd.com/gpu"}))                                         // want "GPU is amd.com/gpu, and GPUs is 0"
	run.Call(s, job(pod.Spec{Image: "x", Env: vars("1ST", "")}))                                       // want "Env: .1ST. is not the name of an environment variable"
	run.Call(s, job(pod.Spec{Image: "x", WorkDir: "src"}))                                             // want "WorkDir: .src. is not an absolute path"
	run.Call(s, job(pod.Spec{Image: "x", PullPolicy: "always"}))                                       // want "PullPolicy is .always.; there are Always"
	run.Call(s, job(pod.Spec{Image: "x", Labels: vars("a b", "")}))                                    // want "Labels: .a b. is not the key of a label"
	run.Call(s, job(pod.Spec{Image: "x", Labels: vars("a", "b c")}))                                   // want "Labels: .b c. is not the value of a label"
	run.Call(s, job(pod.Spec{Image: "x", Annotations: vars("a b", "c d")}))                            // want "Annotations: .a b. is not the key of a label"
	run.Call(s, job(pod.Spec{Image: "x", NodeSelector: vars("gpu", "a100!")}))                         // want "NodeSelector: .a100!. is not the value of a label"
	run.Call(s, job(pod.Spec{Image: "x", Tolerate: []string{"nvidia.com/gpu=true"}}))                  // want "Tolerate: .nvidia.com/gpu=true. is not the key"
	run.Call(s, job(pod.Spec{Image: "x", ServiceAccount: "Trainer"}))                                  // want "ServiceAccount: .Trainer. is not the name of an object"
	run.Call(s, job(pod.Spec{Image: "x", PullSecrets: []string{""}}))                                  // want "PullSecrets: .. is not the name of an object"
	run.Call(s, job(mount(pod.Claim("data", "data"))))                                                 // want "a mount at .data., which is not an absolute path"
	run.Call(s, job(mount(pod.Claim("data", "/a:b"))))                                                 // want "a path with a colon can't be mounted"
	run.Call(s, job(mount(pod.Claim("My_Data", "/data"))))                                             // want "the mount at /data: .My_Data. is not the name of an object"
	run.Call(s, job(mount(pod.Mount{Path: "/d"})))                                                     // want "Volume is one of Kubernetes' volume sources"
	run.Call(s, job(mount(pod.Mount{Path: "/d", Volume: map[string]any{"pvc": nil}})))                 // want "there is no volume source pvc"
	run.Call(s, job(mount(pod.Mount{Path: "/d", Volume: map[string]any{"hostpath": nil}})))            // want "there is no volume source hostpath; did you mean hostPath"
	run.Call(s, job(mount(pod.Mount{Path: "/d", SubPath: "../x", Volume: pod.EmptyDir("/d").Volume}))) // want "SubPath .../x. is not a path below the volume"
	run.Call(s, job(patch("priorityClass", "low")))                                                    // want "a pod's spec has no field priorityClass; did you mean priorityClassName"
	run.Call(s, job(patch("containers", []any{map[string]any{"image": "y"}})))                         // want "containers are distinguished by name, and one has none"
	run.Call(s, job(patch("containers", []any{map[string]any{"name": "train", "tty": true}})))         // want "Patch: containers: train has no image and is not a container of these pods, which is main; give it an image"
	run.Call(s, job(patch("initContainers", []any{map[string]any{"name": "main"}})))                   // want "Patch: initContainers: main has no image"
	run.Call(s, job(pod.Spec{Image: "x", Ports: map[string]int{"TF": 2222}}))                          // want "Ports: .TF. is not the name of a port"
	run.Call(s, job(pod.Spec{Image: "x", Ports: map[string]int{"a": 70000}}))                          // want "Ports: a is 70000; a port is from 1 to 65535"
	run.Call(s, job(pod.Spec{Image: "x", Affinity: map[string]any{"nodeaffinity": nil}}))              // want "Affinity: there is no field nodeaffinity; did you mean nodeAffinity"
	run.Call(s, job(pod.Spec{Image: "x", Affinity: map[string]any{"podAffinity": "a"}}))               // want "Affinity: podAffinity is not an object"
	return dsl.None{}
})

// placed is what can be wrong with a placement of a task and with a role of a job.
var placed = dsl.Pipeline("bad-placements", func(s *dsl.Scope, _ dsl.None) dsl.None {
	gpucheck.Check.Call(s, gpucheck.In{}, pod.Placement{GPUs: -1}.Option()) // want "Placement: -1 GPUs"
	near := pod.Placement{Affinity: map[string]any{"podAffinity": map[string]any{}}}
	gpucheck.Check.Call(s, gpucheck.In{}, near.Option())                                                                    // want "Placement: Affinity: podAffinity of a task is an option of its own; use k8s.PodAffinity"
	kserve.Serve.Call(s, kserve.ServeIn{Name: text("a"), Model: model(s), Placement: dsl.Const(pod.Placement{CPU: "two"})}) // want "input placement: CPU: .two. isn't a quantity"
	bad := dsl.Const(pod.Role{Ports: map[string]int{"a": 0}})
	trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{JobIn: tfjob("a").JobIn, Chief: bad, Worker: bad, Server: bad}) // want "input chief: Ports: a is 0" // want "input worker: Ports" // want "input server: Ports"
	trainingoperator.PyTorchJob.Call(s, trainingoperator.PyTorchJobIn{JobIn: tfjob("a").JobIn, Master: bad, Worker: bad})   // want "input master: Ports" // want "input worker: Ports"
	volcano.MPI.Call(s, volcano.MPIIn{Name: text("a"), Pod: runs(ok), Launcher: bad, Worker: bad})                          // want "input launcher: Ports" // want "input worker: Ports"
	eci.Run.Call(s, eci.RunIn{Name: text("a"), Pod: runs(ok), SpotStrategy: dsl.Const(eci.SpotStrategy("Spot"))})           // want "input spot_strategy is .Spot."
	eci.Run.Call(s, eci.RunIn{Name: text("a"), Pod: runs(ok), SpotPriceLimit: share(1)})                                    // want "input spot_price_limit: only the strategy"
	role := func(r pod.Role) volcano.TensorFlowIn {
		return volcano.TensorFlowIn{Name: text("a"), Pod: runs(ok), Worker: dsl.Const(r)}
	}
	volcano.TensorFlow.Call(s, role(pod.Role{Image: "x y"}))                                                                                                                                               // want "input worker: Image: .x y. is not an image"
	volcano.TensorFlow.Call(s, role(pod.Role{Placement: pod.Placement{GPU: "amd.com/gpu"}}))                                                                                                               // want "input worker: GPU is amd.com/gpu, and GPUs is 0"
	volcano.TensorFlow.Call(s, role(pod.Role{Patch: map[string]any{"containers": []any{map[string]any{"name": "chief"}}}}))                                                                                // want "input worker: Patch: containers: chief has no image and is not a container of these pods, which is worker"
	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: text("a"), Pod: runs(pod.Spec{Image: "x", Command: []string{"y"}, Patch: map[string]any{"containers": []any{map[string]any{"name": "boss"}}}})}) // want "input pod: Patch: containers: boss has no image and is not a container of these pods, which is chief or worker or ps"
	return dsl.None{}
})

// inputs is what can be wrong with the other inputs of all components.
var inputs = dsl.Pipeline("bad-inputs", func(s *dsl.Scope, _ dsl.None) dsl.None {
	cpu := runs(ok)
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: text("My Job"), Pod: cpu})                                                                                                                                                                                        // want "input name: .My Job. is not the name of an object"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: text("a"), Pod: cpu, Env: dsl.Const(vars("a b", ""))})                                                                                                                                                            // want "input env: .a b. is not the name of an environment variable"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: text("a"), Pod: cpu, Completions: count(0)})                                                                                                                                                                      // want "input completions: 0 is less than 1"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: text("a"), Pod: cpu, Parallelism: count(0)})                                                                                                                                                                      // want "input parallelism: 0 is less than 1"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: text("a"), Pod: cpu, Retries: count(-1)})                                                                                                                                                                         // want "input retries: -1 is less than 0"
	k8sjob.Run.Call(s, k8sjob.RunIn{Name: text("a"), Pod: cpu, Limits: times("0s")})                                                                                                                                                                        // want "input timeout: .0s. is not a time"
	k8sjob.RunPod.Call(s, k8sjob.PodIn{Name: text("a"), Pod: cpu, Restart: text("always")})                                                                                                                                                                 // want "input restart is .always.; there are Never and OnFailure"
	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: text("1st"), Pod: cpu})                                                                                                                                                                           // want "input name: .1st. becomes the name of Services"
	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: text(strings.Repeat("a", 46)), Pod: cpu})                                                                                                                                                         // want "here it has 45 characters at most"
	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: text("a"), Pod: cpu, Servers: count(-1)})                                                                                                                                                         // want "input servers: -1 is less than 0"
	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: text("a"), Pod: cpu, Port: count(70000)})                                                                                                                                                         // want "input port: 70000 is not a port"
	volcano.TensorFlow.Call(s, volcano.TensorFlowIn{Name: text("a"), Pod: runs(pod.Spec{Image: "x"})})                                                                                                                                                      // want "input pod: no command"
	volcano.PyTorch.Call(s, volcano.PyTorchIn{Name: text("a"), Pod: cpu, Port: count(0)})                                                                                                                                                                   // want "input port: 0 is less than 1"
	volcano.PyTorch.Call(s, volcano.PyTorchIn{Name: text("a"), Pod: cpu, Workers: count(-1)})                                                                                                                                                               // want "input workers: -1 is less than 0"
	volcano.MPI.Call(s, volcano.MPIIn{Name: text("a"), Pod: cpu, Workers: count(0)})                                                                                                                                                                        // want "input workers: a launcher starts nothing without workers"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Queue: text("Team A")}))                                                                                                                                                                                    // want "input queue: .Team A. is not the name of an object"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Queue: text("a"), QueueWeight: count(0)}))                                                                                                                                                                  // want "input queue_weight: 0 is less than 1"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{QueueWeight: count(2)}))                                                                                                                                                                                    // want "input queue_weight: the queue default is the cluster's own"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{QueueLimit: dsl.Const(vars("cpu", "4"))}))                                                                                                                                                                  // want "input queue_limit: it is of a queue that is created"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Queue: text("a"), QueueWeight: count(1), QueueLimit: dsl.Const(vars("memory", "8GB"))}))                                                                                                                    // want "input queue_limit: memory: .8GB. isn't a quantity of Kubernetes"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{MinAvailable: count(0)}))                                                                                                                                                                                   // want "input min_available: 0 is less than 1"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{MinAvailable: count(3)}))                                                                                                                                                                                   // want "input min_available is 3, and the job has 2 pods"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Priority: text("High")}))                                                                                                                                                                                   // want "input priority: .High. is not the name of an object"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Retries: count(-1)}))                                                                                                                                                                                       // want "input retries: -1 is less than 0"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Env: dsl.Const(vars("=", ""))}))                                                                                                                                                                            // want "input env: .=. is not the name"
	volcano.TensorFlow.Call(s, tf(volcano.JobIn{Limits: times("1d")}))                                                                                                                                                                                      // want "input timeout: .1d. is not a time"
	trainingoperator.TFJob.Call(s, tfjob("1st"))                                                                                                                                                                                                            // want "input name: .1st. becomes the name of Services"
	trainingoperator.TFJob.Call(s, trainingoperator.TFJobIn{Servers: count(-1), JobIn: tfjob("a").JobIn})                                                                                                                                                   // want "input servers: -1 is less than 0"
	trainingoperator.PyTorchJob.Call(s, trainingoperator.PyTorchJobIn{Procs: count(0), JobIn: tfjob("a").JobIn})                                                                                                                                            // want "input procs_per_node: 0 is less than 1"
	trainingoperator.TrainJob.Call(s, trainingoperator.TrainJobIn{Name: text("a"), Pod: cpu, Nodes: count(0)})                                                                                                                                              // want "input nodes: 0 is less than 1"
	trainingoperator.TrainJob.Call(s, trainingoperator.TrainJobIn{Name: text("a"), Pod: cpu, Runtime: text("Torch X")})                                                                                                                                     // want "input runtime: .Torch X. is not the name"
	trainingoperator.TrainJob.Call(s, trainingoperator.TrainJobIn{Name: text("a"), Pod: runs(pod.Spec{Image: "x", ServiceAccount: "b", Tolerate: []string{"c"}})})                                                                                          // want "a TrainJob takes Tolerate, ServiceAccount from its runtime"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("1st"), Claim: text("a")})                                                                                                                                                                         // want "input name: .1st. becomes the name of Services"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("A")})                                                                                                                                                                           // want "input claim: .A. is not the name"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), URI: text("/models")})                                                                                                                                                                       // want "input uri: ./models. begins with neither s3:// nor gs://"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), URI: text("s3://b"), Path: text("/x")})                                                                                                                                                      // want "input path: it is one in a claim"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Path: text("/../x")})                                                                                                                                                      // want "input path: ./../x. leaves the claim"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Variant: dsl.Const(tfserving.Variant("gpu8"))})                                                                                                                            // want "input variant is .gpu8.; there are cpu1, cpu8 and gpu1"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Service: dsl.Const(tfserving.ServiceType("nodeport"))})                                                                                                                    // want "input service is .nodeport."
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Image: text("TF Serving")})                                                                                                                                                // want "input image: .TF Serving. is not an image"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Memory: text("4GB")})                                                                                                                                                      // want "input memory: .4GB. isn't a quantity of Kubernetes"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Replicas: count(0)})                                                                                                                                                       // want "input replicas: 0 is less than 1"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), MaxBatch: count(8)})                                                                                                                                                       // want "input max_batch: requests are not put together; set Batching"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), WaitMS: count(8)})                                                                                                                                                         // want "input batch_wait_ms: requests are not put together"
	tfserving.Serve.Call(s, tfserving.ServeIn{Name: text("a"), Claim: text("a"), Env: dsl.Const(vars("", ""))})                                                                                                                                             // want "input env: .. is not the name"
	tfserving.Remove.Call(s, tfserving.RemoveIn{Name: text("A")})                                                                                                                                                                                           // want "input name: .A. is not the name"
	kserve.Serve.Call(s, kserve.ServeIn{Name: text("a.b"), Model: model(s), Format: text("on nx"), Runtime: text("R"), ServiceAccount: text("S")})                                                                                                          // want "input name: .a.b. becomes" // want "input format: .on nx. is not a model format" // want "input runtime: .R. is not" // want "input service_account: .S. is not"
	kserve.Remove.Call(s, kserve.RemoveIn{Name: text("A")})                                                                                                                                                                                                 // want "input name: .A. is not the name"
	seldon.Serve.Call(s, seldon.ServeIn{Name: text("a.b"), Model: model(s), Server: text("sklearn"), Protocol: text("v3"), Replicas: count(0), Secret: text("S"), ServiceAccount: text("A")})                                                               // want "input name: .a.b. becomes" // want "input server: .sklearn. is not a server, such as SKLEARN_SERVER" // want "input protocol is .v3." // want "input replicas: 0" // want "input secret: .S. is not" // want "input service_account: .A. is not"
	seldon.Remove.Call(s, seldon.RemoveIn{Name: text("A")})                                                                                                                                                                                                 // want "input name: .A. is not the name"
	eci.Cache.Call(s, eci.CacheIn{Name: text("A"), Images: texts("x:1", "X:1"), Size: count(-1), Retention: count(0), Secrets: texts("a:B")})                                                                                                               // want "input name: .A. is not" // want "input images: .X:1. is not an image" // want "input size: -1 is less than 1" // want "input retention_days: 0 is less than 1" // want "input secrets: .a:B. is not of the form namespace:name"
	eci.Run.Call(s, eci.RunIn{Name: text("A"), Pod: cpu, InstanceType: text("big"), Restart: text("No")})                                                                                                                                                   // want "input name: .A. is not" // want "input instance_type: .big. is not of the form" // want "input restart is .No."
	eci.Run.Call(s, eci.RunIn{Name: text("a"), Pod: cpu, Specs: texts("big")})                                                                                                                                                                              // want "input specs: .big. is neither an instance type"
	fetch.File.Call(s, fetch.FileIn{URL: text("ftp://x"), Digest: text("x"), Tries: count(0), Timeout: text("soon")})                                                                                                                                       // want "input url: .ftp://x. begins with none" // want "input digest: .x. is not of the form" // want "input tries: 0 is less than 1" // want "input timeout: .soon. is not a time"
	fetch.Verify.Call(s, fetch.VerifyIn{Data: model(s).Any(), Digest: text("sha256:1")})                                                                                                                                                                    // want "input digest: .sha256:1. is not of the form"
	fetch.OCI.Call(s, fetch.OCIIn{Ref: text("x"), Platform: text("amd64"), Timeout: text("1")})                                                                                                                                                             // want "input ref: x names no digest" // want "input platform: .amd64. is not of the form linux/amd64" // want "input timeout: .1. is not a time"
	gitclone.Clone.Call(s, gitclone.In{URL: text("-x"), Ref: text("main")})                                                                                                                                                                                 // want "input url: .-x. is not the URL"
	gitclone.Clone.Call(s, gitclone.In{URL: text("https://x"), Ref: text("a..b"), Commit: text("abc")})                                                                                                                                                     // want "input ref: .a..b. is not a branch" // want "input commit: .abc. is not the 40"
	kaniko.Build.Call(s, kaniko.In{Context: model(s).Any(), Destination: text("ghcr.io/acme/x")})                                                                                                                                                           // want "input destination: .ghcr.io/acme/x. has no tag"
	kaniko.Build.Call(s, kaniko.In{Context: model(s).Any(), Destination: text("ghcr.io/Acme/x:1"), Dockerfile: text("/Dockerfile"), Target: text(""), Cache: text("ghcr.io/acme/x:1"), BuildArg: text("A"), BuildArg2: text("1=B"), BuildArg3: text("=C")}) // want "input destination: .* lower case" // want "input dockerfile: ./Dockerfile. is not in the context" // want "input target: .. is not in" // want "input cache: .* is not a repository" // want "input build_arg: .A. is not of the form NAME=VALUE" // want "input build_arg_2: .1=B. is not of the form" // want "input build_arg_3: .=C. is not of the form"
	kaniko.Build.Call(s, kaniko.In{Context: model(s).Any(), Destination: text("ghcr.io/acme/x:1"), BuildArg2: text("B=1"), BuildArg4: text("B=2")})                                                                                                         // want "input build_arg_4: B is set by input build_arg_2 already"
	notify.Slack.Call(s, notify.In{Text: text("hi"), OnlyIf: text("error")})                                                                                                                                                                                // want "input only_if is .error.; there are always, failed and succeeded" // want "there is no status to go by"
	notify.Webhook.Call(s, notify.In{Text: text("")})                                                                                                                                                                                                       // want "nothing to send: set Status, Text or both"
	gpucheck.Check.Call(s, gpucheck.In{Framework: text("jax"), MinDevices: count(-1), MinMemory: count(-1), Samples: count(0)})                                                                                                                             // want "input framework: framework .jax. is not of the form" // want "input min_devices: -1" // want "input min_memory_mib: -1" // want "input samples: 0 is less than 1"
	gpucheck.Check.Call(s, gpucheck.In{CUDA: text("12")})                                                                                                                                                                                                   // want "input cuda: .12. is not a version, such as 12.3"
	gpucheck.Product.Call(s, gpucheck.ProductIn{Framework: text("jax"), Size: count(0), Repeats: count(0), MinDevices: count(-1), MinTFLOPS: share(-1)})                                                                                                    // want "input framework is .jax." // want "input size: 0" // want "input repeats: 0" // want "input min_devices: -1" // want "input min_tflops is -1"
	query.V1.Call(s, query.In{URL: text("server:8501"), Instances: data(s), Batch: count(0), Parallel: count(0), Limit: count(-1), Ready: text("now"), Accuracy: share(95)})                                                                                // want "input url: .server:8501. is not a URL" // want "input batch: 0" // want "input parallel is 0" // want "input limit: -1" // want "input ready: .now. is not a time" // want "input min_accuracy: 95 is not a share" // want "input min_accuracy: there is none without labels"
	query.V2.Call(s, query.In{URL: text("http://x"), Instances: data(s), DataType: text("float32"), Version: text("v2")})                                                                                                                                   // want "input datatype is .float32.; there are BOOL" // want "input version is .v2.; there are v1.0 and v0.1"
	metrics.Classify.Call(s, metrics.In{Predictions: data(s), Labels: data(s), Classes: texts("a", "b", "a"), Positive: text("c"), MinAccuracy: share(-1)})                                                                                                 // want "input classes: there are two called .a." // want "input positive: .c. is not one of the classes a, b, a" // want "input min_accuracy: -1 is not a share"
	savedmodel.Export.Call(s, savedmodel.In{Model: model(s), Version: count(0), InputShape: dsl.Const([]int{-1, 28})})                                                                                                                                      // want "input version: 0 is less than 1" // want "input input_shape: .-1 28. has a side of -1"
	pvcdata.Bind.Call(s, bind("10GB", pvcdata.NFS("x", "/y")))                                                                                                                                                                                              // want "input size: .10GB. isn't a quantity of Kubernetes" // want "volume a: .10GB. isn't a quantity"
	pvcdata.Bind.Call(s, bind("1Gi", pvcdata.HostPath("data")))                                                                                                                                                                                             // want "the path .data. of its hostPath is not absolute"
	pvcdata.Bind.Call(s, bind("1Gi", pvcdata.Source{"emptyDir": nil}))                                                                                                                                                                                      // want "there is no source emptyDir of a PersistentVolume"
	pvcdata.Bind.Call(s, pvcdata.BindIn{Name: text("A"), Modes: dsl.Const([]k8s.AccessMode{"RWX"}), Source: dsl.Const(pvcdata.NFS("x", "/y"))})                                                                                                             // want "input name: .A. is not" // want "there is no access mode .RWX." // want "there is no access mode .RWX."
	pvcdata.CopyIn.Call(s, pvcdata.CopyInIn{Data: model(s).Any(), To: text("model")})                                                                                                                                                                       // want "input to: .model. is not an absolute path"
	pvcdata.CopyFrom.Call(s, pvcdata.CopyFromIn{From: text("model")})                                                                                                                                                                                       // want "input from: .model. is not an absolute path"
	pvcdata.CopyToNodes.Call(s, pvcdata.CopyToNodesIn{Name: text("A"), Claim: text("B"), HostPath: text("/x"), Nodes: dsl.Const(vars("a b", "")), Tolerate: texts("c d"), Image: text("E")})                                                                // want "input name: .A. is not" // want "input claim: .B. is not" // want "input host_path: ./x. is a folder of the node's own" // want "input nodes: .a b. is not" // want "input tolerate: .c d. is not" // want "input image: .E. is not"
	return dsl.None{}
})

func model(s *dsl.Scope) dsl.Model  { return dsl.Import[dsl.Model](s, dsl.Const("s3://b/m")) }
func data(s *dsl.Scope) dsl.Dataset { return dsl.Import[dsl.Dataset](s, dsl.Const("s3://b/d")) }

func TestMisused(t *testing.T) { tried.Mistakes(t, "misuse_test.go", pods, placed, inputs) }

// TestAllInputsMisused: each input of each component can be bad in the table above,
// or is one of those for which nothing is.
func TestAllInputsMisused(t *testing.T) {
	free := map[string]string{
		"args": "any text", "keep": "a bool", "auto_cache": "a bool", "batching": "a bool", "submodules": "a bool", "history": "a bool", "insecure": "a bool",
		"model": "an artifact, or the name of a model", "data": "an artifact", "context": "an artifact", "instances": "an artifact", "labels": "an artifact", "predictions": "an artifact",
		"status": "the target's", "text": "any text", "snapshot": "the cloud's ID", "names": "any text", "input": "any text", "host": "any text",
		"signature": "any text", "input_type": "the framework's", "dtype": "the framework's", "inputs": "the model's", "outputs": "the model's",
		"modes": "told of volume and claim", "source": "told of the volume", "volume": "goes with claim", "path": "a folder of an image",
	}
	told := map[string]bool{}
	for _, d := range []dsl.Definition{pods, placed, inputs} {
		for _, e := range recorded.Graph(d).Errors {
			if _, name, ok := strings.Cut(e.Msg, "input "); ok {
				told[strings.FieldsFunc(name, func(r rune) bool { return r == ':' || r == ' ' })[0]] = true
			}
		}
	}
	var missing []string
	for _, c := range []*record.Component{
		record.Of(k8sjob.Run), record.Of(k8sjob.RunPod), record.Of(volcano.TensorFlow), record.Of(volcano.PyTorch), record.Of(volcano.MPI),
		record.Of(trainingoperator.TFJob), record.Of(trainingoperator.PyTorchJob), record.Of(trainingoperator.TrainJob),
		record.Of(tfserving.Serve), record.Of(tfserving.Remove), record.Of(kserve.Serve), record.Of(kserve.Remove), record.Of(seldon.Serve), record.Of(seldon.Remove),
		record.Of(eci.Cache), record.Of(eci.Run), record.Of(fetch.File), record.Of(fetch.Verify), record.Of(fetch.OCI), record.Of(gitclone.Clone),
		record.Of(kaniko.Build), record.Of(notify.Slack), record.Of(notify.Webhook), record.Of(gpucheck.Check), record.Of(gpucheck.Product),
		record.Of(query.V1), record.Of(query.V2), record.Of(query.Seldon), record.Of(metrics.Classify), record.Of(savedmodel.Export),
		record.Of(pvcdata.Bind), record.Of(pvcdata.CopyIn), record.Of(pvcdata.CopyFrom), record.Of(pvcdata.CopyToNodes),
	} {
		for _, f := range c.Inputs {
			if !told[f.Name] && free[f.Name] == "" {
				missing = append(missing, fmt.Sprintf("%s of %s", f.Name, c.Name))
			}
		}
	}
	slices.Sort(missing)
	for _, m := range missing {
		t.Errorf("nothing bad is known of input %s", m)
	}
}
