package operators

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// seldonCRD is that of Seldon Core 1, with the fields that its documentation lists and
// the components use, and no others: its operator is no Go module at a version.
const seldonCRD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: seldondeployments.machinelearning.seldon.io}
spec:
  group: machinelearning.seldon.io
  scope: Namespaced
  names: {kind: SeldonDeployment, plural: seldondeployments, singular: seldondeployment, shortNames: [sdep]}
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
            required: [predictors]
            properties:
              name: {type: string}
              protocol: {type: string, enum: [seldon, tensorflow, kfserving, v2]}
              annotations: {type: object, additionalProperties: {type: string}}
              predictors:
                type: array
                items:
                  type: object
                  required: [name, graph]
                  properties:
                    name: {type: string}
                    replicas: {type: integer}
                    traffic: {type: integer}
                    graph:
                      type: object
                      required: [name]
                      properties:
                        name: {type: string}
                        implementation: {type: string}
                        modelUri: {type: string}
                        serviceAccountName: {type: string}
                        envSecretRefName: {type: string}
                        storageInitializerImage: {type: string}
                        type: {type: string}
                        children: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                        parameters: {type: array, items: {type: object, x-kubernetes-preserve-unknown-fields: true}}
          status:
            type: object
            properties:
              state: {type: string}
              description: {type: string}
              replicas: {type: integer}
              address: {type: object, properties: {url: {type: string}}}
              deploymentStatus: {type: object, x-kubernetes-preserve-unknown-fields: true}
`

// seldonObjects are those that Seldon's operator makes of a predictor with the
// prepackaged server TENSORFLOW_SERVER, as its documentation says: the server, in
// front of it a microservice of Seldon's, and what fetches the model first.
const seldonObjects = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: %[1]s-default-0-classifier
  namespace: %[2]s
  labels: {seldon-deployment-id: %[1]s}
  ownerReferences: [{apiVersion: machinelearning.seldon.io/v1, kind: SeldonDeployment, name: %[1]s, uid: %[3]s, controller: true}]
spec:
  replicas: %[4]d
  selector: {matchLabels: {seldon-deployment-id: %[1]s}}
  template:
    metadata: {labels: {seldon-deployment-id: %[1]s}}
    spec:
      terminationGracePeriodSeconds: 2
      initContainers:
      - name: classifier-model-initializer
        image: seldonio/rclone-storage-initializer:1.18.2
        command: [/bin/storage-initializer]
        args: [%[5]q, /mnt/models]
        envFrom: [{secretRef: {name: %[6]s}}]
        volumeMounts: [{name: classifier-provision-location, mountPath: /mnt/models}]
      containers:
      - name: classifier
        image: seldonio/tfserving-proxy:1.18.2
        command: [/bin/tfserving-proxy]
        env:
        - {name: PREDICTIVE_UNIT_ID, value: classifier}
        - {name: PREDICTIVE_UNIT_HTTP_SERVICE_PORT, value: "9000"}
        - {name: PREDICTIVE_UNIT_GRPC_SERVICE_PORT, value: "9500"}
        - {name: SELDON_DEPLOYMENT_ID, value: %[1]s}
        - {name: PREDICTIVE_UNIT_PARAMETERS, value: '[{"name":"rest_endpoint","value":"http://127.0.0.1:2001","type":"STRING"},{"name":"model_name","value":"classifier","type":"STRING"}]'}
        readinessProbe: {tcpSocket: {port: 9000}, periodSeconds: 2}
      - name: tfserving
        image: tensorflow/serving:2.16.1
        command: [/usr/bin/tensorflow_model_server]
        args: ["--port=2000", "--rest_api_port=2001", "--model_name=classifier", "--model_base_path=/mnt/models"]
        readinessProbe: {httpGet: {path: /v1/models/classifier, port: 2001}, periodSeconds: 2}
        volumeMounts: [{name: classifier-provision-location, mountPath: /mnt/models, readOnly: true}]
      volumes: [{name: classifier-provision-location, emptyDir: {}}]
---
apiVersion: v1
kind: Service
metadata:
  name: %[1]s-default
  namespace: %[2]s
  ownerReferences: [{apiVersion: machinelearning.seldon.io/v1, kind: SeldonDeployment, name: %[1]s, uid: %[3]s, controller: true}]
spec: {selector: {seldon-deployment-id: %[1]s}, ports: [{name: http, port: 8000, targetPort: 9000}]}
`

