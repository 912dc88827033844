package suite

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

type FilesOut struct{ File, Folder, Absent, Chosen, All dsl.Param[string] }

// Files passes files, folders, a choice of files and lists of them.
var Files = dsl.Pipeline("files", func(s *dsl.Scope, _ dsl.None) FilesOut {
	write := func(text string) func(*dsl.Scope) dsl.Dataset {
		return func(s *dsl.Scope) dsl.Dataset { return Write.Call(s, Text{dsl.Const(text)}).Out.Data }
	}
	n := Add1.Call(s, Int{dsl.Const(1)}).Out.N
	chosen := dsl.OneOf(s, dsl.Gt(n, 5), write("more")).Else(write("less"))
	each := dsl.ParallelFor(s, dsl.Const([]string{"b", "a", "c"}), func(s *dsl.Scope, text dsl.Param[string]) WriteOut {
		return Write.Call(s, Text{text}).Out
	})
	return FilesOut{
		File:   Read.Call(s, ReadIn{Write.Call(s, Text{dsl.Const("a\nb")}).Out.Data}).Out.Text,
		Folder: Read.Call(s, ReadIn{WriteDir.Call(s, Text{dsl.Const("a")}).Out.Data}).Out.Text,
		Absent: Read.Call(s, ReadIn{}).Out.Text,
		Chosen: Read.Call(s, ReadIn{chosen}).Out.Text,
		All:    ReadAll.Call(s, ReadAllIn{dsl.CollectedArtifacts(each.Each.Data)}).Out.Text,
	}
})

// Append adds a string to a file of a volume and returns all of it. It fails before
// it has been called twice.
var Append = dsl.Func("append", func(_ context.Context, in Text, out *Text) error {
	file := filepath.Join(dsl.MountPath("/data"), "file")
	old, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	text := string(old) + in.Text.Get()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		return err
	}
	out.Text.Set(text)
	if len(old) == 0 {
		return errors.New("the first try")
	}
	return nil
})

// Volume writes to a claim of its own, in a step that succeeds at the second try.
var Volume = dsl.Pipeline("volume", func(s *dsl.Scope, _ dsl.None) Text {
	claim := k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-data"), Size: dsl.Const("1Mi"), StorageClass: dsl.Const("host-path")}).Out.Name
	first := Append.Call(s, Text{dsl.Const("a")}, k8s.MountPVC(claim, "/data"), dsl.Retry(2))
	second := Append.Call(s, Text{dsl.Const("b")}, k8s.MountPVC(claim, "/data"), dsl.After(first))
	k8s.DeletePVC.Call(s, k8s.DeletePVCIn{Name: claim}, dsl.After(second))
	return second.Out
})

type ConfigIn struct{ Text dsl.Param[string] }

type ConfigOut struct {
	Text dsl.Param[string] `jsonpath:"{.data.text}"`
}

// config makes a config map and reads it back.
var config = dsl.Resource("config", func(in ConfigIn, _ ConfigOut) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Create, Manifest: "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: suite-}\ndata: {text: \"" + in.Text.String() + "\"}\n"}
}).OnLocal(func(_ context.Context, in ConfigIn, out *ConfigOut) error {
	out.Text.Set(in.Text.Get())
	return nil
})

// Object works on an object of the cluster.
var Object = dsl.Pipeline("object", func(s *dsl.Scope, _ dsl.None) Text {
	text := Echo.Call(s, Text{dsl.Const("it's \"x\": {{y}} #1")}).Out.Text
	return Text{config.Call(s, ConfigIn{text}).Out.Text}
})
