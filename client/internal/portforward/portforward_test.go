package portforward

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"
)

func TestService(t *testing.T) {
	for address, want := range map[string]string{
		"minio-service.kubeflow:9000":                   "kubeflow/minio-service:9000",
		"minio-service.kubeflow.svc:9000":               "kubeflow/minio-service:9000",
		"minio-service.kubeflow.svc.cluster.local:9000": "kubeflow/minio-service:9000",
		"minio-service.kubeflow.svc.cluster.local.:80":  "kubeflow/minio-service:80",
		"s3:9000":                      "ml/s3:9000",
		"s3.ai.svc:9000":               "ai/s3:9000",
		"example.com:443":              "",
		"s3.amazonaws.com:443":         "",
		"store.example.de:443":         "",
		"10.0.0.1:9000":                "",
		"[::1]:9000":                   "",
		"localhost:9000":               "",
		"minio.example.internal:9000":  "",
		"minio-service.kubeflow":       "",
		"storage.googleapis.com:443":   "",
		"a.b.c.svc.cluster.local:9000": "",
	} {
		ns, service, port, ok := Service(address, "ml")
		got := ""
		if ok {
			got = ns + "/" + service + ":" + port
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", address, got, want)
		}
	}
}

// What a cluster says before anything is forwarded, and what is missing then.
func TestRefusals(t *testing.T) {
	const service = `{"spec": {"selector": {"app": "x"}, "ports": [{"name": "http", "port": 80, "targetPort": "web"}, {"port": 81}]}}`
	pod := func(name, ready, ports string) string {
		return fmt.Sprintf(`{"metadata": {"name": %q, "uid": "u"}, "spec": {"containers": [{"ports": [%s]}]}, "status": {"phase": "Running", "conditions": [{"type": "Ready", "status": %q}]}}`, name, ports, ready)
	}
	no := `{"message": "you may not"}`
	for name, c := range map[string]struct {
		port     string
		services string // with its status before
		pods     string
		forward  int
		want     string
	}{
		"no service":     {"80", `404 {"message": "services \"s\" not found"}`, "", 0, `services "s" not found (404); is namespace n the right one?`},
		"may not see it": {"80", "403 " + no, "", 0, "you may not (403); ask for the permissions to get services, to list and get pods and to create pods/portforward in namespace n (it was: get services)"},
		"may not list":   {"80", "200 " + service, "403 " + no, 0, "in namespace n (it was: list pods)"},
		"no port":        {"82", "200 " + service, "", 0, "the service has no port 82; it has 80 http, 81"},
		"no selector":    {"80", `200 {"spec": {"ports": [{"port": 80}]}}`, "", 0, "the service selects no pods"},
		"no pods":        {"80", "200 " + service, `200 {"items": []}`, 0, "no pod of the service (app=x) is ready: there is none"},
		"not ready":      {"80", "200 " + service, `200 {"items": [` + pod("p", "False", "") + `]}`, 0, "p is Running and not ready"},
		"no such port":   {"http", "200 " + service, `200 {"items": [` + pod("p", "True", "") + `]}`, 0, "pod p has no port web, to which the service leads"},
		"may not":        {"http", "200 " + service, `200 {"items": [` + pod("a", "False", "") + "," + pod("p", "True", `{"name": "web", "containerPort": 8080}`) + `]}`, 403, "pod p: "},
	} {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				answer := c.services
				switch {
				case strings.HasSuffix(r.URL.Path, "/portforward"):
					answer = fmt.Sprint(c.forward, ` {"kind": "Status", "apiVersion": "v1", "status": "Failure", "message": "pods \"p\" is forbidden", "reason": "Forbidden", "code": 403}`)
				case strings.Contains(r.URL.Path, "/pods"):
					answer = c.pods
				}
				var status int
				fmt.Sscan(answer, &status)
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(status)
				fmt.Fprint(w, strings.TrimSpace(answer[3:]))
			}))
			defer srv.Close()
			d, err := New(&rest.Config{Host: srv.URL})
			if err != nil {
				t.Fatal(err)
			}
			defer d.Close()
			_, err = d.DialContext(t.Context(), "tcp", "s.n:"+c.port)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "port-forward to service s in namespace n, port "+c.port) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
			if c.forward != 0 && !strings.Contains(err.Error(), "ask for the permission to create pods/portforward in namespace n") {
				t.Errorf("it doesn't say what to ask for: %v", err)
			}
		})
	}
}

func TestClosed(t *testing.T) {
	d, err := New(&rest.Config{Host: "http://127.0.0.1:1"})
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	if _, err := d.DialContext(t.Context(), "tcp", "s.n:80"); err == nil {
		t.Error("a closed dialer dials")
	}
	if _, err := d.DialContext(t.Context(), "tcp", "example.com:80"); err == nil || !strings.Contains(err.Error(), "example.com:80 is not a service of a cluster") {
		t.Errorf("got %v", err)
	}
}
