package dsl_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/dsl/testdata/mnist"
	"github.com/kfpgo/kfpgo/internal/testing/want"
)

// These definitions compile. Each want comment is the error that Check reports
// for its line.

type miscIn struct {
	N     dsl.Param[int]
	List  dsl.Param[[]int]
	Who   dsl.Param[string]
	Extra dsl.Param[string] `kfp:",optional"`
	Sweep dsl.Param[[]mnist.Config]
}

type plain struct {
	Rate float64
	P    *struct{ Q int }
	Off  float64 `json:"-"`
}

var leaked *dsl.Scope

var misuse = dsl.Pipeline("misuse", func(s *dsl.Scope, in miscIn) numOut { // want "output n of pipeline misuse is input n; it must be the output of a task"
	outer := double.Call(s, numIn{}) // want "task double: input n is required"

	// Reading a value before there is one.
	if in.N.Get() > 3 { // want "Get on input n: its value is known only at run time; use dsl.If"
		return numOut{}
	}
	if _, ok := in.Extra.Lookup(); ok { // want "Lookup on input extra: its value is known only at run time"
		return numOut{}
	}

	// fmt.Sprintf on a reference, wherever the text ends up.
	show.Call(s, showIn{dsl.Const(fmt.Sprintf("hi %v", in.Who))})                             // want "a string holds a reference, input who; use dsl.Sprintf"
	sum.Call(s, sumIn{dsl.Const([]int{1})}, dsl.Env("WHO", fmt.Sprint(in.Who)))               // want "option env: a string holds a reference"
	listOf.Call(s, listIn{dsl.Const([]string{"a", in.Who.String()})}, dsl.Named("ok"))        // want "a string holds a reference"
	double.Call(s, numIn{dsl.Const(1)}, k8s.NodeSelector("zone", fmt.Sprintf("x%v", in.Who))) // want "option node-selector: a string holds a reference"
	show.Call(s, showIn{dsl.Sprintf("hi %9v", in.Who)})                                       // want "Sprintf: input who takes %v or %s without a width"
	show.Call(s, showIn{dsl.Sprintf("hi %v", dsl.Param[int]{})})                              // want "Sprintf: argument 1 is not set"

	// The wrong scope, and values that leave theirs.
	var inner dsl.Param[int]
	dsl.If(s, dsl.Gt(in.N, 1), func(b *dsl.Scope) {
		leaked = b
		inner = double.Call(b, numIn{in.N}).Out.N
		double.Call(s, numIn{in.N}) // want "task double added to an outer scope inside the if"
	})
	double.Call(leaked, numIn{in.N})                   // want "task double added to the if at line \d+ after its function returned"
	double.Call(s, numIn{inner})                       // want "double-3.n is not readable outside the if at line \d+"
	show.Call(s, showIn{dsl.Sprintf("got %v", inner)}) // want "double-3.n is not readable outside the if"
	loop := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) numOut { return double.Call(s, numIn{n}).Out })
	double.Call(s, numIn{loop.Each.N})              // want "not readable outside the for at line \d+; wrap it in dsl.Collected"
	sum.Call(s, sumIn{Values: dsl.Collected(in.N)}) // want "Collected of input n, which is not in a loop"
	double.Call(nil, numIn{in.N})
	double.Call(s, numIn{double.Call(nil, numIn{in.N}).Out.N}) // want "the task at line \d+ has no scope"
	nowhere.Call(s, numIn{in.N})                               // want "call of a component that is nil"
	deep := dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) (out dsl.Param[int]) {
		dsl.If(s, dsl.Gt(n, 1), func(s *dsl.Scope) { out = double.Call(s, numIn{n}).Out.N })
		return out
	})
	sum.Call(s, sumIn{Values: dsl.Collected(deep.Each)})

	// Things that were never set.
	var unset dsl.Param[int]
	dsl.If(s, dsl.Eq(unset, 1), func(s *dsl.Scope) {})                                                                 // want "a parameter of the condition == is not set"
	dsl.ParallelFor(s, dsl.Param[[]int]{}, func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} })        // want "the list of ParallelFor is not set"
	sum.Call(s, sumIn{Values: dsl.Collected(unset)})                                                                   // want "Collected of an output that is not set"
	double.Call(s, numIn{dsl.Field(dsl.Param[plain]{}, func(p *plain) *int { return &p.P.Q })})                        // want "Field: the function must return the address of a field"
	show.Call(s, showIn{dsl.Sprintf("%v", dsl.Field(dsl.Param[plain]{}, func(p *plain) *float64 { return &p.Rate }))}) // want "field Rate of a parameter that is not set"
	show.Call(s, showIn{dsl.Sprintf("%v", dsl.Field(dsl.Param[plain]{}, func(p *plain) *float64 { return &p.Off }))})  // want "Field: field Off of dsl_test.plain is not in its JSON form"
	double.Call(s, numIn{dsl.Fields(dsl.Param[mnist.Config]{}).Epochs})                                                // want "field epochs of a parameter that is not set"
	dsl.If(s, dsl.Given(dsl.Model{}), func(s *dsl.Scope) {})                                                           // want "Given: the input is not set"
	dsl.If(s, dsl.Cond{}, func(s *dsl.Scope) {})                                                                       // want "the condition is empty"
	dsl.If(s, dsl.And(), func(s *dsl.Scope) {})                                                                        // want "dsl.And of no conditions"
	double.Call(s, numIn{in.N}, dsl.GPU(unset))                                                                        // want "option accelerator is not set"
	double.Call(s, numIn{in.N}, dsl.After(nil))                                                                        // want "After: task 1 is nil"

	// Conditions, loops and branches.
	dsl.If(s, dsl.Eq(dsl.Const(1), 1), func(s *dsl.Scope) {})                                                                                                              // want "the condition is a constant; use a Go if statement"
	dsl.If(s, dsl.Given(in.Who), func(s *dsl.Scope) {})                                                                                                                    // want "Given of input who, which always has a value"
	dsl.If(s, dsl.In(in.N), func(s *dsl.Scope) {})                                                                                                                         // want "In of no values"
	dsl.If(s, dsl.Eq(in.N, 1), nil)                                                                                                                                        // want "if has no function"
	dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) dsl.Param[int] { return dsl.Const(2) })                                                                               // want "OneOf has no Else" // want "a value of the if is 2; it must be the output of a task"
	dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) int { double.Call(s, numIn{in.N}); return 1 }).Else(func(s *dsl.Scope) int { double.Call(s, numIn{in.N}); return 2 }) // want "OneOf of int; it takes a dsl.Param"
	dsl.ParallelFor(s, dsl.Const([]int(nil)), func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} })                                                         // want "constant list with no items"
	dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} }, dsl.Parallelism(0))                                                   // want "Parallelism\(0\): must be at least 1"
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) { show.Call(s, showIn{dsl.Const("")}) })                                                           // want "OnExit after a task; call it first"
	mnist.Notify.Call(s, mnist.NotifyIn{Day: dsl.FireTime(), To: in.Who, Status: dsl.Const(dsl.FinalStatus{})})                                                            // want "the fire time is known only to a schedule"
	show.Call(s, showIn{dsl.FireDate()})                                                                                                                                   // want "the fire date is known only to a schedule; make it an input"
	show.Call(s, showIn{dsl.Sprintf("of %v", dsl.FireDate())})                                                                                                             // want "the fire date is known only to a schedule"

	dsl.ParallelFor[int, int](s, in.List, nil)                                                                         // want "for has no function"
	dsl.If(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) { dsl.Group(s, func(s *dsl.Scope) {}) }).Else(func(s *dsl.Scope) {}) // want "the if adds no task; leave it out" // want "the else adds no task"
	dsl.ParallelFor(s, in.List, func(s *dsl.Scope, n dsl.Param[int]) dsl.None { return dsl.None{} })                   // want "the for adds no task"

	// Options.
	sum.Call(s, sumIn{in.List}, k8s.Tolerate(k8s.Toleration{Key: "gpu", Operator: "Exists", Value: "yes"})) // want "toleration of gpu: operator Exists takes no value"
	sum.Call(s, sumIn{in.List}, dsl.Retry(-1), dsl.GPU(-1))                                                 // want "Retry\(-1\): must be at least 0" // want "nvidia.com/gpu\(-1\): must be at least 0"
	sum.Call(s, sumIn{in.List}, dsl.CPU("2 cores"), dsl.Memory("16GB"))                                     // want "cpu: .2 cores. isn't a quantity of Kubernetes: write a number" // want "memory: .16GB. isn't a quantity of Kubernetes: write 16G or 16Gi"
	sum.Call(s, sumIn{in.List}, dsl.GPU(dsl.Const(-1)), dsl.Memory(dsl.Const("16K")))                       // want "nvidia.com/gpu\(-1\): must be at least 0" // want "memory: .16K. isn't a quantity of Kubernetes: write 16k or 16Ki"
	sum.Call(s, sumIn{in.List}, dsl.Timeout(0), k8s.MountPVC("claim", "data"))                              // want "Timeout\(0s\): must be at least a second" // want "MountPVC at .data.: not an absolute path"

	sum.Call(s, sumIn{in.List}, dsl.Env("MY VAR", "x"), dsl.Env("1X", "x"), dsl.Env("", "x"))                       // want "Env: .MY VAR. is not the name of an environment variable" // want "Env: .1X. is not" // want "Env: .. is not"
	sum.Call(s, sumIn{in.List}, dsl.Accelerator("gpu", 1), dsl.Accelerator("nvidia.com/", 1))                       // want "Accelerator: .gpu. is not a device resource: .*such as nvidia.com/gpu" // want "Accelerator: .nvidia.com/. is not"
	sum.Call(s, sumIn{in.List}, dsl.Image(""), dsl.Image("my image:1"), dsl.Image("UPPER/x:1:2"))                   // want "Image: .. is not an image" // want "Image: .my image:1. is not an image" // want "Image: .UPPER/x:1:2. is not an image: write REGISTRY/NAME:TAG"
	sum.Call(s, sumIn{in.List}, dsl.Named(" "), dsl.Named("a\nb"))                                                  // want "Named\(. .\): give it a name of one line" // want "Named\(.a.nb.\): give it"
	sum.Call(s, sumIn{in.List}, dsl.CacheKey(""))                                                                   // want "CacheKey of an empty string"
	sum.Call(s, sumIn{in.List}, dsl.Retry(1, dsl.Backoff{Initial: -1}), dsl.Retry(1, dsl.Backoff{}, dsl.Backoff{})) // want "Retry: a Backoff of .* must not be negative" // want "Retry takes one Backoff, not 2"

	// Options that only Kubernetes knows.
	sum.Call(s, sumIn{in.List}, k8s.MountPVC("My_Claim", "/data"), k8s.MountPVC("claim", "/"))                                                                                                                                                                    // want "MountPVC: .My_Claim. is not the name of an object" // want "MountPVC at ./.: not an absolute path of a folder"
	sum.Call(s, sumIn{in.List}, k8s.MountPVC("claim", "/data", k8s.SubPath("/a")), k8s.MountPVC("claim", "/data", k8s.SubPath("a/../..")))                                                                                                                        // want "SubPath\(./a.\): not a path inside the claim" // want "SubPath\(.a/../...\): not"
	sum.Call(s, sumIn{in.List}, k8s.SecretEnv("A B", "s", "k"), k8s.SecretEnv("AB", "s_s", "k"), k8s.SecretEnv("AB", "s", ""))                                                                                                                                    // want "SecretEnv: .A B. is not the name of an env" // want "SecretEnv AB: .s_s. is not the name of an object" // want "SecretEnv AB: .. is not a key of a secret"
	sum.Call(s, sumIn{in.List}, k8s.Label("a/b/c", "x"), k8s.Label("team", "a b"), k8s.Annotation("", "x"))                                                                                                                                                       // want "Label: .a/b/c. is not the key of a label" // want "Label team: .a b. is not the value of a label" // want "Annotation: .. is not the key"
	sum.Call(s, sumIn{in.List}, k8s.NodeSelector("zone!", "a"), k8s.NodeSelector("zone", "-a"))                                                                                                                                                                   // want "NodeSelector: .zone!. is not the key" // want "NodeSelector zone: .-a. is not the value"
	sum.Call(s, sumIn{in.List}, k8s.Tolerate(k8s.Toleration{}), k8s.Tolerate(k8s.Toleration{Key: "a", Operator: "Like"}))                                                                                                                                         // want "toleration without a key: only operator Exists" // want "toleration of a: no operator .Like."
	sum.Call(s, sumIn{in.List}, k8s.Tolerate(k8s.Toleration{Key: "a", Effect: "Never", Seconds: new(int64(3))}))                                                                                                                                                  // want "toleration of a: no effect .Never." // want "Seconds needs the effect NoExecute"
	sum.Call(s, sumIn{in.List}, k8s.ConfigMapEnv("A", "s", "a/b"), k8s.FieldEnv("A", "spec.containers"), k8s.SecretVolume("S", "/s"))                                                                                                                             // want "ConfigMapEnv A: .a/b. is not a key of a secret or config map" // want "FieldEnv A: .spec.containers. is not a field of the pod that a variable can hold" // want "SecretVolume: .S. is not the name of an object"
	sum.Call(s, sumIn{in.List}, k8s.ConfigMapVolume("s", "etc"), k8s.EmptyDir("a_b", "/a"), k8s.EmptyDir("a", "/a", k8s.SizeLimit("lots"), k8s.Medium("disk")))                                                                                                   // want "ConfigMapVolume at .etc.: not an absolute path" // want "EmptyDir: .a_b. is not the name of a volume" // want "EmptyDir a: .lots. isn't a quantity" // want "EmptyDir a: .disk. is not a medium"
	sum.Call(s, sumIn{in.List}, k8s.EphemeralVolume("a", "/a", k8s.Claim{AccessModes: []k8s.AccessMode{"RWO"}, Labels: map[string]string{"a b": "c"}}), k8s.SharedMemory("much"))                                                                                 // want "EphemeralVolume a: .. isn't a quantity" // want "EphemeralVolume a: no access mode .RWO." // want "EphemeralVolume a: .a b. is not the key of a label" // want "SharedMemory: .much. isn't a quantity"
	sum.Call(s, sumIn{in.List}, k8s.NodeAffinity(k8s.NodeTerm{Weight: 101}), k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "a", Operator: k8s.Gt, Values: []string{"x"}}, {Key: "b", Operator: "=="}, {Key: "c", Operator: k8s.In}}}))       // want "NodeAffinity: it says nothing about the node" // want "a weight of 101; it is 1 to 100" // want "NodeAffinity: a Gt needs one whole number" // want "NodeAffinity: b has no operator .==." // want "NodeAffinity: c In needs values"
	sum.Call(s, sumIn{in.List}, k8s.PodAffinity(k8s.PodTerm{Expressions: []k8s.Requirement{{Key: "a", Operator: k8s.Lt, Values: []string{"1"}}}}), k8s.PodAntiAffinity(k8s.PodTerm{TopologyKey: "zone", Namespaces: []string{"A"}}))                              // want "PodAffinity: TopologyKey: .. is not the key of a label" // want "PodAffinity: a Lt: the labels of pods can't be compared" // want "PodAntiAffinity: .A. is not the name of an object"
	sum.Call(s, sumIn{in.List}, k8s.NodeSelectorJSON(in.Who), k8s.TolerationJSON(in.N), k8s.NodeAffinityJSON(in.List))                                                                                                                                            // want "NodeSelectorJSON of string: it must be a map or a struct" // want "TolerationJSON of int: it must be" // want "NodeAffinityJSON of \[\]int: it must be"
	sum.Call(s, sumIn{in.List}, k8s.HostAliases("10.1.2", "db_1"), k8s.HostAliases("10.1.2.3"))                                                                                                                                                                   // want "HostAliases: .10.1.2. is not an IP address" // want "HostAliases 10.1.2: .db_1. is not the name of a host" // want "HostAliases 10.1.2.3: no names"
	sum.Call(s, sumIn{in.List}, k8s.PullSecret(""), k8s.Pull("Sometimes"), k8s.RunAsUser(-1), k8s.RunAsGroup(-2))                                                                                                                                                 // want "PullSecret: .. is not the name of an object" // want "Pull: no policy .Sometimes." // want "RunAsUser\(-1\): must be at least 0" // want "RunAsGroup\(-2\): must be"
	sum.Call(s, sumIn{in.List}, k8s.InitContainer(k8s.Container{Name: "main", Image: "a b"}), k8s.Sidecar(k8s.Container{Name: "P", Image: "x", Env: []k8s.EnvVar{{Name: "1"}}, Mounts: []k8s.VolumeMount{{Path: "x"}}, Limits: map[string]string{"cpu": "one"}})) // want "InitContainer main: the name is that of a container of KFP's or Argo's" // want "InitContainer main: .a b. is not an image" // want "Sidecar: .P. is not the name of a volume or container" // want "Sidecar P: .1. is not the name of an env" // want "Sidecar P: a mount at x without the name" // want "Sidecar P: mount of  at .x.: not an absolute path" // want "Sidecar P: cpu: .one. isn't a quantity"

	// Claims.
	gi := dsl.Const("1Gi")
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi})                                                                               // want "task createpvc: no name; set Name, or NameSuffix"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, Name: in.Who, NameSuffix: dsl.Const("-x")})                                    // want "task createpvc-2: both Name and NameSuffix are set; use one"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: dsl.Const("10 gigs"), Name: dsl.Const("My Claim")})                                // want "input size: .10 gigs. isn't a quantity of Kubernetes" // want "input pvc_name: .My Claim. is not the name of an object"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, NameSuffix: dsl.Const("-x-")})                                                 // want "input pvc_name_suffix: .-x-. is not the end of a name"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Name: dsl.Const("a")})                                                                   // want "input size is required"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, Name: in.Who, AccessModes: dsl.Const([]k8s.AccessMode{"RWO"})})                // want "no access mode .RWO.; use ReadWriteOnce, ReadOnlyMany"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, Name: in.Who, AccessModes: dsl.Const([]k8s.AccessMode{})})                     // want "no access mode; leave it out for ReadWriteOnce"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, Name: in.Who, StorageClass: dsl.Const("Fast!"), VolumeName: dsl.Const("v_1")}) // want "input storage_class_name: .Fast!. is not" // want "input volume_name: .v_1. is not"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, Name: in.Who, DataSource: dsl.Const(k8s.DataSource{Name: "a"})})               // want "input data_source: no kind or no name"
	k8s.CreatePVC.Call(s, k8s.CreatePVCIn{Size: gi, Name: dsl.Const(fmt.Sprint(in.Who))})                                          // want "a string holds a reference, input who; use dsl.Sprintf"
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: dsl.Const("A")})                                                                   // want "input pvc_name: .A. is not the name of an object"
	k8s.CreateSnapshot.Call(s, k8s.CreateSnapshotIn{Name: dsl.Const("A"), Claim: dsl.Const("b_")})                                 // want "input name: .A. is not" // want "input pvc_name: .b_. is not"
	k8s.DeleteSnapshot.Call(s, k8s.DeleteSnapshotIn{Name: dsl.Const(".a")})                                                        // want "input name: ..a. is not"

	// What only a running component does.
	model := dsl.Import[dsl.Model](s, in.Who)
	model.SetMetadata("a", 1)                                    // want "SetMetadata on importer.artifact: metadata is set by the running component"
	show.Call(s, showIn{dsl.Const(model.Path())})                // want "path of importer.artifact: a pipeline passes artifacts on whole"
	show.Call(s, showIn{dsl.Sprintf("%v", model.Metadata("a"))}) // want "Metadata of importer.artifact: it is known only at run time"
	if model.Given() {                                           // want "Given on importer.artifact: that is known only at run time; use dsl.If"
		return numOut{}
	}
	in.N.Set(3) // want "Set on input n: outputs are set by the running component"

	// Formats and constants.
	show.Call(s, showIn{dsl.Sprintf(badFormat, in.Who)})              // want "Sprintf: the format .*doesn't fit its 1 arguments"
	show.Call(s, showIn{dsl.Sprintf("\x00%v", in.Who)})               // want "Sprintf: a string has the character NUL"
	show.Call(s, showIn{dsl.Const("a\xffb")})                         // want "constant: a string is not valid UTF-8"
	show.Call(s, showIn{dsl.Const("a\x00b")})                         // want "constant: a string has the character NUL"
	rate.Call(s, rateIn{dsl.Const(math.NaN())})                       // want "constant: json: unsupported value: NaN"
	dsl.OneOf(s, dsl.Eq(in.N, 1), func(s *dsl.Scope) dsl.Param[int] { // want "the if returns double.n, which is made outside of it; make it in the branch"
		return outer.Out.N
	}).Else(func(s *dsl.Scope) dsl.Param[int] { return double.Call(s, numIn{in.N}).Out.N })

	// Values without a JSON form.
	records.Call(s, recordsIn{dsl.Const([]mnist.Config{{Epochs: in.N}})}) // want "input n is a reference; a constant holds only constants"
	records.Call(s, recordsIn{dsl.Const([]mnist.Config{{}})})             // want "a field has no value; set it"
	return numOut{in.N}
})

