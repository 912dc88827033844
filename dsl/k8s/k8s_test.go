package k8s_test

import (
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

// TestPython: the claim operations have the names, inputs and outputs of
// kfp.kubernetes, which KFP's driver looks for.
func TestPython(t *testing.T) {
	for _, tt := range []struct {
		c    dsl.Definition
		want string
	}{
		{k8s.CreatePVC, "create-pvc createpvc pvc_name:STRING? pvc_name_suffix:STRING? size:STRING access_modes:LIST storage_class_name:STRING=\"\" " +
			"volume_name:STRING? annotations:STRUCT? data_source:STRUCT? -> name:STRING"},
		{k8s.DeletePVC, "delete-pvc deletepvc pvc_name:STRING ->"},
	} {
		c := recorded.Graph(tt.c).Component(1)
		parts := []string{c.Resource.Builtin, c.Name}
		for _, f := range c.Inputs {
			text := f.Name + ":" + f.Type.Name
			if f.Default != nil {
				text += "=" + string(f.Default)
			}
			if f.Optional {
				text += "?"
			}
			parts = append(parts, text)
		}
		parts = append(parts, "->")
		for _, f := range c.Outputs {
			parts = append(parts, f.Name+":"+f.Type.Name)
		}
		if got := strings.Join(parts, " "); got != tt.want {
			t.Errorf("got  %s\nwant %s", got, tt.want)
		}
	}
}
