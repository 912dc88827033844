package vet

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// devices finds tasks that go to nodes with devices and get none.
func (v *vetter) devices(t *program.Task, path string) {
	s := &t.Settings
	for _, a := range s.Accelerators {
		if a.Resource == "" && a.Type == nil {
			v.find(Error, "gpu", path, t.Pos, "a number of devices without their kind: no device is asked for; name the resource, such as nvidia.com/gpu")
		}
		if n, ok := a.Count.Constant(); ok && n == "0" {
			v.find(Warning, "gpu", path, t.Pos, "0 devices of %s are asked for, so the step runs without one", a.Resource)
		}
	}
	if len(s.Accelerators) > 0 {
		v.tainted(t, path)
		return
	}
	why := ""
	for _, kv := range s.NodeSelector {
		if gpu(kv.Key) {
			why = "it selects nodes by " + kv.Key
		}
	}
	for _, toleration := range s.Tolerations {
		if gpu(toleration.Key) {
			why = "it tolerates " + toleration.Key
		}
	}
	for _, term := range s.NodeAffinity {
		for _, r := range term.Expressions {
			if gpu(r.Key) {
				why = "it prefers nodes by " + r.Key
			}
		}
	}
	if why != "" {
		v.find(Warning, "gpu", path, t.Pos, "%s, but asks for no device: on such a node it gets none; set a limit, such as one GPU", why)
	}
}

func gpu(key string) bool {
	key = strings.ToLower(key)
	for _, part := range []string{"nvidia.com/", "amd.com/gpu", "gke-accelerator", "habana.ai/", "/gpu", "tencent.com/vcuda"} {
		if strings.Contains(key, part) {
			return true
		}
	}
	return key == "gpu" || key == "accelerator"
}

// tainted finds tasks with devices whose nodes may not let them in.
func (v *vetter) tainted(t *program.Task, path string) {
	s := &t.Settings
	if strings.Contains(string(s.PodPatch), `"tolerations"`) {
		return
	}
	for _, a := range s.Accelerators {
		name := a.Resource
		if kind, ok := a.Type.Constant(); ok {
			name = kind
		}
		if n, ok := a.Count.Constant(); !strings.Contains(name, "/") || ok && n == "0" {
			continue
		}
		tolerated := false
		for _, toleration := range s.Tolerations {
			tolerated = tolerated || toleration.JSON != nil || toleration.Key == name || toleration.Key == "" && toleration.Operator == "Exists"
		}
		if !tolerated {
			v.find(Warning, "toleration", path, t.Pos, "it asks for %s and tolerates no taint of that name: where nodes with devices are tainted, and the cluster adds no toleration by itself, its pod stays pending; add k8s.Tolerate", name)
		}
	}
}