var nowhere *dsl.Component[numIn, numOut]

var badFormat = "%v and %v"

type rateIn struct{ Rate dsl.Param[float64] }

var rate = dsl.Func("rate", func(context.Context, rateIn, *dsl.None) error { return nil })

// Exit handlers.
var exits = dsl.Pipeline("exits", func(s *dsl.Scope, in miscIn) dsl.None {
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {
		show.Call(s, showIn{dsl.Const("")})
		dsl.Group(s, func(s *dsl.Scope) {
			dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) { double.Call(s, numIn{in.N}) }) // want "OnExit inside an exit handler"
		})
	})
	dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) { show.Call(s, showIn{dsl.Const("")}) }) // want "a second OnExit; add to the one at line"
	dsl.Group(s, func(s *dsl.Scope) {
		dsl.OnExit(s, func(s *dsl.Scope, _ dsl.Param[dsl.FinalStatus]) {}) // want "OnExit adds no task"
	})
	dsl.OnExit(s, nil) // want "OnExit has no function"
	return dsl.None{}
})

type listOut struct{ Models dsl.List[dsl.Model] }

var listed = dsl.Func("listed", func(context.Context, numIn, *listOut) error { return nil }) // want "output models is a list of artifacts, which only a pipeline returns"

// Names.
var unnamed = dsl.Func(" ", func(context.Context, numIn, *dsl.None) error { return nil })                     // want "a func has no name"
var symbols = dsl.Func("--", func(context.Context, numIn, *dsl.None) error { return nil })                    // want "named .--.: a name has a letter or a digit"
var lines = dsl.Func("a\nb", func(context.Context, numIn, *dsl.None) error { return nil })                    // want "a name is one line of text"
var long = dsl.Func(strings.Repeat("long", 40), func(context.Context, numIn, *dsl.None) error { return nil }) // want "a name has at most 128 characters, and this has 160"

