package lower

import (
	"slices"

	"github.com/kfpgo/kfpgo/internal/model/program"
)

// kubernetes sets an option of package k8s, and reports whether it is one.
func (o operands) kubernetes(k *program.Kubernetes) bool {
	switch o.o.Name {
	case "node-selector-json":
		k.NodeSelectorJSON = o.ref(0)
	case "toleration":
		k.Tolerations = append(k.Tolerations, decoded[program.Toleration](o))
	case "toleration-json":
		k.Tolerations = append(k.Tolerations, program.Toleration{JSON: o.ref(0)})
	case "node-affinity":
		k.NodeAffinity = append(k.NodeAffinity, decoded[program.Affinity](o))
	case "node-affinity-json":
		// There is one, as in Python.
		k.NodeAffinity = slices.DeleteFunc(k.NodeAffinity, func(a program.Affinity) bool { return a.JSON != nil })
		k.NodeAffinity = append(k.NodeAffinity, program.Affinity{JSON: o.ref(0)})
	case "pod-affinity":
		k.PodAffinity = append(k.PodAffinity, decoded[program.Affinity](o))
	case "mount-pvc":
		m := program.PVCMount{Claim: o.value(0), Path: o.text(1)}
		if len(o.o.Args) > 2 {
			m.SubPath = o.text(2)
		}
		k.PVCMounts = append(k.PVCMounts, m)
	case "ephemeral-volume":
		k.EphemeralVolumes = append(k.EphemeralVolumes, decoded[program.EphemeralVolume](o))
	case "empty-dir":
		k.EmptyDirs = append(k.EmptyDirs, decoded[program.EmptyDir](o))
	case "shared-memory":
		k.SharedMemory = &program.SharedMemory{Name: "shm", Size: o.text(0)}
	case "secret-env":
		k.SecretEnv = append(k.SecretEnv, o.keyEnv())
	case "config-map-env":
		k.ConfigMapEnv = append(k.ConfigMapEnv, o.keyEnv())
	case "field-env":
		k.FieldEnv = append(k.FieldEnv, program.FieldEnv{Name: o.text(0), Field: o.text(1)})
	case "secret-volume":
		k.SecretVolumes = append(k.SecretVolumes, o.objectVolume())
	case "config-map-volume":
		k.ConfigMapVolumes = append(k.ConfigMapVolumes, o.objectVolume())
	case "pull-secret":
		k.PullSecrets = append(k.PullSecrets, o.value(0))
	case "pull-policy":
		k.PullPolicy = o.text(0)
	case "run-as-user":
		id := decoded[int64](o)
		o.security(k).RunAsUser = &id
	case "run-as-group":
		id := decoded[int64](o)
		o.security(k).RunAsGroup = &id
	case "run-as-non-root":
		only := decoded[bool](o)
		o.security(k).RunAsNonRoot = &only
	case "init-container":
		k.InitContainers = append(k.InitContainers, decoded[program.InitContainer](o))
	case "pod-patch":
		k.PodPatch = o.value(0).Const
	default:
		return false
	}
	return true
}

// decoded reads the first operand.
func decoded[T any](o operands) T {
	var v T
	o.decode(0, &v)
	return v
}

func (o operands) keyEnv() program.KeyEnv {
	return program.KeyEnv{Name: o.text(0), Object: o.value(1), Key: o.text(2), Optional: len(o.o.Args) > 3}
}

func (o operands) objectVolume() program.ObjectVolume {
	v := program.ObjectVolume{Object: o.value(0), Path: o.text(1)}
	o.decode(2, &v.Optional)
	return v
}

func (o operands) security(k *program.Kubernetes) *program.SecurityContext {
	if k.SecurityContext == nil {
		k.SecurityContext = &program.SecurityContext{}
	}
	return k.SecurityContext
}

// checkPod reports options of a task that don't go together: what Kubernetes
// would refuse when the pod is made, and what KFP would ignore.
func (p *pipelineLowering) checkPod(t *program.Task) {
	k := &t.Settings.Kubernetes
	if k.NodeSelectorJSON != nil && len(k.NodeSelector) > 0 {
		p.errorf(t.Pos, "task %s: both k8s.NodeSelector and k8s.NodeSelectorJSON, which is the whole selector; use one", t.Name)
	}
	paths, names := map[string]string{}, map[string]bool{}
	mount := func(at, what string) {
		if other := paths[at]; other != "" {
			p.errorf(t.Pos, "task %s: %s and %s are both mounted at %s; mount one of them elsewhere", t.Name, other, what, at)
		}
		paths[at] = what
	}
	own := func(name, at, what string) {
		if names[name] {
			p.errorf(t.Pos, "task %s: two volumes are named %s; give one of them another name", t.Name, name)
		}
		names[name] = true
		mount(at, what+" "+name)
	}
	for _, v := range k.EmptyDirs {
		own(v.Name, v.Path, "the EmptyDir")
	}
	for _, v := range k.EphemeralVolumes {
		own(v.Name, v.Path, "the EphemeralVolume")
	}
	object := func(v program.Value, at, what string) {
		text, ok := v.Constant()
		if ok {
			names[text] = true
		}
		mount(at, what+" "+text)
	}
	for _, v := range k.PVCMounts {
		object(v.Claim, v.Path, "the claim")
	}
	for _, v := range k.SecretVolumes {
		object(v.Object, v.Path, "the secret")
	}
	for _, v := range k.ConfigMapVolumes {
		object(v.Object, v.Path, "the config map")
	}
	containers := map[string]bool{}
	for _, c := range k.InitContainers {
		if containers[c.Name] {
			p.errorf(t.Pos, "task %s: two containers are named %s; give one of them another name", t.Name, c.Name)
		}
		containers[c.Name] = true
		for _, m := range c.Mounts {
			if !names[m.Name] {
				p.errorf(t.Pos, "task %s: container %s mounts the volume %s, which the task doesn't have; mount it in the task too, with k8s.EmptyDir, k8s.EphemeralVolume, k8s.MountPVC, k8s.SecretVolume or k8s.ConfigMapVolume of a constant name", t.Name, c.Name, m.Name)
			}
		}
	}
}
