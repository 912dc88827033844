// Package pod describes the pods that jobs run, in the words of a container: what
// the components for jobs, Volcano, the training operator and others take as one
// typed parameter.
//
//	pod.Spec{Image: "ghcr.io/acme/train:3", Command: []string{"python", "train.py"}, GPUs: 1, Mounts: []pod.Mount{pod.Claim("data", "/data")}}
package pod

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// A Spec is a container and what it needs. Image is all that must be set.
type Spec struct {
	Image   string            `json:"image"`
	Command []string          `json:"command,omitempty"`
	Args    []string          `json:"args,omitempty"`
	Env     map[string]string `json:"env,omitempty"`
	WorkDir string            `json:"workDir,omitempty"`

	CPU    string `json:"cpu,omitempty"`    // such as 4 or 500m: request and limit
	Memory string `json:"memory,omitempty"` // such as 8Gi: request and limit
	GPUs   int    `json:"gpus,omitempty"`
	GPU    string `json:"gpu,omitempty"` // the resource; empty: nvidia.com/gpu

	Mounts []Mount        `json:"mounts,omitempty"`
	Shm    string         `json:"shm,omitempty"`   // size of /dev/shm, which data loaders of PyTorch fill
	Ports  map[string]int `json:"ports,omitempty"` // of the container, by name

	Labels         map[string]string `json:"labels,omitempty"`
	Annotations    map[string]string `json:"annotations,omitempty"`
	NodeSelector   map[string]string `json:"nodeSelector,omitempty"`
	Tolerate       []string          `json:"tolerate,omitzero"`  // keys of taints; nil: that of the GPU, if there is one
	Affinity       map[string]any    `json:"affinity,omitempty"` // Kubernetes' names: nodeAffinity, podAffinity, podAntiAffinity
	ServiceAccount string            `json:"serviceAccount,omitempty"`
	PullSecrets    []string          `json:"pullSecrets,omitempty"`
	PullPolicy     string            `json:"pullPolicy,omitempty"`
	HostNetwork    bool              `json:"hostNetwork,omitempty"`

	// Patch is merged over the pod's spec, for what has no field here: Kubernetes' names.
	// Containers and volumes are merged with those of the same name.
	Patch map[string]any `json:"patch,omitempty"`
}

// A Mount is a volume at a path of the container: Volume is one of Kubernetes'
// volume sources.
type Mount struct {
	Path     string         `json:"path"`
	SubPath  string         `json:"subPath,omitempty"`
	ReadOnly bool           `json:"readOnly,omitempty"`
	Volume   map[string]any `json:"volume"`
}

// Claim mounts a persistent volume claim.
func Claim(name, path string) Mount {
	return Mount{Path: path, Volume: map[string]any{"persistentVolumeClaim": map[string]any{"claimName": name}}}
}

// HostPath mounts a folder of the node.
func HostPath(folder, path string) Mount {
	return Mount{Path: path, Volume: map[string]any{"hostPath": map[string]any{"path": folder}}}
}

// NFS mounts a folder of an NFS server.
func NFS(server, folder, path string) Mount {
	return Mount{Path: path, Volume: map[string]any{"nfs": map[string]any{"server": server, "path": folder}}}
}

// Secret mounts a secret, a file for each key.
func Secret(name, path string) Mount {
	return Mount{Path: path, ReadOnly: true, Volume: map[string]any{"secret": map[string]any{"secretName": name}}}
}

// EmptyDir mounts a folder that lives as long as the pod.
func EmptyDir(path string) Mount {
	return Mount{Path: path, Volume: map[string]any{"emptyDir": map[string]any{}}}
}

// SHM and containers have names of their own in a pod.
const shmVolume = "shm"