type portsIn struct {
	Größe dsl.Param[int]
	Dash  dsl.Param[int] `kfp:"my-name"`
}

var badPorts = dsl.Func("bad-ports", func(context.Context, portsIn, *dsl.None) error { return nil }) // want "the name .größe. must be ASCII letters" // want "the name .my-name. must be ASCII"

type spacedIn struct {
	Space dsl.Param[int] `kfp:"my name"`
	Dash  dsl.Param[int] `kfp:"my-name"` // a pipeline's may have one
}

var badPipelinePorts = dsl.Pipeline("bad-pipeline-ports", func(*dsl.Scope, spacedIn) dsl.None { return dsl.None{} }) // want "the name .my name. must be ASCII letters, digits, _ and -"

type listIn struct{ List dsl.Param[[]string] }

var listOf = dsl.Func("list-of", func(context.Context, listIn, *dsl.None) error { return nil })

type recordsIn struct{ Sweep dsl.Param[[]mnist.Config] }

var records = dsl.Func("records", func(context.Context, recordsIn, *dsl.None) error { return nil })

// Calls that span several lines.
var multiline = dsl.Pipeline("multiline", func(s *dsl.Scope, in miscIn) dsl.None {
	listOf.Call(s, listIn{ // want "input list is required"
		List: dsl.Param[[]string]{},
	})
	sum.Call(s, sumIn{
		dsl.Const([]int{1}),
	},
		dsl.CPU("2"),
		dsl.Memory("16GB"), // want "task sum: memory: .16GB. isn't a quantity"
		dsl.Options(dsl.Env("A", "a"),
			dsl.Env("A=", "a")), // want "task sum: Env: "
		dsl.After(nil),        // want "task sum: After: task 1 is nil; give it a task that is called before this one"
		k8s.Label("a b", "c"), // want "task sum: "
	)
	dsl.ParallelFor(s, dsl.Const([]int{1}), func(s *dsl.Scope, n dsl.Param[int]) dsl.None {
		return dsl.None{}
	},
		dsl.Parallelism(0), // want "Parallelism.0.: must be at least 1"
	)
	dsl.OneOf(s, dsl.EqRef(in.N, in.N), func(s *dsl.Scope) dsl.Param[int] { // want "a value of the if is 1"
		return dsl.Const(1)
	}).Else(func(s *dsl.Scope) dsl.Param[int] { // want "a value of the else is 2"
		return dsl.Const(2)
	})
	return dsl.None{}
})

