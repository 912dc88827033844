package lower

import "github.com/kfpgo/kfpgo/internal/model/program"

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
