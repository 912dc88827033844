package kfpread

import (
	"reflect"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// config reads the settings of the whole pipeline.
func config(k *kfpspec.Platform) *program.Config {
	if k == nil || k.PipelineConfig == nil {
		return nil
	}
	from := k.PipelineConfig
	c := &program.Config{
		Deadline: int64(from.ActiveDeadlineSeconds), TTL: int64(from.ResourceTTLOnCompletion),
		TTLOnSuccess: int64(from.ResourceTTLOnSuccess), TTLOnFailure: int64(from.ResourceTTLOnFailure),
	}
	if w := from.Workspace; w != nil {
		c.Workspace = &program.Workspace{Size: w.Size}
		if w.Kubernetes != nil {
			c.Workspace.Patch = w.Kubernetes.PVCSpecPatch
		}
	}
	return c
}

// object reads the name of an object, or JSON that is known at run time: the form
// of servers since 2.4, or the text of those before.
func (v *values) object(p *kfpspec.InputParameter, old, typ string) program.Value {
	t := graph.Type{Name: typ}
	switch {
	case p == nil:
		return *str(old)
	case p.RuntimeValue != nil && p.RuntimeValue.Constant != nil:
		return program.Value{Kind: program.Const, Const: p.RuntimeValue.Constant, Type: t}
	case p.TaskOutputParameter != nil && v.makes(p.TaskOutputParameter.ProducerTask, p.TaskOutputParameter.OutputParameterKey),
		p.ComponentInputParameter != "" && v.in.Input(p.ComponentInputParameter) != nil:
		return v.reference(p, t)
	}
	v.errorf(v.where, "a name that comes from nowhere: task %q refers to an output that doesn't exist", v.name)
	return *str(old)
}

// makes reports whether a task of the DAG has an output parameter.
func (v *values) makes(task, key string) bool {
	t := v.d.Tasks[task]
	return t != nil && v.spec.Components[t.ComponentRef.Name].OutputDefinitions.Parameters[key] != nil
}

// kubernetes reads what only Kubernetes knows.
func (v *values) kubernetes(s *program.Settings, x *kfpspec.KubernetesExecutor) {
	s.TimeoutSecs, s.PullPolicy = x.ActiveDeadlineSeconds, x.ImagePullPolicy
	v.volumes(s, x)
	v.sources(s, x)
	v.scheduling(s, x)
	for _, p := range x.ImagePullSecret {
		s.PullSecrets = append(s.PullSecrets, v.object(p.SecretNameParameter, p.SecretName, kfptype.String))
	}
	if m := x.PodMetadata; m != nil {
		s.Labels, s.Annotations = pairs(m.Labels), pairs(m.Annotations)
	}
	if c := x.SecurityContext; c != nil {
		s.SecurityContext = &program.SecurityContext{RunAsUser: c.RunAsUser, RunAsGroup: c.RunAsGroup, RunAsNonRoot: c.RunAsNonRoot}
	}
	for _, c := range x.InitContainers {
		in := program.InitContainer{Name: c.Name, Image: c.Image, Command: c.Command, Args: c.Args, RestartPolicy: c.RestartPolicy}
		for _, e := range c.Env {
			in.Env = append(in.Env, program.Env{Name: e.Name, Value: *str(e.Value)})
		}
		for _, m := range c.VolumeMounts {
			in.Mounts = append(in.Mounts, program.VolumeMount{Name: m.VolumeName, Path: m.MountPath})
		}
		if c.Resources != nil {
			in.Limits, in.Requests = c.Resources.Limits, c.Resources.Requests
		}
		s.InitContainers = append(s.InitContainers, in)
	}
}

func (v *values) volumes(s *program.Settings, x *kfpspec.KubernetesExecutor) {
	for _, m := range x.PVCMount {
		p := m.PVCNameParameter
		if p == nil && (m.ComponentInputParameter != "" || m.TaskOutputParameter != nil) {
			p = &kfpspec.InputParameter{ComponentInputParameter: m.ComponentInputParameter, TaskOutputParameter: m.TaskOutputParameter}
		}
		s.PVCMounts = append(s.PVCMounts, program.PVCMount{Claim: v.object(p, m.Constant, kfptype.String), Path: m.MountPath, SubPath: m.SubPath})
	}
	for _, e := range x.GenericEphemeralVolume {
		vol := program.EphemeralVolume{Name: e.VolumeName, Path: e.MountPath, AccessModes: e.AccessModes, Size: e.Size}
		if !e.DefaultStorageClass {
			vol.StorageClass = &e.StorageClassName
		}
		if e.Metadata != nil {
			vol.Labels, vol.Annotations = e.Metadata.Labels, e.Metadata.Annotations
		}
		s.EphemeralVolumes = append(s.EphemeralVolumes, vol)
	}
	for _, e := range x.EmptyDirMounts {
		s.EmptyDirs = append(s.EmptyDirs, program.EmptyDir{Name: e.VolumeName, Path: e.MountPath, Medium: e.Medium, SizeLimit: e.SizeLimit})
	}
	if m := x.EnabledSharedMemory; m != nil {
		s.SharedMemory = &program.SharedMemory{Name: m.VolumeName, Size: m.Size}
	}
}

func (v *values) sources(s *program.Settings, x *kfpspec.KubernetesExecutor) {
	for _, o := range x.SecretAsVolume {
		s.SecretVolumes = append(s.SecretVolumes, program.ObjectVolume{Object: v.object(o.SecretNameParameter, o.SecretName, kfptype.String), Path: o.MountPath, Optional: isTrue(o.Optional)})
	}
	for _, o := range x.ConfigMapAsVolume {
		s.ConfigMapVolumes = append(s.ConfigMapVolumes, program.ObjectVolume{Object: v.object(o.ConfigMapNameParameter, o.ConfigMapName, kfptype.String), Path: o.MountPath, Optional: isTrue(o.Optional)})
	}
	for _, o := range x.SecretAsEnv {
		object := v.object(o.SecretNameParameter, o.SecretName, kfptype.String)
		for i, k := range o.KeyToEnv {
			s.SecretEnv = append(s.SecretEnv, program.KeyEnv{Name: k.EnvVar, Object: object, Key: k.SecretKey, Optional: isTrue(o.Optional), Apart: i == 0 && joins(s.SecretEnv, object, o.Optional)})
		}
	}
	for _, o := range x.ConfigMapAsEnv {
		object := v.object(o.ConfigMapNameParameter, o.ConfigMapName, kfptype.String)
		for i, k := range o.KeyToEnv {
			s.ConfigMapEnv = append(s.ConfigMapEnv, program.KeyEnv{Name: k.EnvVar, Object: object, Key: k.ConfigMapKey, Optional: isTrue(o.Optional), Apart: i == 0 && joins(s.ConfigMapEnv, object, o.Optional)})
		}
	}
	for _, f := range x.FieldPathAsEnv {
		s.FieldEnv = append(s.FieldEnv, program.FieldEnv{Name: f.Name, Field: f.FieldPath})
	}
}

func (v *values) scheduling(s *program.Settings, x *kfpspec.KubernetesExecutor) {
	if n := x.NodeSelector; n != nil {
		s.NodeSelector = pairs(n.Labels)
		s.NodeSelectorJSON = v.json(n.NodeSelectorJSON)
	}
	for _, t := range x.Tolerations {
		s.Tolerations = append(s.Tolerations, program.Toleration{Key: t.Key, Operator: t.Operator, Value: t.Value, Effect: t.Effect, Seconds: t.TolerationSeconds, JSON: v.json(t.TolerationJSON)})
	}
	for _, a := range x.NodeAffinity {
		s.NodeAffinity = append(s.NodeAffinity, program.Affinity{
			JSON: v.json(a.NodeAffinityJSON), Expressions: a.MatchExpressions, Fields: a.MatchFields, Weight: value(a.Weight),
		})
	}
	for _, a := range x.PodAffinity {
		s.PodAffinity = append(s.PodAffinity, program.Affinity{
			Expressions: a.MatchPodExpressions, Labels: a.MatchPodLabels, TopologyKey: a.TopologyKey, Namespaces: a.Namespaces,
			NamespaceWith: a.MatchNamespaceExpressions, NamespaceLabels: a.MatchNamespaceLabels, Weight: value(a.Weight), Anti: isTrue(a.Anti),
		})
	}
}

// json reads an object that is known at run time, if there is one.
func (v *values) json(p *kfpspec.InputParameter) *program.Value {
	if p == nil {
		return nil
	}
	o := v.object(p, "", kfptype.Struct)
	return &o
}

// pairs returns labels sorted by their keys.
func pairs(m map[string]string) []program.KeyValue {
	var all []program.KeyValue
	for _, k := range sorted(m) {
		all = append(all, program.KeyValue{Key: k, Value: *str(m[k])})
	}
	return all
}

// joins reports whether the writer would put a variable into the entry before it.
func joins(before []program.KeyEnv, object program.Value, optional *bool) bool {
	n := len(before)
	return n > 0 && before[n-1].Optional == isTrue(optional) && reflect.DeepEqual(before[n-1].Object, object)
}

func isTrue(b *bool) bool { return b != nil && *b }

func value(n *int32) int32 {
	if n == nil {
		return 0
	}
	return *n
}