// A component is checked when it is made and reported when it is used.
type badIn struct {
	Plain int
	Early dsl.Param[int] `default:"soon"`
	Ch    dsl.Param[chan int]
	A     dsl.Param[int]   `kfp:"early"`
	List  dsl.Param[[]int] `default:"[1]"`
	Ptr   dsl.Param[*int]
	Bytes dsl.Param[[]byte]
	Typo  dsl.Param[int]  `kfp:",optinal"`
	Big   dsl.Param[int8] `default:"300"`
}

var bad = dsl.Func("bad", func(context.Context, badIn, *dsl.None) error { return nil }) // want "field Plain of dsl_test.badIn must be an exported dsl.Param" // want "default .soon.: not a valid int" // want "chan int can't be a parameter" // want "two fields of dsl_test.badIn are named early" // want "use Defaults" // want "\*int can't be a parameter" // want "\[\]uint8 can't be a parameter; use string" // want "unknown tag option .optinal." // want "default .300.: not a valid int8"

var copyFile = dsl.Container("copy", func(in numIn, out numOut) dsl.ContainerSpec { // want "IfPresent takes an input of the container"
	return dsl.ContainerSpec{
		Image: "busybox",
		Args: dsl.Args(
			out.N.Path(),
			in.N.Path(),    // want "only a container's output parameter has a path"
			out.N.String(), // want "output n has no value in its own container; use its Path"
			dsl.IfPresent(out.N, 1),
		),
		Outputs: []dsl.OutputFile{
			dsl.OutputAt(in.N, "/x"),  // want "OutputAt takes one of its own outputs"
			dsl.OutputAt(out.N, "x/"), // want "OutputAt\(.x/.\): not an absolute path"
		},
	}
})

