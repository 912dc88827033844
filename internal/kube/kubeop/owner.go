package kubeop

import (
	"context"
	"fmt"
	"net/url"
	"slices"
)

// own gives an object to the run: what owns this pod, which is the Workflow that
// KFP made for the run. Where nothing does, the pod itself is the owner.
func (k *client) own(ctx context.Context, at *location, obj map[string]any) error {
	if at.namespace != k.namespace {
		return fmt.Errorf("%s can't be owned by the run, which is in namespace %s; leave Owned out", at, k.namespace)
	}
	path := "/api/v1/namespaces/" + url.PathEscape(k.namespace) + "/pods/" + url.PathEscape(k.pod)
	pod, err := k.do(ctx, request{method: "GET", path: path}, "get this pod, for the run that owns it")
	if err != nil {
		return err
	}
	owner := map[string]any{"apiVersion": "v1", "kind": "Pod"}
	owner["name"], _ = textAt(pod, "metadata", "name")
	owner["uid"], _ = textAt(pod, "metadata", "uid")
	metadata, _ := pod["metadata"].(map[string]any)
	if owners, _ := metadata["ownerReferences"].([]any); len(owners) > 0 {
		of, _ := owners[0].(map[string]any)
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
