package pod

import (
	"cmp"
	"maps"
	"slices"
	"strconv"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Placement is where a pod runs and what it gets, in the fields of a [Spec] of the
// same names. Components that serve models take one as an input; Option is for the pod
// of a task itself, and Over for a Spec:
//
//	where := pod.Placement{GPUs: 1, NodeSelector: map[string]string{"accelerator": "t4"}}
//	check := gpucheck.Check.Call(s, gpucheck.In{}, where.Option())
//	k8sjob.Run.Call(s, k8sjob.RunIn{Name: name, Pod: dsl.Const(where.Over(train))}, dsl.After(check))
type Placement struct {
	CPU    string `json:"cpu,omitempty"`    // such as 4 or 500m: request and limit
	Memory string `json:"memory,omitempty"` // such as 8Gi: request and limit
	GPUs   int    `json:"gpus,omitempty"`
	GPU    string `json:"gpu,omitempty"` // the resource; empty: nvidia.com/gpu

	NodeSelector map[string]string `json:"nodeSelector,omitempty"`
	Tolerate     []string          `json:"tolerate,omitzero"`  // keys of taints; nil: that of the GPU, if there is one
	Affinity     map[string]any    `json:"affinity,omitempty"` // Kubernetes' names: nodeAffinity, podAffinity, podAntiAffinity
}

// placement returns the fields of a spec that are those of a placement.
func (s Spec) placement() Placement {
	return Placement{s.CPU, s.Memory, s.GPUs, s.GPU, s.NodeSelector, s.Tolerate, s.Affinity}
}

// Over returns a spec with what the placement sets in place of its own.
func (p Placement) Over(s Spec) Spec {
	s.CPU, s.Memory = cmp.Or(p.CPU, s.CPU), cmp.Or(p.Memory, s.Memory)
	if p.GPUs > 0 {
		s.GPUs, s.GPU = p.GPUs, p.GPU
	}
	if len(p.NodeSelector) > 0 {
		s.NodeSelector = p.NodeSelector
	}
	if p.Tolerate != nil {
		s.Tolerate = p.Tolerate
	}
	if len(p.Affinity) > 0 {
		s.Affinity = p.Affinity
	}
	return s
}

// Fields returns the fields of a PodSpec: nodeSelector, tolerations and affinity.
func (p Placement) Fields() map[string]any {
	spec := map[string]any{}
	set(spec, "nodeSelector", anyMap(p.NodeSelector), len(p.NodeSelector) > 0)
	var tolerations []any
	for _, key := range p.tolerated() {
		tolerations = append(tolerations, map[string]any{"key": key, "operator": "Exists"})
	}
	set(spec, "tolerations", tolerations, len(tolerations) > 0)
	set(spec, "affinity", clone(p.Affinity), len(p.Affinity) > 0)
	return spec
}

// Resources returns a container's ResourceRequirements.
func (p Placement) Resources() map[string]any {
	limits := map[string]any{}
	set(limits, "cpu", p.CPU, p.CPU != "")
	set(limits, "memory", p.Memory, p.Memory != "")
	if p.GPUs > 0 {
		limits[p.device()] = strconv.Itoa(p.GPUs)
	}
	if len(limits) == 0 {
		return nil
	}
	return map[string]any{"limits": limits, "requests": maps.Clone(limits)}
}

// Option returns an option that places the pod of a task: that of kaniko.Build,
// gpucheck.Check or a step of your own. Affinity to pods is an option of its own there,
// k8s.PodAffinity.
func (p Placement) Option() dsl.Option {
	var opts []dsl.Option
	if p.CPU != "" {
		opts = append(opts, dsl.CPU(p.CPU))
	}
	if p.Memory != "" {
		opts = append(opts, dsl.Memory(p.Memory))
	}
	if p.GPUs > 0 {
		opts = append(opts, dsl.Accelerator(p.device(), p.GPUs))
	}
	for _, key := range slices.Sorted(maps.Keys(p.NodeSelector)) {
		opts = append(opts, k8s.NodeSelector(key, p.NodeSelector[key]))
	}
	for _, key := range p.tolerated() {
		opts = append(opts, k8s.Tolerate(k8s.Toleration{Key: key, Operator: k8s.Exists}))
	}
	if nodes, ok := p.Affinity["nodeAffinity"].(map[string]any); ok {
		opts = append(opts, k8s.NodeAffinityJSON(dsl.Const(nodes)))
	}
	return record.At(func(t *record.Task) {
		msgs := p.Check()
		for _, key := range []string{"podAffinity", "podAntiAffinity"} {
			if _, ok := p.Affinity[key]; ok {
				msgs = append(msgs, "Affinity: "+key+" of a task is an option of its own; use k8s.PodAffinity or k8s.PodAntiAffinity")
			}
		}
		for _, msg := range msgs {
			t.Errorf("Placement: %s", msg)
		}
		if len(msgs) == 0 {
			dsl.Options(opts...)(t)
		}
	})
}

// device is the resource of the GPUs.
func (p Placement) device() string { return cmp.Or(p.GPU, "nvidia.com/gpu") }

// tolerated returns the keys of the taints that a pod tolerates. Nodes with GPUs usually
// have one of the resource's name: by default a pod that asks for it tolerates it, as
// Kubernetes' admission plugin ExtendedResourceToleration would say, where it is enabled.
func (p Placement) tolerated() []string {
	if p.Tolerate == nil && p.GPUs > 0 {
		return []string{p.device()}
	}
	return p.Tolerate
}
