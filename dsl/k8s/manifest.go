package k8s

import "github.com/kfpgo/kfpgo/dsl"

// ManifestIn is an object to create, apply or patch, and what to wait for.
type ManifestIn struct {
	Manifest dsl.Param[string] `doc:"the object, as YAML"`
	Success  dsl.Param[string] `kfp:"success_condition" default:"" doc:"field condition to wait for, such as status.succeeded > 0"`
	Failure  dsl.Param[string] `kfp:"failure_condition" default:"" doc:"field condition that fails the task"`
}

// ManifestOut is the object as the cluster has it.
type ManifestOut struct {
	Name dsl.Param[string] `jsonpath:"{.metadata.name}"`
}

// What [Apply] takes and returns, by its name.
type (
	ApplyIn  = ManifestIn
	ApplyOut = ManifestOut
)

// Operations on an object whose manifest is an input. For manifests with typed
// inputs and outputs of their own, use dsl.Resource. Their KFP v1 counterpart is
// ResourceOp.
//
//	k8s.Apply.Call(s, k8s.ManifestIn{
//		Manifest: dsl.Const(jobYAML),
//		Success:  dsl.Const("status.succeeded > 0"),
//		Failure:  dsl.Const("status.failed > 3"),
//	})
var (
	Apply  = manifest("apply", dsl.Apply)   // creates the object, or makes it so
	Create = manifest("create", dsl.Create) // creates the object, which must not exist
	Patch  = manifest("patch", dsl.Patch)   // merges the manifest into the object, which must exist
)

func manifest(name string, action dsl.Action) *dsl.Component[ManifestIn, ManifestOut] {
	return dsl.Resource(name, func(in ManifestIn, _ ManifestOut) dsl.ResourceSpec {
		return dsl.ResourceSpec{
			Action: action, Manifest: in.Manifest.String(),
			Success: in.Success.String(), Failure: in.Failure.String(),
		}
	})
}

// DeleteIn is an object to delete.
type DeleteIn struct {
	Manifest dsl.Param[string] `doc:"the object, as YAML; its apiVersion, kind and name are enough"`
}

// Delete deletes an object. It is not an error if the object doesn't exist.
var Delete = dsl.Resource("delete", deleteManifest)

func deleteManifest(in DeleteIn, _ dsl.None) dsl.ResourceSpec {
	return dsl.ResourceSpec{Action: dsl.Delete, Manifest: in.Manifest.String()}
}
