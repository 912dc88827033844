package argo

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A front is as much of the Argo server as the client uses, before a fake of
// Kubernetes.
type front struct {
	*fake
	URL string
	// events answers what is asked as a stream.
	events http.HandlerFunc
}

func newFront(t *testing.T) *front {
	t.Helper()
	f := &front{fake: newFake(t)}
	s := httptest.NewServer(f)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	f.URL = s.URL
	return f
}

// throughServer returns a client of an Argo server.
func throughServer(t *testing.T, url string, timeout time.Duration) *Client {
	t.Helper()
	c, err := Connect(Config{Server: url, Namespace: "ml", Token: "secret", Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// ways are the two accesses, over one store of objects.
var ways = map[string]func(t *testing.T) (f *fake, url string, connect func(*testing.T, string, time.Duration) *Client){
	"kubernetes": func(t *testing.T) (*fake, string, func(*testing.T, string, time.Duration) *Client) {
		f := newFake(t)
		return f, f.URL, connected
	},
	"server": func(t *testing.T) (*fake, string, func(*testing.T, string, time.Duration) *Client) {
		f := newFront(t)
		return f.fake, f.URL, throughServer
	},
}

// refuse answers as gRPC's gateway does.
func refuse(w http.ResponseWriter, status int, msg string) {
	codes := map[int]int{400: 3, 401: 16, 403: 7, 404: 5, 409: 6, 500: 13, 503: 14}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(map[string]any{"error": msg, "code": codes[status], "message": msg})
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Accept") == "text/event-stream" && f.events != nil {
		if r.Header.Get("Authorization") != "Bearer secret" {
			refuse(w, 401, "token not valid")
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		f.events(w, r)
		return
	}
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/api/v1/"), "/")
	kind, field := parts[0], "workflow"
	if kind == "cron-workflows" {
		kind, field = "cronworkflows", "cronWorkflow"
	}
	if len(parts) < 2 || kind != "workflows" && kind != "cronworkflows" {
		http.Error(w, "<html>", http.StatusNotFound)
		return
	}
	path := fmt.Sprintf("/apis/argoproj.io/v1alpha1/namespaces/%s/%s", parts[1], kind)
	if len(parts) > 2 {
		path += "/" + parts[2]
	}
	method := r.Method
	body, _ := io.ReadAll(r.Body)
	var sent map[string]json.RawMessage
	if len(body) > 0 && json.Unmarshal(body, &sent) != nil {
		refuse(w, 400, "no JSON")
		return
	}
	body = sent[field]
	if len(parts) > 3 {
		method = http.MethodPatch
		body = map[string][]byte{
			"terminate": []byte(`{"spec": {"shutdown": "Terminate"}}`), "suspend": []byte(`{"spec": {"suspend": true}}`),
			"retry": []byte(`{"status": {"phase": "Running"}}`),
		}[parts[3]]
	}
	to := httptest.NewRequest(method, path+"?labelSelector="+r.URL.Query().Get("listOptions.labelSelector"), bytes.NewReader(body))
	to.Header.Set("Authorization", r.Header.Get("Authorization"))
	answer := httptest.NewRecorder()
	f.fake.ServeHTTP(answer, to)
	if answer.Code >= 300 {
		var s struct{ Message string }
		json.Unmarshal(answer.Body.Bytes(), &s)
		refuse(w, answer.Code, s.Message)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(answer.Body.Bytes())
}
