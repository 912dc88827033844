package argo

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// sources sets variables from secrets, config maps and the pod's fields.
func (l *leaf) sources() {
	c := l.t.Container
	for _, e := range l.task.Settings.EnvFrom() {
		from := &corev1.EnvVarSource{}
		object := func(kind string) corev1.LocalObjectReference {
			return corev1.LocalObjectReference{Name: l.extra(fmt.Sprintf("kfpgo-%s-%d", kind, len(c.Env)), e.Object)}
		}
		switch e.From {
		case "Secret":
			from.SecretKeyRef = &corev1.SecretKeySelector{LocalObjectReference: object("secret"), Key: e.Key, Optional: optionalSource(e.Optional)}
		case "ConfigMap":
			from.ConfigMapKeyRef = &corev1.ConfigMapKeySelector{LocalObjectReference: object("config-map"), Key: e.Key, Optional: optionalSource(e.Optional)}
		default:
			from.FieldRef = &corev1.ObjectFieldSelector{FieldPath: e.Field}
		}
		c.Env = append(c.Env, corev1.EnvVar{Name: e.Name, ValueFrom: from})
	}
}

func optionalSource(optional bool) *bool {
	if !optional {
		return nil
	}
	return &optional
}

// volumes mounts what the task asks for. Names of claims, secrets and config maps
// may be known only at run time.
func (l *leaf) volumes() {
	s := &l.task.Settings
	claims := map[string]string{} // names of volumes, by claim
	for i, m := range s.PVCMounts {
		key := mustJSON(m.Claim)
		name, ok := claims[key]
		if !ok {
			name = fmt.Sprintf("claim-%d", i)
			claims[key] = name
			l.volume(name, corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: l.extra(fmt.Sprintf("kfpgo-claim-%d", i), m.Claim)}})
		}
		l.mount(name, m.Path, m.SubPath)
	}
	for i, v := range s.SecretVolumes {
		name := fmt.Sprintf("secret-%d", i)
		l.volume(name, corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{SecretName: l.extra("kfpgo-"+name+"-volume", v.Object), Optional: optionalSource(v.Optional)}})
		l.mount(name, v.Path, "")
	}
	for i, v := range s.ConfigMapVolumes {
		name := fmt.Sprintf("config-map-%d", i)
		l.volume(name, corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{
			LocalObjectReference: corev1.LocalObjectReference{Name: l.extra("kfpgo-"+name+"-volume", v.Object)}, Optional: optionalSource(v.Optional),
		}})
		l.mount(name, v.Path, "")
	}
	for i, v := range s.EmptyDirs {
		name := fmt.Sprintf("empty-dir-%d", i)
		l.volume(name, l.emptyDir(v.Medium, v.SizeLimit))
		l.mount(name, v.Path, "")
	}
	if m := s.SharedMemory; m != nil {
		l.volume("shared-memory", l.emptyDir("Memory", m.Size))
		l.mount("shared-memory", "/dev/shm", "")
	}
	for i, v := range s.EphemeralVolumes {
		name := fmt.Sprintf("ephemeral-%d", i)
		l.volume(name, l.ephemeral(v))
		l.mount(name, v.Path, "")
	}
}

func (l *leaf) volume(name string, source corev1.VolumeSource) {
	l.t.Volumes = append(l.t.Volumes, corev1.Volume{Name: name, VolumeSource: source})
}

func (l *leaf) mount(name, path, sub string) {
	l.t.Container.VolumeMounts = append(l.t.Container.VolumeMounts, corev1.VolumeMount{Name: name, MountPath: path, SubPath: sub})
}

func (l *leaf) emptyDir(medium, size string) corev1.VolumeSource {
	e := &corev1.EmptyDirVolumeSource{Medium: corev1.StorageMedium(medium)}
	if size != "" {
		q := l.quantity(size)
		e.SizeLimit = &q
	}
	return corev1.VolumeSource{EmptyDir: e}
}

