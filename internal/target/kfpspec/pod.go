package kfpspec

import "github.com/kfpgo/kfpgo/internal/model/program"

// NodeAffinity is a term that nodes must meet or, with a weight, should. The
// JSON is Kubernetes' whole NodeAffinity, in place of the rest.
type NodeAffinity struct {
	MatchExpressions []Requirement   `json:"matchExpressions,omitempty"`
	MatchFields      []Requirement   `json:"matchFields,omitempty"`
	Weight           *int32          `json:"weight,omitempty"`
	NodeAffinityJSON *InputParameter `json:"nodeAffinityJson,omitempty"`
}

// PodAffinity is a term about the pods that run on the same node, zone or
// whatever the topology key names.
type PodAffinity struct {
	MatchPodExpressions       []Requirement     `json:"matchPodExpressions,omitempty"`
	MatchPodLabels            map[string]string `json:"matchPodLabels,omitempty"`
	TopologyKey               string            `json:"topologyKey,omitempty"`
	Namespaces                []string          `json:"namespaces,omitempty"`
	MatchNamespaceExpressions []Requirement     `json:"matchNamespaceExpressions,omitempty"`
	MatchNamespaceLabels      map[string]string `json:"matchNamespaceLabels,omitempty"`
	Weight                    *int32            `json:"weight,omitempty"`
	Anti                      *bool             `json:"anti,omitempty"`
}

// Requirement is what a label or field must be, as Kubernetes says it.
type Requirement = program.Requirement

// InitContainer runs before the container, or beside it if it is to be
// restarted always. Servers up to 2.17 don't know it.
type InitContainer struct {
	Name          string         `json:"name,omitempty"`
	Image         string         `json:"image,omitempty"`
	Command       []string       `json:"command,omitempty"`
	Args          []string       `json:"args,omitempty"`
	Env           []EnvVar       `json:"env,omitempty"`
	VolumeMounts  []VolumeMount  `json:"volumeMounts,omitempty"`
	RestartPolicy string         `json:"restartPolicy,omitempty"`
	Resources     *InitResources `json:"resources,omitempty"`
}

// VolumeMount mounts a volume of the pod.
type VolumeMount struct {
	VolumeName string `json:"volumeName,omitempty"`
	MountPath  string `json:"mountPath,omitempty"`
}

// InitResources is the quantities of an init container.
type InitResources struct {
	Requests map[string]string `json:"requests,omitempty"`
	Limits   map[string]string `json:"limits,omitempty"`
}
