package k8s

import (
	"path"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
)

// A MountOption changes how a claim is mounted.
type MountOption func(*record.Task, *mount)

type mount struct{ subPath string }

// SubPath mounts a folder of the claim in place of all of it.
func SubPath(folder string) MountOption {
	return func(t *record.Task, m *mount) {
		if folder == "" || path.IsAbs(folder) || !localFolder(folder) {
			t.Errorf("SubPath(%q): not a path inside the claim, such as models/2024", folder)
		}
		m.subPath = folder
	}
}

// MountPVC mounts a claim that exists when the task starts, such as
// [CreatePVC] makes (mount_pvc, and add_pvolumes in KFP v1). A Go step finds it
// at dsl.MountPath, so that it also runs on this machine.
func MountPVC[N dsl.Text](claim N, at string, opts ...MountOption) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, "MountPVC", claim, objectName)
		checkFolder(t, "MountPVC", at)
		var m mount
		for _, o := range opts {
			if o != nil {
				o(t, &m)
			}
		}
		operands := []any{claim, at}
		if m.subPath != "" {
			operands = append(operands, m.subPath)
		}
		t.Set("mount-pvc", operands...)
	})
}

// SecretVolume mounts a secret as a folder with a file for each of its keys
// (use_secret_as_volume).
func SecretVolume[S dsl.Text](secret S, at string, opts ...SourceOption) dsl.Option {
	return sourceVolume("SecretVolume", "secret-volume", secret, at, opts)
}

// ConfigMapVolume mounts a config map as a folder with a file for each of its
// keys (use_config_map_as_volume).
func ConfigMapVolume[S dsl.Text](configMap S, at string, opts ...SourceOption) dsl.Option {
	return sourceVolume("ConfigMapVolume", "config-map-volume", configMap, at, opts)
}

func sourceVolume[S dsl.Text](what, option string, object S, at string, opts []SourceOption) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, what, object, objectName)
		checkFolder(t, what, at)
		t.Set(option, object, at, optional(opts))
	})
}

// checkFolder reports what can't be mounted at.
func checkFolder(t *record.Task, what, at string) {
	if !path.IsAbs(at) || path.Clean(at) == "/" {
		t.Errorf("%s at %q: not an absolute path of a folder", what, at)
	}
}

// An EmptyDirOption changes the folder of an [EmptyDir].
type EmptyDirOption func(*record.Task, *emptyDir)

type emptyDir struct {
	Name      string `json:"name"`
	Path      string `json:"path"`
	Medium    string `json:"medium,omitempty"`
	SizeLimit string `json:"sizeLimit,omitempty"`
}

// InMemory keeps the folder in memory, which counts as the container's (the
// medium Memory).
func InMemory() EmptyDirOption { return Medium("Memory") }

// Medium keeps the folder on a medium of Kubernetes' other than the node's disk,
// such as HugePages.
func Medium(medium string) EmptyDirOption {
	return func(t *record.Task, d *emptyDir) {
		if err := mediumName.Check(medium); err != nil {
			t.Errorf("EmptyDir %s: %v", d.Name, err)
		}
		d.Medium = medium
	}
}

// SizeLimit ends the pod when the folder holds more, as a Kubernetes quantity.
func SizeLimit(quantity string) EmptyDirOption {
	return func(t *record.Task, d *emptyDir) {
		checkText(t, "EmptyDir "+d.Name, quantity, record.SizeLimit)
		d.SizeLimit = quantity
	}
}

// EmptyDir mounts an empty folder that lives as long as the pod
// (empty_dir_mount). Init containers and sidecars mount it by its name.
func EmptyDir(name, at string, opts ...EmptyDirOption) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, "EmptyDir", name, volumeName)
		checkFolder(t, "EmptyDir "+name, at)
		d := emptyDir{Name: name, Path: at}
		for _, o := range opts {
			if o != nil {
				o(t, &d)
			}
		}
		t.Set("empty-dir", d)
	})
}

// A Claim describes the claim of an [EphemeralVolume].
type Claim struct {
	Size         string            `json:"size"`                   // a Kubernetes quantity, such as 10Gi
	AccessModes  []AccessMode      `json:"accessModes,omitempty"`  // ReadWriteOnce if there are none
	StorageClass *string           `json:"storageClass,omitempty"` // nil: the cluster's default
	Labels       map[string]string `json:"labels,omitempty"`
	Annotations  map[string]string `json:"annotations,omitempty"`
}

// EphemeralVolume makes a claim that lives as long as the pod, and mounts it
// (add_ephemeral_volume). Init containers and sidecars mount it by its name.
func EphemeralVolume(name, at string, claim Claim) dsl.Option {
	return record.At(func(t *record.Task) {
		checkText(t, "EphemeralVolume", name, volumeName)
		what := "EphemeralVolume " + name
		checkFolder(t, what, at)
		checkText(t, what, claim.Size, record.Size)
		if len(claim.AccessModes) == 0 {
			claim.AccessModes = []AccessMode{ReadWriteOnce}
		}
		checkModes(t, what, claim.AccessModes)
		if c := claim.StorageClass; c != nil && *c != "" {
			checkText(t, what, *c, objectName)
		}
		checkLabels(t, what, claim.Labels)
		for key := range claim.Annotations {
			checkText(t, what, key, labelKey)
		}
		t.Set("ephemeral-volume", struct {
			Name string `json:"name"`
			Path string `json:"path"`
			Claim
		}{name, at, claim})
	})
}

// SharedMemory gives the container memory of a size at /dev/shm, in place of the
// 64 MiB of a container runtime, for programs that share arrays between
// processes (the field enabledSharedMemory, for which KFP's Python has no
// function). An empty size is half of the node's memory.
func SharedMemory(size string) dsl.Option {
	return record.At(func(t *record.Task) {
		if size != "" {
			checkText(t, "SharedMemory", size, record.SizeLimit)
		}
		t.Set("shared-memory", size)
	})
}
