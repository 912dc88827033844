package program

import (
	"encoding/json"
	"slices"
)

// Kubernetes is what only Kubernetes knows of a task's pod. The fields are those of
// KFP's kubernetes_platform.KubernetesExecutorConfig. Names of objects may be
// references.
type Kubernetes struct {
	NodeSelector     []KeyValue   `json:"nodeSelector,omitempty"`
	NodeSelectorJSON *Value       `json:"nodeSelectorJSON,omitempty"` // a whole selector that is known at run time
	NodeAffinity     []Affinity   `json:"nodeAffinity,omitempty"`
	PodAffinity      []Affinity   `json:"podAffinity,omitempty"`
	Tolerations      []Toleration `json:"tolerations,omitempty"`

	PVCMounts        []PVCMount        `json:"pvcMounts,omitempty"`
	EphemeralVolumes []EphemeralVolume `json:"ephemeralVolumes,omitempty"`
	EmptyDirs        []EmptyDir        `json:"emptyDirs,omitempty"`
	SharedMemory     *SharedMemory     `json:"sharedMemory,omitempty"`

	SecretEnv        []KeyEnv       `json:"secretEnv,omitempty"`
	SecretVolumes    []ObjectVolume `json:"secretVolumes,omitempty"`
	ConfigMapEnv     []KeyEnv       `json:"configMapEnv,omitempty"`
	ConfigMapVolumes []ObjectVolume `json:"configMapVolumes,omitempty"`
	FieldEnv         []FieldEnv     `json:"fieldEnv,omitempty"`

	Labels          []KeyValue       `json:"labels,omitempty"`      // of the pod
	Annotations     []KeyValue       `json:"annotations,omitempty"` // of the pod
	PullSecrets     []Value          `json:"pullSecrets,omitempty"`
	PullPolicy      string           `json:"pullPolicy,omitempty"` // Always, Never or IfNotPresent
	SecurityContext *SecurityContext `json:"securityContext,omitempty"`
	InitContainers  []InitContainer  `json:"initContainers,omitempty"`

	// PodPatch is a strategic merge patch of the pod's spec, as JSON. The task's own
	// container is called main in it.
	PodPatch json.RawMessage `json:"podPatch,omitempty"`
}

// PatchedContainers returns the names of the containers that the patch of the pod
// has, if it sets anything about them.
func (k *Kubernetes) PatchedContainers() []string {
	type container map[string]any
	var spec struct{ Containers, InitContainers []container }
	if k.PodPatch == nil || json.Unmarshal(k.PodPatch, &spec) != nil {
		return nil
	}
	var names []string
	for _, c := range slices.Concat(spec.Containers, spec.InitContainers) {
		if name, _ := c["name"].(string); len(c) > 1 {
			names = append(names, name)
		}
	}
	return names
}

// A Toleration is Kubernetes' own, or all of it is JSON that is known at run time.
type Toleration struct {
	JSON     *Value `json:"json,omitempty"` // alone
	Key      string `json:"key,omitempty"`
	Operator string `json:"operator,omitempty"`
	Value    string `json:"value,omitempty"`
	Effect   string `json:"effect,omitempty"`
	Seconds  *int64 `json:"tolerationSeconds,omitempty"`
}

// A PVCMount mounts a claim in the pod.
type PVCMount struct {
	Claim   Value  `json:"claim"`
	Path    string `json:"path"`
	SubPath string `json:"subPath,omitempty"`
}

// KeyEnv sets an environment variable from a key of a secret or config map.
type KeyEnv struct {
	Name     string `json:"name"`
	Object   Value  `json:"object"` // the name of the secret or config map
	Key      string `json:"key"`
	Optional bool   `json:"optional,omitempty"` // the object or key may be missing

	// Apart keeps it out of the IR's entry of the variable before it, where that
	// is of the same object.
	Apart bool `json:"apart,omitempty"`
}

// An ObjectVolume mounts a secret or config map as a folder.
type ObjectVolume struct {
	Object   Value  `json:"object"` // its name
	Path     string `json:"path"`
	Optional bool   `json:"optional,omitempty"`
}

// FieldEnv sets an environment variable from a field of the pod.
type FieldEnv struct {
	Name  string `json:"name"`
	Field string `json:"field"` // metadata.name
}

// An EmptyDir is an empty folder that lives as long as the pod.
type EmptyDir struct {
	Name      string `json:"name,omitempty"`
	Path      string `json:"path"`
	Medium    string `json:"medium,omitempty"` // Memory
	SizeLimit string `json:"sizeLimit,omitempty"`
}

// SharedMemory is /dev/shm of a size.
type SharedMemory struct {
	Name string `json:"name,omitempty"` // of the volume
	Size string `json:"size,omitempty"` // empty: half of the node's memory
}

// An EphemeralVolume is a claim that lives as long as the pod.
type EphemeralVolume struct {
	Name         string            `json:"name"`
	Path         string            `json:"path"`
	AccessModes  []string          `json:"accessModes,omitempty"`
	Size         string            `json:"size"`
	StorageClass *string           `json:"storageClass,omitempty"` // nil: the cluster's default
	Labels       map[string]string `json:"labels,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

// A SecurityContext is that of the main container. Nil: the image's.
type SecurityContext struct {
	RunAsUser    *int64 `json:"runAsUser,omitempty"`
	RunAsGroup   *int64 `json:"runAsGroup,omitempty"`
	RunAsNonRoot *bool  `json:"runAsNonRoot,omitempty"`
}

// An Affinity is one term, or all of it is JSON that is known at run time.
type Affinity struct {
	JSON *Value `json:"json,omitempty"` // alone

	Expressions []Requirement `json:"expressions,omitempty"` // labels of nodes or pods
	Fields      []Requirement `json:"fields,omitempty"`      // of nodes
	Weight      int32         `json:"weight,omitempty"`      // 1 to 100: preferred; 0: required

	// Of pods only.
	Labels          map[string]string `json:"labels,omitempty"` // that they have, beside Expressions
	Anti            bool              `json:"anti,omitempty"`   // away from them
	TopologyKey     string            `json:"topologyKey,omitempty"`
	Namespaces      []string          `json:"namespaces,omitempty"`
	NamespaceLabels map[string]string `json:"namespaceLabels,omitempty"`
	NamespaceWith   []Requirement     `json:"namespaceWith,omitempty"`
}

// A Requirement is one of a label or field selector.
type Requirement struct {
	Key      string   `json:"key"`
	Operator string   `json:"operator"` // In, NotIn, Exists, DoesNotExist, Gt or Lt
	Values   []string `json:"values,omitempty"`
}

// An InitContainer runs before the step; with the restart policy Always it runs
// beside it, as a sidecar.
type InitContainer struct {
	Name          string            `json:"name"`
	Image         string            `json:"image"`
	Command       []string          `json:"command,omitempty"`
	Args          []string          `json:"args,omitempty"`
	Env           []Env             `json:"env,omitempty"` // constants
	Mounts        []VolumeMount     `json:"mounts,omitempty"`
	RestartPolicy string            `json:"restartPolicy,omitempty"` // Always, or empty
	Limits        map[string]string `json:"limits,omitempty"`
	Requests      map[string]string `json:"requests,omitempty"`
}

// A VolumeMount mounts a volume of the pod, by its name: that of an EmptyDir or
// EphemeralVolume, or of the claim, secret or config map, where it is a constant.
type VolumeMount struct {
	Name string `json:"name"`
	Path string `json:"path"`
}
