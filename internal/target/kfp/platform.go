package kfp

import (
	"reflect"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
)

// kubernetes returns the settings of a task that only Kubernetes knows, or nil.
func (w *writer) kubernetes(c *program.Component, t *program.Task) *kfpspec.KubernetesExecutor {
	s, at := &t.Settings, place{w, t}
	if !onlyKubernetes(s) || c.DAG != nil || c.Exec == nil || c.Exec.Importer != nil || builtin(c) != "" {
		return nil
	}
	k := &kfpspec.KubernetesExecutor{ActiveDeadlineSeconds: s.TimeoutSecs, ImagePullPolicy: s.PullPolicy}
	w.volumes(at, &s.Kubernetes, k)
	w.sources(at, &s.Kubernetes, k)
	w.scheduling(at, &s.Kubernetes, k)
	for _, v := range s.PullSecrets {
		secret, name := w.name(at, "k8s.PullSecret", v)
		k.ImagePullSecret = append(k.ImagePullSecret, kfpspec.ImagePullSecret{SecretName: secret, SecretNameParameter: name})
	}
	if s.Labels != nil || s.Annotations != nil {
		k.PodMetadata = &kfpspec.PodMetadata{Labels: w.labels(at, "label.reference", s.Labels), Annotations: w.labels(at, "annotation.reference", s.Annotations)}
	}
	if c := s.SecurityContext; c != nil {
		k.SecurityContext = &kfpspec.SecurityContext{RunAsUser: c.RunAsUser, RunAsGroup: c.RunAsGroup, RunAsNonRoot: c.RunAsNonRoot}
	}
	for _, c := range s.InitContainers {
		k.InitContainers = append(k.InitContainers, w.initContainer(at, c))
	}
	return k
}

// onlyKubernetes reports whether there are settings for the second document.
func onlyKubernetes(s *program.Settings) bool {
	return s.TimeoutSecs != 0 || !reflect.DeepEqual(s.Kubernetes, program.Kubernetes{})
}

// volumes sets what the container mounts, but for secrets and config maps.
func (w *writer) volumes(at place, s *program.Kubernetes, k *kfpspec.KubernetesExecutor) {
	for _, m := range s.PVCMounts {
		p := kfpspec.PVCMount{MountPath: m.Path, SubPath: m.SubPath}
		claim := w.nameParameter(at, "k8s.MountPVC", m.Claim)
		if claim != nil {
			p.Constant, _ = m.Claim.Constant()
			p.ComponentInputParameter, p.TaskOutputParameter = claim.ComponentInputParameter, claim.TaskOutputParameter
		}
		p.PVCNameParameter = claim
		k.PVCMount = append(k.PVCMount, p)
	}
	for _, v := range s.EphemeralVolumes {
		e := kfpspec.EphemeralVolume{VolumeName: v.Name, MountPath: v.Path, AccessModes: v.AccessModes, Size: v.Size, DefaultStorageClass: v.StorageClass == nil}
		if v.StorageClass != nil {
			e.StorageClassName = *v.StorageClass
		}
		if len(v.Labels)+len(v.Annotations) > 0 {
			e.Metadata = &kfpspec.PodMetadata{Labels: v.Labels, Annotations: v.Annotations}
		}
		k.GenericEphemeralVolume = append(k.GenericEphemeralVolume, e)
	}
	for _, v := range s.EmptyDirs {
		k.EmptyDirMounts = append(k.EmptyDirMounts, kfpspec.EmptyDirMount{VolumeName: v.Name, MountPath: v.Path, Medium: v.Medium, SizeLimit: v.SizeLimit})
	}
	if m := s.SharedMemory; m != nil {
		k.EnabledSharedMemory = &kfpspec.EnabledSharedMemory{VolumeName: m.Name, Size: m.Size}
	}
}

// sources sets what comes from secrets, config maps and the pod's fields.
func (w *writer) sources(at place, s *program.Kubernetes, k *kfpspec.KubernetesExecutor) {
	for _, v := range s.SecretVolumes {
		text, name := w.name(at, "k8s.SecretVolume", v.Object)
		k.SecretAsVolume = append(k.SecretAsVolume, kfpspec.SecretAsVolume{SecretName: text, SecretNameParameter: name, MountPath: v.Path, Optional: &v.Optional})
	}
	for _, v := range s.ConfigMapVolumes {
		text, name := w.name(at, "k8s.ConfigMapVolume", v.Object)
		k.ConfigMapAsVolume = append(k.ConfigMapAsVolume, kfpspec.ConfigMapAsVolume{ConfigMapName: text, ConfigMapNameParameter: name, MountPath: v.Path, Optional: &v.Optional})
	}
	for i, e := range s.SecretEnv {
		if n := len(k.SecretAsEnv); i > 0 && sameObject(e, s.SecretEnv[i-1]) {
			k.SecretAsEnv[n-1].KeyToEnv = append(k.SecretAsEnv[n-1].KeyToEnv, kfpspec.SecretKeyEnv{SecretKey: e.Key, EnvVar: e.Name})
			continue
		}
		text, name := w.name(at, "k8s.SecretEnv", e.Object)
		k.SecretAsEnv = append(k.SecretAsEnv, kfpspec.SecretAsEnv{SecretName: text, SecretNameParameter: name, Optional: &e.Optional,
			KeyToEnv: []kfpspec.SecretKeyEnv{{SecretKey: e.Key, EnvVar: e.Name}}})
	}
	for i, e := range s.ConfigMapEnv {
		if n := len(k.ConfigMapAsEnv); i > 0 && sameObject(e, s.ConfigMapEnv[i-1]) {
			k.ConfigMapAsEnv[n-1].KeyToEnv = append(k.ConfigMapAsEnv[n-1].KeyToEnv, kfpspec.ConfigMapKeyEnv{ConfigMapKey: e.Key, EnvVar: e.Name})
			continue
		}
		text, name := w.name(at, "k8s.ConfigMapEnv", e.Object)
		k.ConfigMapAsEnv = append(k.ConfigMapAsEnv, kfpspec.ConfigMapAsEnv{ConfigMapName: text, ConfigMapNameParameter: name, Optional: &e.Optional,
			KeyToEnv: []kfpspec.ConfigMapKeyEnv{{ConfigMapKey: e.Key, EnvVar: e.Name}}})
	}
	for _, f := range s.FieldEnv {
		k.FieldPathAsEnv = append(k.FieldPathAsEnv, kfpspec.FieldPathAsEnv{Name: f.Name, FieldPath: f.Field})
	}
}