var unsetText = dsl.Container("unset-text", func(numIn, dsl.None) dsl.ContainerSpec { // want "IfPresent takes an input of the container"
	return dsl.ContainerSpec{Image: "busybox", Args: dsl.Args(dsl.IfPresent(dsl.Param[int]{}, "--n"))}
})

var noImage = dsl.Container("no-image", func(in numIn, _ dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{} }) // want "component no-image: no image"

var python = dsl.Python[numIn, numOut]("python", dsl.PythonSource{Source: "def f(n): pass", Function: "g"}) // want "no image; python:3.12" // want "has no function .g."

var pythonArgs = dsl.Python[numIn, numOut]("python-args", dsl.PythonSource{Source: "def f(m: int, k=(1, 2)): pass", Function: "f", Image: "a b", Packages: []string{"-r x"}}) // want "component python-args: .a b. is not an image" // want "package .-r x.: a package is a name that pip takes" // want "function f has no parameter for input n" // want "function f has a parameter m, which is not an input or output"

var object = dsl.Resource("object", func(in numIn, _ numOut) dsl.ResourceSpec { return dsl.ResourceSpec{Action: "make"} }) // want "no action .make." // want "no manifest" // want "output n must be a parameter with a jsonpath tag"

type pathOut struct {
	N dsl.Param[int] `jsonpath:".status.n"`
}

