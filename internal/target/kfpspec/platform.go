package kfpspec

import "encoding/json"

// PlatformSpec is the second document of a file, if there is one.
type PlatformSpec struct {
	Platforms map[string]*Platform `json:"platforms"`
}

// Kubernetes is the name of the only platform.
const Kubernetes = "kubernetes"

// Platform holds the settings of executors, by label, and of the pipeline.
type Platform struct {
	DeploymentSpec *PlatformDeployment `json:"deploymentSpec,omitempty"`
	PipelineConfig *PipelineConfig     `json:"pipelineConfig,omitempty"`
}

// PlatformDeployment holds the settings of executors, by label.
type PlatformDeployment struct {
	Executors map[string]*KubernetesExecutor `json:"executors"`
}

// PipelineConfig is the settings of a whole pipeline.
type PipelineConfig struct {
	ActiveDeadlineSeconds   int        `json:"activeDeadlineSeconds,omitempty"`
	ResourceTTLOnCompletion int        `json:"resourceTtlOnCompletion,omitempty"`
	ResourceTTLOnSuccess    int        `json:"resourceTtlOnSuccess,omitempty"`
	ResourceTTLOnFailure    int        `json:"resourceTtlOnFailure,omitempty"`
	Workspace               *Workspace `json:"workspace,omitempty"`
}

// Workspace is a volume that the tasks of a run share.
type Workspace struct {
	Size       string               `json:"size"`
	Kubernetes *KubernetesWorkspace `json:"kubernetes,omitempty"`
}

// KubernetesWorkspace changes the claim of a workspace.
type KubernetesWorkspace struct {
	PVCSpecPatch json.RawMessage `json:"pvcSpecPatch,omitempty"`
}

// KubernetesExecutor is the Kubernetes settings of an executor. A name's
// parameter form is the one that servers since 2.4 read; the plain fields next
// to it are for older ones.
type KubernetesExecutor struct {
	SecretAsVolume         []SecretAsVolume     `json:"secretAsVolume,omitempty"`
	SecretAsEnv            []SecretAsEnv        `json:"secretAsEnv,omitempty"`
	PVCMount               []PVCMount           `json:"pvcMount,omitempty"`
	NodeSelector           *NodeSelector        `json:"nodeSelector,omitempty"`
	PodMetadata            *PodMetadata         `json:"podMetadata,omitempty"`
	ImagePullSecret        []ImagePullSecret    `json:"imagePullSecret,omitempty"`
	ImagePullPolicy        string               `json:"imagePullPolicy,omitempty"`
	ConfigMapAsVolume      []ConfigMapAsVolume  `json:"configMapAsVolume,omitempty"`
	ConfigMapAsEnv         []ConfigMapAsEnv     `json:"configMapAsEnv,omitempty"`
	ActiveDeadlineSeconds  int64                `json:"activeDeadlineSeconds,omitempty,string"`
	FieldPathAsEnv         []FieldPathAsEnv     `json:"fieldPathAsEnv,omitempty"`
	Tolerations            []Toleration         `json:"tolerations,omitempty"`
	GenericEphemeralVolume []EphemeralVolume    `json:"genericEphemeralVolume,omitempty"`
	NodeAffinity           []NodeAffinity       `json:"nodeAffinity,omitempty"`
	PodAffinity            []PodAffinity        `json:"podAffinity,omitempty"`
	EnabledSharedMemory    *EnabledSharedMemory `json:"enabledSharedMemory,omitempty"`
	EmptyDirMounts         []EmptyDirMount      `json:"emptyDirMounts,omitempty"`
	SecurityContext        *SecurityContext     `json:"securityContext,omitempty"`
	InitContainers         []InitContainer      `json:"initContainers,omitempty"`
}

// SecretAsVolume mounts a secret.
type SecretAsVolume struct {
	SecretName          string          `json:"secretName,omitempty"`
	SecretNameParameter *InputParameter `json:"secretNameParameter,omitempty"`
	MountPath           string          `json:"mountPath"`
	Optional            *bool           `json:"optional,omitempty"`
}

// SecretAsEnv sets environment variables from a secret.
type SecretAsEnv struct {
	SecretName          string          `json:"secretName,omitempty"`
	SecretNameParameter *InputParameter `json:"secretNameParameter,omitempty"`
	KeyToEnv            []SecretKeyEnv  `json:"keyToEnv"`
	Optional            *bool           `json:"optional,omitempty"`
}

