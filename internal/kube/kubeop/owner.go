package kubeop

import (
	"context"
	"fmt"
	"slices"
)

// own gives an object to the run: what owns this pod, which is the Workflow that
// KFP made for the run. Where nothing does, the pod itself is the owner.
func (k *client) own(ctx context.Context, at *location, obj map[string]any) error {
	if at.namespace != k.namespace {
		return fmt.Errorf("%s can't be owned by the run, which is in namespace %s; leave Owned out", at, k.namespace)
	}
	pod, err := k.self(ctx, "the run that owns it")
	if err != nil {
		return err
	}
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod"}
	owner["name"], _ = textAt(pod, "metadata", "name")
	owner["uid"], _ = textAt(pod, "metadata", "uid")
	if owners := objects(pod, "metadata", "ownerReferences"); len(owners) > 0 {
		of := owners[0]
		owner = map[string]any{"apiVersion": of["apiVersion"], "kind": of["kind"], "name": of["name"], "uid": of["uid"]}
	}
	meta, _ := obj["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		obj["metadata"] = meta
	}
	have, _ := meta["ownerReferences"].([]any)
	meta["ownerReferences"] = append(slices.Clone(have), owner)
	return nil
}
