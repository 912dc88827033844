package program

import (
	"encoding/json"
	"slices"
)

// Kubernetes is what only Kubernetes knows of a task's pod. The fields are those of
// KFP's kubernetes_platform.KubernetesExecutorConfig. Names of objects may be
// references.
type Kubernetes struct {
	NodeSelector     []KeyValue   `json:"nodeSelector,omitempty" option:"node-selector" dsl:"k8s.NodeSelector" python:"kubernetes.add_node_selector"`
	NodeSelectorJSON *Value       `json:"nodeSelectorJSON,omitempty" option:"node-selector-json" row:"node-selector.json" dsl:"k8s.NodeSelectorJSON" python:"kubernetes.add_node_selector_json" file:"nodeSelectorJson" diff:"node selector"` // a whole selector that is known at run time
	Tolerations      []Toleration `json:"tolerations,omitempty" option:"toleration|toleration-json" row:"toleration|toleration.json" dsl:"k8s.Tolerate|k8s.TolerationJSON" python:"kubernetes.add_toleration|kubernetes.add_toleration_json" file:"tolerations|tolerationJson" diff:"toleration"`
	NodeAffinity     []Affinity   `json:"nodeAffinity,omitempty" option:"node-affinity|node-affinity-json" row:"node-affinity|node-affinity.json" dsl:"k8s.NodeAffinity|k8s.NodeAffinityJSON" python:"kubernetes.add_node_affinity|kubernetes.add_node_affinity_json" file:"nodeAffinity|nodeAffinityJson"`
	PodAffinity      []Affinity   `json:"podAffinity,omitempty" option:"pod-affinity" dsl:"k8s.PodAffinity,k8s.PodAntiAffinity"`

	PVCMounts        []PVCMount        `json:"pvcMounts,omitempty" option:"mount-pvc" dsl:"k8s.MountPVC" python:"kubernetes.mount_pvc" file:"pvcMount" diff:"claim at"`
	SecretVolumes    []ObjectVolume    `json:"secretVolumes,omitempty" option:"secret-volume" dsl:"k8s.SecretVolume" python:"kubernetes.use_secret_as_volume" file:"secretAsVolume" diff:"volume of secret"`
	ConfigMapVolumes []ObjectVolume    `json:"configMapVolumes,omitempty" option:"config-map-volume" dsl:"k8s.ConfigMapVolume" python:"kubernetes.use_config_map_as_volume" file:"configMapAsVolume" diff:"volume of config map"`
	EmptyDirs        []EmptyDir        `json:"emptyDirs,omitempty" option:"empty-dir" dsl:"k8s.EmptyDir" python:"kubernetes.empty_dir_mount" file:"emptyDirMounts" diff:"empty folder"`
	EphemeralVolumes []EphemeralVolume `json:"ephemeralVolumes,omitempty" option:"ephemeral-volume" dsl:"k8s.EphemeralVolume" python:"kubernetes.add_ephemeral_volume" file:"genericEphemeralVolume" diff:"ephemeral volume"`
	SharedMemory     *SharedMemory     `json:"sharedMemory,omitempty" option:"shared-memory" dsl:"k8s.SharedMemory"`

	SecretEnv    []KeyEnv   `json:"secretEnv,omitempty" option:"secret-env" dsl:"k8s.SecretEnv" python:"kubernetes.use_secret_as_env" file:"secretAsEnv" diff:"variable from a secret"`
	ConfigMapEnv []KeyEnv   `json:"configMapEnv,omitempty" option:"config-map-env" dsl:"k8s.ConfigMapEnv" python:"kubernetes.use_config_map_as_env" file:"configMapAsEnv" diff:"variable from a config map"`
	FieldEnv     []FieldEnv `json:"fieldEnv,omitempty" option:"field-env" dsl:"k8s.FieldEnv" python:"kubernetes.use_field_path_as_env" file:"fieldPathAsEnv" diff:"variable from a field"`

	// Labels and Annotations are those of the pod.
	Labels          []KeyValue       `json:"labels,omitempty" option:"label" dsl:"k8s.Label" python:"kubernetes.add_pod_label" file:"podMetadata.labels" diff:"pod label"`
	Annotations     []KeyValue       `json:"annotations,omitempty" option:"annotation" dsl:"k8s.Annotation" python:"kubernetes.add_pod_annotation" file:"podMetadata.annotations" diff:"pod annotation"`
	PullSecrets     []Value          `json:"pullSecrets,omitempty" option:"pull-secret" ref:"source.reference" dsl:"k8s.PullSecret" python:"kubernetes.set_image_pull_secrets" file:"imagePullSecret" diff:"pull secret"`
	PullPolicy      string           `json:"pullPolicy,omitempty" option:"pull-policy" dsl:"k8s.Pull" python:"kubernetes.set_image_pull_policy" file:"imagePullPolicy"` // Always, Never or IfNotPresent
	SecurityContext *SecurityContext `json:"securityContext,omitempty"`
	InitContainers  []InitContainer  `json:"initContainers,omitempty" option:"init-container" dsl:"k8s.InitContainer,k8s.Sidecar" python:"kubernetes.add_init_container" diff:"init container"`

	HostAliases []HostAlias `json:"hostAliases,omitempty" option:"host-aliases" dsl:"k8s.HostAliases" python:"set_host_aliases"`

	// PodPatch is a strategic merge patch of the pod's spec, as JSON. The task's own
	// container is called main in it.
	PodPatch json.RawMessage `json:"podPatch,omitempty" option:"pod-patch" dsl:"pod.Patch" file:"podSpecPatch"`
}