// SecretKeyEnv is the key of a secret and the variable that it sets.
type SecretKeyEnv struct {
	SecretKey string `json:"secretKey"`
	EnvVar    string `json:"envVar"`
}

// PVCMount mounts a claim. The name of the claim stands in it twice: in the
// parameter, and in one of the three fields after it.
type PVCMount struct {
	PVCNameParameter        *InputParameter      `json:"pvcNameParameter,omitempty"`
	Constant                string               `json:"constant,omitempty"`
	ComponentInputParameter string               `json:"componentInputParameter,omitempty"`
	TaskOutputParameter     *TaskOutputParameter `json:"taskOutputParameter,omitempty"`
	MountPath               string               `json:"mountPath"`
	SubPath                 string               `json:"subPath,omitempty"`
}

// NodeSelector is the labels that a node must have.
type NodeSelector struct {
	Labels           map[string]string `json:"labels,omitempty"`
	NodeSelectorJSON *InputParameter   `json:"nodeSelectorJson,omitempty"`
}

// PodMetadata is the labels and annotations of a pod.
type PodMetadata struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
}

// ImagePullSecret names a secret for the image's registry.
type ImagePullSecret struct {
	SecretName          string          `json:"secretName,omitempty"`
	SecretNameParameter *InputParameter `json:"secretNameParameter,omitempty"`
}

// ConfigMapAsVolume mounts a config map.
type ConfigMapAsVolume struct {
	ConfigMapName          string          `json:"configMapName,omitempty"`
	ConfigMapNameParameter *InputParameter `json:"configMapNameParameter,omitempty"`
	MountPath              string          `json:"mountPath"`
	Optional               *bool           `json:"optional,omitempty"`
}

// ConfigMapAsEnv sets environment variables from a config map.
type ConfigMapAsEnv struct {
	ConfigMapName          string            `json:"configMapName,omitempty"`
	ConfigMapNameParameter *InputParameter   `json:"configMapNameParameter,omitempty"`
	KeyToEnv               []ConfigMapKeyEnv `json:"keyToEnv"`
	Optional               *bool             `json:"optional,omitempty"`
}

// ConfigMapKeyEnv is the key of a config map and the variable that it sets.
type ConfigMapKeyEnv struct {
	ConfigMapKey string `json:"configMapKey"`
	EnvVar       string `json:"envVar"`
}

// FieldPathAsEnv sets an environment variable from a field of the pod.
type FieldPathAsEnv struct {
	Name      string `json:"name"`
	FieldPath string `json:"fieldPath"`
}

// Toleration lets a pod run on nodes with a taint.
type Toleration struct {
	Key               string          `json:"key,omitempty"`
	Operator          string          `json:"operator,omitempty"`
	Value             string          `json:"value,omitempty"`
	Effect            string          `json:"effect,omitempty"`
	TolerationSeconds *int64          `json:"tolerationSeconds,omitempty,string"`
	TolerationJSON    *InputParameter `json:"tolerationJson,omitempty"`
}

// EphemeralVolume is a claim that lives as long as the pod.
type EphemeralVolume struct {
	VolumeName          string       `json:"volumeName"`
	MountPath           string       `json:"mountPath"`
	AccessModes         []string     `json:"accessModes,omitempty"`
	Size                string       `json:"size,omitempty"`
	DefaultStorageClass bool         `json:"defaultStorageClass,omitempty"`
	StorageClassName    string       `json:"storageClassName,omitempty"`
	Metadata            *PodMetadata `json:"metadata,omitempty"`
}

// EnabledSharedMemory is a memory volume at /dev/shm.
type EnabledSharedMemory struct {
	VolumeName string `json:"volumeName,omitempty"`
	Size       string `json:"size,omitempty"`
}

// EmptyDirMount mounts a folder that lives as long as the pod.
type EmptyDirMount struct {
	VolumeName string `json:"volumeName"`
	MountPath  string `json:"mountPath"`
	Medium     string `json:"medium,omitempty"`
	SizeLimit  string `json:"sizeLimit,omitempty"`
}

// SecurityContext is the user and group of a container.
type SecurityContext struct {
	RunAsUser    *int64 `json:"runAsUser,omitempty,string"`
	RunAsGroup   *int64 `json:"runAsGroup,omitempty,string"`
	RunAsNonRoot *bool  `json:"runAsNonRoot,omitempty"`
}
