package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/argo"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// Sized asks for CPU and memory.
var Sized = dsl.Pipeline("sized", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("x")}, dsl.CPU("500m"), dsl.CPURequest("10m"), dsl.Memory("128Mi"), dsl.MemoryRequest("64Mi")).Out
})

// SizedLater does with what a step says.
var SizedLater = dsl.Pipeline("sized-later", func(s *dsl.Scope, _ dsl.None) Text {
	memory, cpu := say("96Mi")(s), say("250m")(s)
	return Echo.Call(s, Text{dsl.Const("y")}, dsl.CPU(cpu), dsl.CPURequest("5m"), dsl.Memory(memory), dsl.MemoryRequest(memory)).Out
})

// Devices asks for a GPU and another device.
var Devices = dsl.Pipeline("devices", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("on a GPU")}, dsl.GPU(1), dsl.Accelerator("example.com/fpga", 2)).Out
})

// DevicesLater asks for as many of the kind as steps say.
var DevicesLater = dsl.Pipeline("devices-later", func(s *dsl.Scope, _ dsl.None) Text {
	kind := say("example.com/fpga")(s)
	n := Add1.Call(s, Int{dsl.Const(0)}).Out.N
	return Echo.Call(s, Text{dsl.Const("on what was chosen")}, dsl.GPU(n), dsl.Accelerator(kind, 1)).Out
})

// Greedy asks for more GPUs than there are.
var Greedy = dsl.Pipeline("greedy", func(s *dsl.Scope, _ dsl.None) Text {
	return Echo.Call(s, Text{dsl.Const("x")}, dsl.GPU(9)).Out
})

// Settings are those that change no output.
var Settings = dsl.Pipeline("settings", func(s *dsl.Scope, _ dsl.None) Text {
	first := Echo.Call(s, Text{dsl.Const("x")}, dsl.Timeout(10*time.Minute), dsl.NoCache(), dsl.Retry(1, dsl.Backoff{Initial: time.Second, Factor: 2}), dsl.Named("A name: {{x}}")).Out.Text
	return Echo.Call(s, Text{first}, dsl.CacheKey("settings"), dsl.Image("registry.local/suite:1")).Out
})

// Retries succeeds at the third try, of as many as a step says.
var Retries = dsl.Pipeline("retries", func(s *dsl.Scope, _ dsl.None) Text {
	n := Add1.Call(s, Int{dsl.Const(1)}).Out.N
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-retries"), Size: dsl.Const("1Mi"), StorageClass: dsl.Const("host-path")}).Out.Name
	third := Third.Call(s, Text{dsl.Const("z")}, k8s.MountPVC(claim, "/data"), dsl.Retry(n))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim}, dsl.After(third))
	return third.Out
})

// Third fails before it has been called three times, and leaves a letter each time.
var Third = dsl.Func("third", func(_ context.Context, in Text, out *Text) error {
	text, err := Add(in.Text.Get())
	out.Text.Set(text)
	if len(text) < 3 && err == nil {
		return errors.New("not yet")
	}
	return err
})

// Add adds a string to a file of the volume and returns all of it.
func Add(text string) (string, error) {
	file := filepath.Join(dsl.MountPath("/data"), "file")
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return "", err
	}
	text = string(old) + text
	return text, os.WriteFile(file, []byte(text), 0o644)
}

// Configured has settings of the whole, a workspace among them.
var Configured = dsl.Pipeline("configured", func(s *dsl.Scope, _ dsl.None) Text {
	path := dsl.Sprintf("%s/sub/file", dsl.WorkspacePath())
	wrote := save.Call(s, SaveIn{path, dsl.Const("in the workspace")})
	return load.Call(s, Text{path}, dsl.After(wrote)).Out
}, dsl.Config{
	DisplayName: "Configured", Deadline: 20 * time.Minute, TTL: time.Hour, TTLOnFailure: 2 * time.Hour,
	Workspace: dsl.Workspace{Size: "1Mi", Patch: map[string]any{"storageClassName": "host-path", "accessModes": []string{"ReadWriteOnce"}}},
})

// ByArgo has what only Argo does: a limit of pods at once, and steps that are kept.
var ByArgo = dsl.Pipeline("by-argo", func(s *dsl.Scope, _ dsl.None) Int {
	first := Add1.Call(s, Int{dsl.Const(40)})
	again := Add1.Call(s, Int{dsl.Const(40)}, dsl.After(first)) // equal to the first one
	return Add1.Call(s, Int{again.Out.N}).Out
}, argo.Config{Parallelism: 2, CacheFor: time.Hour})

type SaveIn struct{ Path, Text dsl.Param[string] }

var save = dsl.Func("save", func(_ context.Context, in SaveIn, _ *dsl.None) error {
	if err := os.MkdirAll(filepath.Dir(in.Path.Get()), 0o755); err != nil {
		return err
	}
	return os.WriteFile(in.Path.Get(), []byte(in.Text.Get()), 0o644)
})

var load = dsl.Func("load", func(_ context.Context, in Text, out *Text) error {
	b, err := os.ReadFile(in.Text.Get())
	out.Text.Set(string(b))
	return err
})

type KnownIn struct {
	Name, ID, Resource, Task, Root, Both dsl.Param[string]
	Created                              dsl.Param[time.Time]
}

// known says what of it looks as it should.
var known = dsl.Func("known", func(_ context.Context, in KnownIn, out *Text) error {
	var bad []string
	for _, p := range []dsl.Param[string]{in.Name, in.ID, in.Resource, in.Task, in.Root} {
		if text := p.Get(); text == "" || strings.ContainsAny(text, "{}$' ") {
			bad = append(bad, text)
		}
	}
	if in.Both.Get() != in.Name.Get()+" of "+in.ID.Get() {
		bad = append(bad, in.Both.Get())
	}
	if age := time.Since(in.Created.Get()); age < 0 || age > time.Hour {
		bad = append(bad, age.String())
	}
	out.Text.Set(in.Task.Get() + " " + strings.Join(bad, ";"))
	return nil
})

// Runs knows of its run what it can.
var Runs = dsl.Pipeline("runs", func(s *dsl.Scope, _ dsl.None) Text {
	return known.Call(s, KnownIn{
		Name: dsl.RunName(), ID: dsl.RunID(), Resource: dsl.RunResource(), Task: dsl.TaskName(), Root: dsl.ArtifactRoot(),
		Both: dsl.Sprintf("%v of %v", dsl.RunName(), dsl.RunID()), Created: dsl.RunCreated(),
	}).Out
})