// PatchedContainers returns the names of the containers that a patch of a pod has, if
// it sets anything about them.
func PatchedContainers(patch json.RawMessage) []string {
	type container map[string]any
	var spec struct{ Containers, InitContainers []container }
	if patch == nil || json.Unmarshal(patch, &spec) != nil {
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
	Claim   Value  `json:"claim" ref:"claim.reference"`
	Path    string `json:"path"`
	SubPath string `json:"subPath,omitempty" dsl:"k8s.SubPath" row:"mount-pvc.sub-path"`
}

// KeyEnv sets an environment variable from a key of a secret or config map.
type KeyEnv struct {
	Name     string `json:"name"`
	Object   Value  `json:"object" ref:"source.reference"` // the name of the secret or config map
	Key      string `json:"key"`
	Optional bool   `json:"optional,omitempty" dsl:"k8s.Optional" row:"source.optional.env"` // the object or key may be missing

	// Apart keeps it out of the IR's entry of the variable before it, where that
	// is of the same object.
	Apart bool `json:"apart,omitempty"`
}

// An ObjectVolume mounts a secret or config map as a folder.
type ObjectVolume struct {
	Object   Value  `json:"object" ref:"source.reference"` // its name
	Path     string `json:"path"`
	Optional bool   `json:"optional,omitempty" dsl:"k8s.Optional" row:"source.optional"`
}

// FieldEnv sets an environment variable from a field of the pod.
type FieldEnv struct {
	Name  string `json:"name"`
	Field string `json:"field"` // metadata.name
}

// An EnvFrom is an environment variable that a pod takes from an object or from itself.
type EnvFrom struct {
	From  string // Secret, ConfigMap or Pod
	Field string // of the pod
	KeyEnv
}

// EnvFrom returns all of them, in the order in which a container has them.
func (k *Kubernetes) EnvFrom() (all []EnvFrom) {
	for _, e := range k.SecretEnv {
		all = append(all, EnvFrom{From: "Secret", KeyEnv: e})
	}
	for _, e := range k.ConfigMapEnv {
		all = append(all, EnvFrom{From: "ConfigMap", KeyEnv: e})
	}
	for _, e := range k.FieldEnv {
		all = append(all, EnvFrom{From: "Pod", Field: e.Field, KeyEnv: KeyEnv{Name: e.Name}})
	}
	return all
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
	Name string `json:"name,omitempty" fixed:"shm"` // of the volume
	Size string `json:"size,omitempty"`             // empty: half of the node's memory
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
	RunAsUser    *int64 `json:"runAsUser,omitempty" option:"run-as-user" row:"security-context" dsl:"k8s.RunAsUser" python:"kubernetes.set_security_context" file:"securityContext.runAsUser"`
	RunAsGroup   *int64 `json:"runAsGroup,omitempty" option:"run-as-group" row:"security-context" dsl:"k8s.RunAsGroup" python:"kubernetes.set_security_context" file:"securityContext.runAsGroup"`
	RunAsNonRoot *bool  `json:"runAsNonRoot,omitempty" option:"run-as-non-root" row:"security-context" dsl:"k8s.RunAsNonRoot" python:"kubernetes.set_security_context" file:"securityContext.runAsNonRoot"`
}

// A HostAlias gives names to an address in the pod.
type HostAlias struct {
	IP    string   `json:"ip"`
	Names []string `json:"names"`
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
	Key      string   `json:"key,omitempty"`
	Operator string   `json:"operator,omitempty"` // In, NotIn, Exists, DoesNotExist, Gt or Lt
	Values   []string `json:"values,omitempty"`
}

// An InitContainer runs before the step; with the restart policy Always it runs
// beside it, as a sidecar.
type InitContainer struct {
	Name          string            `json:"name"`
	Image         string            `json:"image"`
	Command       []string          `json:"command,omitempty"`
	Args          []string          `json:"args,omitempty" diff:"arguments"`
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
