package k8s_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
)

// TestRunVolumeMisused: a name that all runs would share is a mistake at its line.
func TestRunVolumeMisused(t *testing.T) {
	d := dsl.Pipeline("misused", func(s *dsl.Scope, _ dsl.None) dsl.None {
		k8s.RunVolume(s, k8s.CreatePVCIn{Name: dsl.Const("x"), Size: dsl.Const("1Gi")}, nil)
		k8s.RunVolume(s, k8s.CreatePVCIn{Size: dsl.Const("much")}, nil)
		return dsl.None{}
	})
	err := d.Check()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"runvolume_test.go:14: ", "RunVolume with a Name", "runvolume_test.go:15: ", "much"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nlacks %q", err, want)
		}
	}
}