var objectOwned = dsl.Resource("object-owned", ownedSpec) // want "Owned is for an object that is created or applied, not for patch"

func ownedSpec(dsl.None, dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Patch, Manifest: "x", Owned: true}
}

var argoSteps = dsl.Pipeline("argo-steps", func(s *dsl.Scope, _ dsl.None) dsl.None {
	sum.Call(s, sumIn{dsl.Const([]int{1})}, argo.From(argo.S3{}), argo.From(nil))                                                                                    // want "From is an option of dsl.Import" // want "From: the store is nil"
	dsl.Import[dsl.Dataset](s, "s3://a/b", argo.From(argo.S3{AccessKey: argo.SecretKey{Name: "a b", Key: ""}}))                                                      // want "From: a secret: .a b. is not a name or key" // want "From: a key of the secret a b: .. is not a key of a secret"
	sum.Call(s, sumIn{dsl.Const([]int{1})}, argo.Mutex("a b"), argo.Semaphore("limits", "", argo.InDatabase()), argo.DatabaseSemaphore("k", argo.InNamespace("N "))) // want "Mutex: .a b. is not a name or key" // want "Semaphore: .. is not a name or key" // want "use DatabaseSemaphore" // want "InNamespace: .N . is not a name or key"
	return dsl.None{}
})

