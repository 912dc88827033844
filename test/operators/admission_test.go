package operators

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"
)

// The address of the test's own admission webhook, in the cluster's network namespace.
const admissionAddr = "127.0.0.1:9555"

// standIn are images that are stood in for; they all are one image with other names.
var standIn = []string{"tensorflow/tensorflow:", "tensorflow/serving:", "kserve/storage-initializer:", "seldonio/", "registry.local/standin:", "registry.example.org/"}

// admission serves a mutating webhook that fits pods of the examples to this machine,
// and says so in an annotation: CPU and memory that it hasn't are asked for no more; a
// container with a GPU gets nvidia-smi, as the container runtime of a real node gives
// it; and images that are stood in for get the node's TensorFlow.
func (c *cluster) admission(t testing.TB) {
	made := certificate("127.0.0.1")
	pair, err := tls.X509KeyPair(made.cert, made.key)
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Addr: admissionAddr, Handler: http.HandlerFunc(admit), TLSConfig: &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}}
	go s.ListenAndServeTLS("", "")
	t.Cleanup(func() { s.Close() })
	c.applyText(t, fmt.Sprintf(`apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: stand-ins}
webhooks:
- name: stand-ins.kfpgo.dev
  clientConfig: {url: "https://%s/", caBundle: %s}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
  reinvocationPolicy: IfNeeded
  sideEffects: None
  admissionReviewVersions: [v1]
`, admissionAddr, made.cert64(), namespace))
}

func admit(w http.ResponseWriter, r *http.Request) {
	var review struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Request    struct {
			UID    string `json:"uid"`
			Object object `json:"object"`
		} `json:"request"`
	}
	if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	pod := review.Request.Object
	notes := fit(pod)
	answer := object{"uid": review.Request.UID, "allowed": true}
	if len(notes) > 0 {
		meta := pod["metadata"].(object)
		annotations, _ := meta["annotations"].(object)
		if annotations == nil {
			annotations = object{}
		}
		annotations["kfpgo.dev/stand-in"] = strings.Join(notes, "; ")
		patch := []object{{"op": "replace", "path": "/spec", "value": pod["spec"]}, {"op": "add", "path": "/metadata/annotations", "value": annotations}}
		b, err := json.Marshal(patch)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		answer["patch"], answer["patchType"] = b, "JSONPatch"
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(object{"apiVersion": review.APIVersion, "kind": review.Kind, "response": answer})
}

// fit changes a pod and says what.
func fit(pod object) (notes []string) {
	spec, _ := pod["spec"].(object)
	mount := func(c object, name, from, to, typ string) {
		volumes, _ := spec["volumes"].([]any)
		if !slices.ContainsFunc(volumes, func(v any) bool { return v.(object)["name"] == name }) {
			spec["volumes"] = append(volumes, object{"name": name, "hostPath": object{"path": from, "type": typ}})
		}
		mounts, _ := c["volumeMounts"].([]any)
		if !slices.ContainsFunc(mounts, func(v any) bool { return v.(object)["name"] == name }) {
			c["volumeMounts"] = append(mounts, object{"name": name, "mountPath": to, "readOnly": true})
		}
	}
	note := func(format string, args ...any) {
		if s := fmt.Sprintf(format, args...); !slices.Contains(notes, s) {
			notes = append(notes, s)
		}
	}
	volumes, _ := spec["volumes"].([]any)
	for _, v := range volumes {
		if csi, ok := v.(object)["csi"].(object); ok && csi["driver"] == "nasplugin.csi.alibabacloud.com" {
			delete(v.(object), "csi")
			v.(object)["emptyDir"] = object{}
			note("%s: an empty folder in place of NAS", v.(object)["name"])
		}
	}
	for _, kind := range []string{"initContainers", "containers"} {
		list, _ := spec[kind].([]any)
		for _, c := range list {
			c := c.(object)
			image, _ := c["image"].(string)
			if command, _ := c["command"].([]any); c["name"] == "init-pytorch" {
				// busybox's own, which its shell prefers, fails where one of the search domains hasn't the name.
				for i, part := range command {
					if text, ok := part.(string); ok {
						command[i] = strings.ReplaceAll(text, "nslookup", "/bin/nslookup")
					}
				}
				note("init-pytorch: another nslookup")
			}
			res, _ := c["resources"].(object)
			for _, part := range []string{"requests", "limits"} {
				of, _ := res[part].(object)
				for name, most := range map[string]string{"cpu": "50m", "memory": "64Mi"} {
					s, _ := of[name].(string)
					if q, err := resource.ParseQuantity(s); err == nil && q.Cmp(resource.MustParse(most)) > 0 {
						if part == "limits" {
							delete(of, name)
						} else {
							of[name] = most
						}
						note("%s: %s %s of %s isn't asked for", c["name"], s, name, part)
					}
				}
				if _, ok := of["nvidia.com/gpu"]; ok {
					mount(c, "nvidia-smi", filepath.Join(cacheDir(), "bin", "nvidia-smi"), "/usr/bin/nvidia-smi", "File")
					note("%s: nvidia-smi tells of a recorded GPU", c["name"])
				}
			}
			if slices.ContainsFunc(standIn, func(p string) bool { return strings.HasPrefix(image, p) }) {
				for _, venv := range []string{"tf", "seldon"} {
					dir, err := filepath.EvalSymlinks(filepath.Join(cacheDir(), venv))
					if err == nil {
						mount(c, "venv-"+venv, filepath.Join(dir, "lib/python3.11/site-packages"), "/venv/"+venv, "Directory")
					}
				}
				note("%s: an image in place of %s", c["name"], image)
			}
		}
	}
	return notes
}
