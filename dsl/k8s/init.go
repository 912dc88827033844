package k8s

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A Container is one beside the task's own in its pod.
type Container struct {
	Name    string        `json:"name"` // unique in the pod
	Image   string        `json:"image"`
	Command []string      `json:"command,omitempty"`
	Args    []string      `json:"args,omitempty"`
	Env     []EnvVar      `json:"env,omitempty"`    // later ones may use earlier ones as $(NAME)
	Mounts  []VolumeMount `json:"mounts,omitempty"` // of the pod's volumes

	// Requests and limits, such as "cpu": "500m".
	Requests map[string]string `json:"requests,omitempty"`
	Limits   map[string]string `json:"limits,omitempty"`
}

// An EnvVar is an environment variable of a [Container].
type EnvVar struct {
	Name  string
	Value string
}

// A VolumeMount mounts a volume that the task has in one of its other containers.
type VolumeMount struct {
	// Name is that of the EmptyDir or EphemeralVolume, or of the claim, secret or
	// config map that is mounted, where that is a constant.
	Name string `json:"name"`
	Path string `json:"path"` // in the container
}

// InitContainer runs a container to its end before the task's own starts
// (add_init_container). Several run one after the other.
func InitContainer(c Container) dsl.Option { return initContainer("InitContainer", c, "") }

// Sidecar runs a container beside the task's own, from before it starts until it
// has ended (add_init_container with the restart policy Always, and Sidecar in
// KFP v1).
func Sidecar(c Container) dsl.Option { return initContainer("Sidecar", c, "Always") }

// reserved are names of containers that KFP and Argo use in a pod.
var reserved = []string{"main", "init", "wait", "kfp-launcher"}

func initContainer(what string, c Container, restart string) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, what, c.Name, volumeName)
		what := what + " " + c.Name
		for _, name := range reserved {
			if c.Name == name {
				t.Errorf("%s: the name is that of a container of KFP's or Argo's; use another", what)
			}
		}
		if !graph.ImageForm.MatchString(graph.InImage.ReplaceAllString(c.Image, "x")) {
			t.Errorf("%s: %q is not an image: %s", what, c.Image, graph.ImageHint)
		}
		env := make([]any, len(c.Env))
		for i, e := range c.Env {
			checkText(t, what, e.Name, record.EnvName)
			env[i] = map[string]any{"name": e.Name, "value": map[string]any{"kind": "const", "type": map[string]any{"name": kfptype.String}, "const": e.Value}}
		}
		for _, m := range c.Mounts {
			if m.Name == "" {
				t.Errorf("%s: a mount at %s without the name of a volume", what, m.Path)
			}
			checkFolder(t, what+": mount of "+m.Name, m.Path)
		}
		for _, quantities := range []map[string]string{c.Requests, c.Limits} {
			for name, q := range quantities {
				checkText(t, what+": "+name, q, record.Resource(name))
			}
		}
		type plain Container
		t.Set("init-container", struct {
			plain
			Env           []any  `json:"env,omitempty"`
			RestartPolicy string `json:"restartPolicy,omitempty"`
		}{plain(c), env, restart})
	})
}