var argoSettings = dsl.Pipeline("argo-settings", func(*dsl.Scope, dsl.None) dsl.None { return dsl.None{} }, argo.Config{Parallelism: -1, Mutex: "a b", Semaphore: argo.ConfigKey{Key: "c/d"}, PodGC: "Now", PodGCDelay: -time.Second, ArtifactGC: "Never"}) // want "argo.Config.Parallelism is -1" // want "argo.Config.Mutex: .a b. is not a name or key" // want "argo.Config.Semaphore is a config map and a key of it" // want "argo.Config.Semaphore: .c/d. is not a name or key" // want "argo.Config.PodGC is .Now." // want "argo.Config.PodGCDelay" // want "argo.Config.ArtifactGC is .Never."

var databaseLocks = dsl.Pipeline("database-locks", func(*dsl.Scope, dsl.None) dsl.None { return dsl.None{} }, argo.Config{LockDatabase: true}) // want "argo.Config.LockDatabase without a Mutex or Semaphore"

var databaseMap = dsl.Pipeline("database-map", func(*dsl.Scope, dsl.None) dsl.None { return dsl.None{} }, argo.Config{LockDatabase: true, Semaphore: argo.ConfigKey{ConfigMap: "a", Key: "b"}}) // want "argo.Config.Semaphore of the database has a Key and no ConfigMap"