// Template returns a PodTemplateSpec with one container of the given name, which
// operators look for, and the restart policy.
func (s Spec) Template(container, restart string) map[string]any {
	c := map[string]any{"name": container, "image": s.Image}
	set(c, "command", s.Command, len(s.Command) > 0)
	set(c, "args", s.Args, len(s.Args) > 0)
	set(c, "workingDir", s.WorkDir, s.WorkDir != "")
	set(c, "imagePullPolicy", s.PullPolicy, s.PullPolicy != "")
	set(c, "env", s.env(), len(s.Env) > 0)
	set(c, "resources", s.Resources(), len(s.Resources()) > 0)
	set(c, "ports", s.ports(), len(s.Ports) > 0)
	spec := s.placement().Fields()
	set(spec, "restartPolicy", restart, restart != "")
	var mounts, volumes []any
	for i, m := range s.Mounts {
		name := "volume-" + strconv.Itoa(i+1)
		vm := map[string]any{"name": name, "mountPath": m.Path}
		set(vm, "subPath", m.SubPath, m.SubPath != "")
		set(vm, "readOnly", true, m.ReadOnly)
		v := map[string]any{"name": name}
		maps.Copy(v, m.Volume)
		mounts, volumes = append(mounts, vm), append(volumes, v)
	}
	if s.Shm != "" {
		mounts = append(mounts, map[string]any{"name": shmVolume, "mountPath": "/dev/shm"})
		volumes = append(volumes, map[string]any{"name": shmVolume, "emptyDir": map[string]any{"medium": "Memory", "sizeLimit": s.Shm}})
	}
	set(c, "volumeMounts", mounts, len(mounts) > 0)
	set(spec, "volumes", volumes, len(volumes) > 0)
	var secrets []any
	for _, name := range s.PullSecrets {
		secrets = append(secrets, map[string]any{"name": name})
	}
	set(spec, "imagePullSecrets", secrets, len(secrets) > 0)
	set(spec, "serviceAccountName", s.ServiceAccount, s.ServiceAccount != "")
	set(spec, "hostNetwork", true, s.HostNetwork)
	spec["containers"] = []any{c}
	t := map[string]any{"spec": merge(spec, s.Patch)}
	meta := map[string]any{}
	set(meta, "labels", s.Labels, len(s.Labels) > 0)
	set(meta, "annotations", s.Annotations, len(s.Annotations) > 0)
	set(t, "metadata", meta, len(meta) > 0)
	return t
}

// Resources returns the container's ResourceRequirements.
func (s Spec) Resources() map[string]any { return s.placement().Resources() }

func (s Spec) ports() (list []any) {
	for _, name := range slices.Sorted(maps.Keys(s.Ports)) {
		list = append(list, map[string]any{"name": name, "containerPort": s.Ports[name]})
	}
	return list
}

func (s Spec) env() (list []any) {
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		list = append(list, map[string]any{"name": name, "value": s.Env[name]})
	}
	return list
}

// With returns the spec with more arguments and variables.
func (s Spec) With(args []string, env map[string]string) Spec {
	s.Args = slices.Concat(s.Args, args)
	s.Env = maps.Clone(s.Env)
	if s.Env == nil {
		s.Env = map[string]string{}
	}
	maps.Copy(s.Env, env)
	return s
}

// anyMap returns a map that a patch can be merged into.
func anyMap(of map[string]string) map[string]any {
	m := map[string]any{}
	for k, v := range of {
		m[k] = v
	}
	return m
}

func set(m map[string]any, key string, v any, given bool) {
	if given {
		m[key] = v
	}
}

// keys are the lists that are merged, and the keys of their elements; those
// without are put together.
var keys = map[string]string{
	"containers": "name", "initContainers": "name", "volumes": "name", "imagePullSecrets": "name",
	"env": "name", "volumeMounts": "mountPath", "ports": "containerPort", "tolerations": "", "envFrom": "",
}

// merge puts one object over another: maps are merged, and so are lists whose
// elements have keys, as Kubernetes does. Other values are replaced.
func merge(m, over map[string]any) map[string]any {
	for k, v := range over {
		have := m[k]
		if list := elements(v); len(list) > 0 {
			if key, ok := keys[k]; ok {
				m[k] = mergeLists(elements(have), list, key)
				continue
			}
		}
		if inner, ok := v.(map[string]any); ok {
			if have, ok := have.(map[string]any); ok {
				m[k] = merge(have, inner)
				continue
			}
		}
		m[k] = v
	}
	return m
}

func mergeLists(have, over []any, key string) []any {
	all := slices.Clone(have)
	for _, o := range over {
		i := slices.IndexFunc(all, func(h any) bool { return key != "" && of(h, key) != "" && of(h, key) == of(o, key) })
		if i < 0 {
			all = append(all, o)
			continue
		}
		h, _ := all[i].(map[string]any)
		o, _ := o.(map[string]any)
		all[i] = merge(maps.Clone(h), o)
	}
	return all
}

// elements returns a list of any type as one of any.
func elements(v any) (list []any) {
	switch v := v.(type) {
	case []any:
		return v
	case []map[string]any:
		for _, e := range v {
			list = append(list, e)
		}
	}
	return list
}

// of returns the text of a field of an element, or "".
func of(element any, field string) string {
	m, _ := element.(map[string]any)
	if v, ok := m[field]; ok {
		return fmt.Sprint(v)
	}
	return ""
}
