package operators

import (
	"context"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// imageCaches is the CRD of Alibaba Cloud's image caches, with the fields that its
// documentation lists and no others: no Go module has it.
const imageCaches = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: imagecaches.eci.alibabacloud.com}
spec:
  group: eci.alibabacloud.com
  scope: Cluster
  names: {kind: ImageCache, plural: imagecaches, singular: imagecache, shortNames: [ic]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            required: [images]
            properties:
              images: {type: array, minItems: 1, items: {type: string}}
              imagePullSecrets: {type: array, items: {type: string}}
              imageCacheSize: {type: integer, minimum: 20}
              retentionDays: {type: integer, minimum: 1}
          status:
            type: object
            properties:
              imageCacheId: {type: string}
              phase: {type: string}
              progress: {type: string}
              startTime: {type: string}
              lastUpdatedTime: {type: string}
              events: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`

// eci stands in for Alibaba Cloud: a cache becomes ready by steps, as its progress
// says; one of an image that isn't there fails.
func (c *cluster) eci(ctx context.Context) {
	steps := []object{
		{"phase": "Preparing", "progress": "0%"}, {"phase": "Creating", "progress": "30%"}, {"phase": "Creating", "progress": "30%"}, {"phase": "Creating", "progress": "75%"}, {"phase": "Creating", "progress": "75%"},
		{"phase": "Ready", "progress": "100%", "imageCacheId": "imc-2ze5tm5gehgtiiga"},
	}
	at := map[string]int{}
	c.each(ctx, "eci.alibabacloud.com/v1", "ImageCache", func(u *unstructured.Unstructured) error {
		i := at[string(u.GetUID())]
		if i == len(steps) {
			return nil
		}
		if images, _, _ := unstructured.NestedStringSlice(u.Object, "spec", "images"); i == 2 && len(images) > 0 && images[0] == "registry.example.org/none:1" {
			at[string(u.GetUID())] = len(steps)
			return c.setStatus(ctx, u, object{"phase": "Failed", "progress": "30%"})
		}
		at[string(u.GetUID())] = i + 1
		return c.setStatus(ctx, u, steps[i])
	})
}
