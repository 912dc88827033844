package kfp

import (
	"encoding/json"

	"github.com/kfpgo/kfpgo/internal/kfpspec"
	"github.com/kfpgo/kfpgo/internal/program"
)

// kubernetes returns the settings of a task that only Kubernetes knows, or nil.
func (w *writer) kubernetes(c *program.Component, t *program.Task) *kfpspec.KubernetesExecutor {
	s, at := &t.Settings, place{w, t}
	if s.NodeSelector == nil && s.Tolerations == nil && s.PVCMounts == nil && s.SecretEnv == nil && s.Labels == nil && s.Annotations == nil && s.TimeoutSecs == 0 {
		return nil
	}
	k := &kfpspec.KubernetesExecutor{ActiveDeadlineSeconds: s.TimeoutSecs}
	for _, m := range s.PVCMounts {
		p := kfpspec.PVCMount{MountPath: m.Path, SubPath: m.SubPath, PVCNameParameter: w.name(at, "k8s.MountPVC", m.Claim)}
		if q := p.PVCNameParameter; q != nil {
			p.Constant, _ = m.Claim.Constant()
			p.ComponentInputParameter, p.TaskOutputParameter = q.ComponentInputParameter, q.TaskOutputParameter
		}
		k.PVCMount = append(k.PVCMount, p)
	}
	for _, e := range s.SecretEnv {
		secret, _ := e.Object.Constant()
		k.SecretAsEnv = append(k.SecretAsEnv, kfpspec.SecretAsEnv{
			SecretName: secret, SecretNameParameter: w.name(at, "k8s.SecretEnv", e.Object),
			KeyToEnv: []kfpspec.SecretKeyEnv{{SecretKey: e.Key, EnvVar: e.Name}},
		})
	}
	for _, t := range s.Tolerations {
		k.Tolerations = append(k.Tolerations, kfpspec.Toleration{Key: t.Key, Operator: t.Operator, Value: t.Value, Effect: t.Effect, TolerationSeconds: t.Seconds})
	}
	if s.NodeSelector != nil {
		k.NodeSelector = &kfpspec.NodeSelector{Labels: w.labels(at, "k8s.NodeSelector", s.NodeSelector)}
	}
	if s.Labels != nil || s.Annotations != nil {
		k.PodMetadata = &kfpspec.PodMetadata{Labels: w.labels(at, "pod label", s.Labels), Annotations: w.labels(at, "pod annotation", s.Annotations)}
	}
	return k
}

// name returns the name of an object: a constant or a whole reference.
func (w *writer) name(at place, knob string, v program.Value) *kfpspec.InputParameter {
	switch text, ok := v.Constant(); {
	case ok:
		j, _ := json.Marshal(text)
		return &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: j}}
	case v.Kind == program.Format, len(v.Field) > 0:
		at.errorf("%s: KFP takes a constant or a whole parameter as the name, not a part of one or a text with references in it", knob)
		return nil
	}
	return w.reference(at, knob, v)
}

// labels returns the constants of labels.
func (w *writer) labels(at place, knob string, kvs []program.KeyValue) map[string]string {
	var m map[string]string
	for _, kv := range kvs {
		text, ok := kv.Value.Constant()
		if !ok {
			at.errorf("%s %s: KFP takes a constant, not a reference", knob, kv.Key)
		}
		put(&m, kv.Key, text)
	}
	return m
}
