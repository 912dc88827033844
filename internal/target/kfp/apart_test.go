package kfp_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
)

type (
	apartA struct {
		Text dsl.Param[string] `default:"a"`
	}
	apartB struct {
		Text dsl.Param[string] `default:"b"`
	}
)

// TestApart: components whose containers are equal have a variable that tells them apart in
// IR that goes to a server, where their inputs differ.
func TestApart(t *testing.T) {
	spec := func(text dsl.Param[string]) dsl.ContainerSpec {
		return dsl.ContainerSpec{Image: "busybox:1", Command: dsl.Args("echo", text)}
	}
	a := dsl.Container("first", func(in apartA, _ dsl.None) dsl.ContainerSpec { return spec(in.Text) })
	b := dsl.Container("second", func(in apartB, _ dsl.None) dsl.ContainerSpec { return spec(in.Text) })
	c := dsl.Container("third", func(in apartA, _ dsl.None) dsl.ContainerSpec { return spec(in.Text) })
	p := dsl.Pipeline("p", func(s *dsl.Scope, _ dsl.None) dsl.None {
		a.Call(s, apartA{})
		b.Call(s, apartB{})
		c.Call(s, apartA{}) // as the first
		return dsl.None{}
	})
	got, err := try(t, p, kfp.Options{Exact: true})
	if n := strings.Count(string(got), "KFPGO_COMPONENT"); err != nil || n != 1 || !strings.Contains(string(got), "value: comp-second") {
		t.Errorf("%d containers have a variable, want that of the second: %v\n%s", n, err, got)
	}
	for _, text := range []string{"a", "b"} { // which servers don't take from the component
		if !strings.Contains(string(got), "text:\n              runtimeValue:\n                constant: "+text) {
			t.Errorf("no task is given the default %s:\n%s", text, got)
		}
	}
	read, err := kfpread.Read("p.yaml", got)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := kfp.Write(read, kfp.Options{Exact: true}); err != nil || string(again) != string(got) {
		t.Errorf("written again: %v\n%s", err, again)
	}
	if usual, err := try(t, p, kfp.Options{}); err != nil || strings.Contains(string(usual), "KFPGO_COMPONENT") {
		t.Errorf("it isn't as by KFP's SDK: %v", err)
	}
}