var objectPath = dsl.Resource("object-path", func(in numIn, _ pathOut) dsl.ResourceSpec { return dsl.ResourceSpec{Action: dsl.Apply, Manifest: "x"} }) // want "jsonpath ..status.n. of output n: write it as {.metadata.name}"

var spaced = dsl.Container("spaced", func(in numIn, _ dsl.None) dsl.ContainerSpec { return dsl.ContainerSpec{Image: "a b"} }) // want "component spaced: .a b. is not an image"

var crash = dsl.Pipeline("crash", func(s *dsl.Scope, in numIn) dsl.None {
	var list []int
	double.Call(s, numIn{dsl.Const(list[3])}) // want "panic: runtime error: index out of range"
	return dsl.None{}
})

var crashSpec = dsl.Container("crash-spec", func(in numIn, _ dsl.None) dsl.ContainerSpec { // want "component crash-spec: no image"
	var spec *dsl.ContainerSpec
	return *spec // want "component crash-spec: panic: .*nil pointer"
})

// Two components of one name.
var twin1 = dsl.Func("twin", func(context.Context, numIn, *dsl.None) error { return nil })
var twin2 = dsl.Func("twin", func(context.Context, numIn, *dsl.None) error { return nil }) // want "component twin is also defined at misuse_test.go:\d+; give one of them another name"

var twins = dsl.Pipeline("twins", func(s *dsl.Scope, in numIn) dsl.None {
	twin1.Call(s, in)
	twin2.Call(s, in)
	return dsl.None{}
})

// A package-level cycle does not compile; one through a local variable does.
func cycle() dsl.Definition {
	var a, b *dsl.Component[dsl.None, dsl.None]
	a = dsl.Pipeline("a", func(s *dsl.Scope, _ dsl.None) dsl.None { b.Call(s, dsl.None{}); return dsl.None{} })
	b = dsl.Pipeline("b", func(s *dsl.Scope, _ dsl.None) dsl.None { a.Call(s, dsl.None{}); return dsl.None{} }) // want "pipeline a calls itself"
	return a
}

func TestMisuse(t *testing.T) {
	misused(t, "misuse_test.go", misuse, multiline, bad, copyFile, unsetText, noImage, python, pythonArgs, object, objectPath, objectOwned, argoSteps, argoSettings, databaseLocks, databaseMap, spaced, exits, unnamed, symbols, lines, long, badPorts, badPipelinePorts, listed, crash, crashSpec, twins, cycle())
}

// misused checks that the mistakes in definitions are those of the comments in a file, at their lines.
func misused(t *testing.T, file string, defs ...dsl.Definition) {
	t.Helper()
	got := map[int][]string{}
	for _, d := range defs {
		var list dsl.ErrorList
		if err := d.Check(); !errors.As(err, &list) {
			t.Errorf("%s: got %v, want an ErrorList", d.Name(), err)
		}
		for _, e := range list {
			if filepath.Base(e.File) != file {
				t.Errorf("position outside %s: %v", file, e)
			}
			got[e.Line] = append(got[e.Line], e.Msg)
		}
	}
	want.Check(t, file, got)
}