func (l *leaf) ephemeral(v program.EphemeralVolume) corev1.VolumeSource {
	spec := corev1.PersistentVolumeClaimSpec{
		StorageClassName: v.StorageClass,
		Resources:        corev1.VolumeResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceStorage: l.quantity(v.Size)}},
	}
	for _, m := range v.AccessModes {
		spec.AccessModes = append(spec.AccessModes, corev1.PersistentVolumeAccessMode(m))
	}
	for _, key := range slices.Sorted(maps.Keys(v.Annotations)) {
		if strings.Contains(v.Annotations[key], "{{") {
			l.errorf("annotation %s of the volume %s: a value with {{ in it, which Argo would replace", key, v.Name)
		}
	}
	return corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{
		ObjectMeta: metav1.ObjectMeta{Labels: v.Labels, Annotations: v.Annotations}, Spec: spec,
	}}}
}

func (l *leaf) quantity(text string) resource.Quantity {
	q, err := resource.ParseQuantity(text)
	if err != nil {
		_, err = quantity.Parse(text)
		l.errorf("%v", err)
	}
	return q
}

// volumeNames returns the template's volumes by the names that the program's
// containers know them by.
func (l *leaf) volumeNames() map[string]string {
	s, names := &l.task.Settings, map[string]string{}
	object := func(v program.Value, name string) {
		if text, ok := v.Constant(); ok && names[text] == "" {
			names[text] = name
		}
	}
	for i, v := range s.EmptyDirs {
		names[v.Name] = fmt.Sprintf("empty-dir-%d", i)
	}
	for i, v := range s.EphemeralVolumes {
		names[v.Name] = fmt.Sprintf("ephemeral-%d", i)
	}
	if m := s.SharedMemory; m != nil && m.Name != "" {
		names[m.Name] = "shared-memory"
	}
	for i, m := range s.PVCMounts { // the first mount of a claim names its volume
		object(m.Claim, fmt.Sprintf("claim-%d", i))
	}
	for i, v := range s.SecretVolumes {
		object(v.Object, fmt.Sprintf("secret-%d", i))
	}
	for i, v := range s.ConfigMapVolumes {
		object(v.Object, fmt.Sprintf("config-map-%d", i))
	}
	return names
}

// initContainers adds those that run before and beside the step. Unlike in the
// step's own command, $(NAME) in them is Kubernetes'.
func (l *leaf) initContainers() {
	names := l.volumeNames()
	for _, c := range l.task.Settings.InitContainers {
		lb := false
		text := func(s string) string {
			lb = lb || strings.Contains(s, "{{")
			return strings.ReplaceAll(s, "{{", "{$("+bracket+")")
		}
		k := corev1.Container{Name: c.Name, Image: l.image(c.Image)}
		if c.RestartPolicy != "" {
			policy := corev1.ContainerRestartPolicy(c.RestartPolicy)
			k.RestartPolicy = &policy
		}
		for _, s := range c.Command {
			k.Command = append(k.Command, text(s))
		}
		for _, s := range c.Args {
			k.Args = append(k.Args, text(s))
		}
		for _, e := range c.Env {
			v, ok := e.Value.Constant()
			if !ok {
				l.errorf("container %s: variable %s is known only at run time; on Argo it must be a constant there", c.Name, e.Name)
			}
			k.Env = append(k.Env, corev1.EnvVar{Name: e.Name, Value: text(v)})
		}
		if lb {
			k.Env = append([]corev1.EnvVar{{Name: bracket, Value: "{"}}, k.Env...)
		}
		for _, m := range c.Mounts {
			if names[m.Name] == "" {
				l.errorf("container %s mounts the volume %s, which the task doesn't have", c.Name, m.Name)
			}
			k.VolumeMounts = append(k.VolumeMounts, corev1.VolumeMount{Name: names[m.Name], MountPath: m.Path})
		}
		k.Resources = corev1.ResourceRequirements{Limits: l.quantities(c.Limits), Requests: l.quantities(c.Requests)}
		l.t.InitContainers = append(l.t.InitContainers, wfv1.UserContainer{Container: k})
	}
}

func (l *leaf) quantities(m map[string]string) corev1.ResourceList {
	var list corev1.ResourceList
	for _, name := range slices.Sorted(maps.Keys(m)) {
		if list == nil {
			list = corev1.ResourceList{}
		}
		list[corev1.ResourceName(name)] = l.quantity(m[name])
	}
	return list
}