// sameObject reports whether two variables can stand in one entry, as those of
// one call in Python do.
func sameObject(a, b program.KeyEnv) bool {
	return !a.Apart && a.Optional == b.Optional && reflect.DeepEqual(a.Object, b.Object)
}

// scheduling sets where the pod runs.
func (w *writer) scheduling(at place, s *program.Kubernetes, k *kfpspec.KubernetesExecutor) {
	if s.NodeSelector != nil || s.NodeSelectorJSON != nil {
		k.NodeSelector = &kfpspec.NodeSelector{Labels: w.labels(at, "node-selector.reference", s.NodeSelector)}
		if v := s.NodeSelectorJSON; v != nil {
			k.NodeSelector.NodeSelectorJSON = w.nameParameter(at, "k8s.NodeSelectorJSON", *v)
		}
	}
	for _, t := range s.Tolerations {
		tol := kfpspec.Toleration{Key: t.Key, Operator: t.Operator, Value: t.Value, Effect: t.Effect, TolerationSeconds: t.Seconds}
		if t.JSON != nil {
			tol.TolerationJSON = w.nameParameter(at, "k8s.TolerationJSON", *t.JSON)
		}
		k.Tolerations = append(k.Tolerations, tol)
	}
	for _, a := range s.NodeAffinity {
		term := kfpspec.NodeAffinity{MatchExpressions: a.Expressions, MatchFields: a.Fields, Weight: weight(a.Weight)}
		if a.JSON != nil {
			term.NodeAffinityJSON = w.nameParameter(at, "k8s.NodeAffinityJSON", *a.JSON)
		}
		k.NodeAffinity = append(k.NodeAffinity, term)
	}
	for _, a := range s.PodAffinity {
		term := kfpspec.PodAffinity{
			MatchPodExpressions: a.Expressions, MatchPodLabels: a.Labels, TopologyKey: a.TopologyKey, Namespaces: a.Namespaces,
			MatchNamespaceExpressions: a.NamespaceWith, MatchNamespaceLabels: a.NamespaceLabels, Weight: weight(a.Weight),
		}
		if a.Anti {
			term.Anti = &a.Anti
		}
		k.PodAffinity = append(k.PodAffinity, term)
	}
}

// weight returns nil for a must.
func weight(n int32) *int32 {
	if n == 0 {
		return nil
	}
	return &n
}

func (w *writer) initContainer(at place, c program.InitContainer) kfpspec.InitContainer {
	k := kfpspec.InitContainer{Name: c.Name, Image: w.imageText(at, c.Image), RestartPolicy: c.RestartPolicy}
	for _, text := range c.Command {
		k.Command = append(k.Command, w.imageText(at, text))
	}
	for _, text := range c.Args {
		k.Args = append(k.Args, w.imageText(at, text))
	}
	for _, e := range c.Env {
		v, ok := e.Value.Constant()
		if !ok {
			at.errorf("container %s: variable %s: KFP takes a constant, not a reference", c.Name, e.Name)
		}
		k.Env = append(k.Env, kfpspec.EnvVar{Name: e.Name, Value: v})
	}
	for _, m := range c.Mounts {
		k.VolumeMounts = append(k.VolumeMounts, kfpspec.VolumeMount{VolumeName: m.Name, MountPath: m.Path})
	}
	if len(c.Requests)+len(c.Limits) > 0 {
		k.Resources = &kfpspec.InitResources{Requests: c.Requests, Limits: c.Limits}
	}
	return k
}

// name returns the name of an object: a string for old servers, if it is known,
// and what the newer ones read.
func (w *writer) name(at place, knob string, v program.Value) (string, *kfpspec.InputParameter) {
	text, _ := v.Constant()
	return text, w.nameParameter(at, knob, v)
}

// nameParameter returns a constant or a whole reference. KFP's server takes
// nothing else there.
func (w *writer) nameParameter(at place, knob string, v program.Value) *kfpspec.InputParameter {
	switch {
	case v.Kind == program.Const:
		c, err := w.constant(v.Const, v.Type.Name)
		if err != nil {
			at.errorf("%s: %v", knob, err)
		}
		return &kfpspec.InputParameter{RuntimeValue: &kfpspec.ValueOrParameter{Constant: c}}
	case v.Kind == program.Format, len(v.Field) > 0:
		at.errorf("%s: KFP takes a constant or a whole parameter there, not a part of one or a string with references in it", knob)
		return nil
	}
	return w.reference(at, knob, v)
}

// labels returns the constants of labels.
func (w *writer) labels(at place, row string, kvs []program.KeyValue) map[string]string {
	var m map[string]string
	for _, kv := range kvs {
		text, ok := kv.Value.Constant()
		if !ok {
			at.refuse(row)
		}
		kfpspec.Put(&m, kv.Key, text)
	}
	return m
}