// seldon stands in for Seldon's operator.
func (c *cluster) seldon(ctx context.Context) {
	c.each(ctx, "machinelearning.seldon.io/v1", "SeldonDeployment", func(u *unstructured.Unstructured) error {
		predictors, _, _ := unstructured.NestedSlice(u.Object, "spec", "predictors")
		p := predictors[0].(object)
		graph := p["graph"].(object)
		name, state := u.GetName(), text(u.Object, "status", "state")
		replicas, _ := p["replicas"].(int64)
		if state == "" {
			if graph["implementation"] != "TENSORFLOW_SERVER" {
				return c.setStatus(ctx, u, object{"state": "Failed", "description": fmt.Sprintf("no prepackaged server %v", graph["implementation"])})
			}
			all, err := objects(fmt.Sprintf(seldonObjects, name, namespace, u.GetUID(), replicas, graph["modelUri"], graph["envSecretRefName"]))
			if err != nil {
				return err
			}
			for _, o := range all {
				if err := c.apply(ctx, o); err != nil {
					return err
				}
			}
			return c.setStatus(ctx, u, object{"state": "Creating"})
		}
		d, err := c.get(ctx, "apps/v1", "Deployment", name+"-default-0-classifier")
		if err != nil || state != "Creating" {
			return err
		}
		if n, _, _ := unstructured.NestedInt64(d.Object, "status", "readyReplicas"); n >= replicas {
			url := fmt.Sprintf("http://%s-default.%s.svc.cluster.local:8000/api/v1.0/predictions", name, namespace)
			return c.setStatus(ctx, u, object{"state": "Available", "replicas": n, "address": object{"url": url}})
		}
		return nil
	})
}

// outside makes a Service whose server is a handler of the test, such as an ingress
// gateway, at a port of the node.
func (c *cluster) outside(t testing.TB, ns, name string, port int, h http.Handler) {
	node := os.Getenv("NODEIP")
	l, err := net.Listen("tcp", fmt.Sprintf("%s:%d", node, port))
	if err != nil {
		t.Fatal(err)
	}
	go http.Serve(l, h)
	c.applyText(t, fmt.Sprintf(`apiVersion: v1
kind: Namespace
metadata: {name: %[1]s}
---
apiVersion: v1
kind: Service
metadata: {name: %[2]s, namespace: %[1]s}
spec: {ports: [{port: 80, targetPort: %[3]d}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: %[2]s, namespace: %[1]s, labels: {kubernetes.io/service-name: %[2]s}}
addressType: IPv4
endpoints: [{addresses: ["%[4]s"]}]
ports: [{port: %[3]d}]
`, ns, name, port, node))
}

// gateway is the ingress that Seldon has beside it: /seldon/NAMESPACE/NAME/PATH.
func gateway(w http.ResponseWriter, r *http.Request) {
	parts := strings.SplitN(strings.TrimPrefix(r.URL.Path, "/seldon/"), "/", 3)
	if len(parts) < 3 {
		http.NotFound(w, r)
		return
	}
	s, err := kube.typed.CoreV1().Services(parts[0]).Get(r.Context(), parts[1]+"-default", metav1.GetOptions{})
	if err != nil {
		http.Error(w, err.Error(), http.StatusNotFound)
		return
	}
	p := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: s.Spec.ClusterIP + ":8000"})
	r.URL.Path = "/" + parts[2]
	p.ServeHTTP(w, r)
}
