package argo

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

// TestServerConfig: how the Argo server is found, and who one is to it.
func TestServerConfig(t *testing.T) {
	dir := t.TempDir()
	config := filepath.Join(dir, "config.yaml")
	text := "current: argo\ncontexts:\n" +
		"  argo: {engine: argo, argoServer: 'https://ctx:1/base/', namespace: team, tokenFile: /t}\n" +
		"  kube: {engine: argo, endpoint: 'https://k8s'}\n  kfp: {endpoint: 'http://kfp'}\n"
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		env  string
		conf any    // a Config, or the name of the context that it is from
		want string // address, credential, namespace; or an error
	}{
		"the current context":          {"", "", "https://ctx:1/base, token file /t (context), team"},
		"variables":                    {"ARGO_SERVER=h:2746 ARGO_TOKEN=Bearer%20abc ARGO_NAMESPACE=n", "", "https://h:2746, bearer token (ARGO_TOKEN), n"},
		"a token without its kind":     {"ARGO_SERVER=h:2746 ARGO_TOKEN=abc", "", "https://h:2746, bearer token (ARGO_TOKEN), default"},
		"ours before Argo's":           {"ARGO_SERVER=h:2746 ARGO_TOKEN=abc KFPGO_TOKEN=x KFPGO_NAMESPACE=o ARGO_NAMESPACE=n", "", "https://h:2746, bearer token (KFPGO_TOKEN), o"},
		"http, and a path":             {"ARGO_SERVER=h:2746 ARGO_SECURE=false ARGO_BASE_HREF=/argo/", "", "http://h:2746/argo, no credential, default"},
		"an address that says it":      {"ARGO_SERVER=https://h/x ARGO_SECURE=false ARGO_BASE_HREF=/argo/", "", "https://h/x, no credential, default"},
		"the path of the API":          {"", Config{Server: "https://h/x/api/v1/"}, "https://h/x, no credential, default"},
		"given, with no secrets of it": {"", Config{Server: "h:1", Namespace: "n"}, "https://h:1, no credential, n"},
		"given, and variables":         {"ARGO_SERVER=h:2746 ARGO_TOKEN=abc", Config{Server: "g:1", TokenFile: "/f"}, "https://g:1, token file /f (given), default"},
		"a context on purpose":         {"ARGO_SERVER=h:2746 ARGO_TOKEN=abc ARGO_NAMESPACE=n", "argo", "https://ctx:1/base, token file /t (context), team"},
		"a zero Config":                {"ARGO_SERVER=h:2746", Config{}, "https://h:2746, no credential, default"},
		"two for Kubernetes":           {"", Config{Endpoint: "https://k", Token: "a", TokenFile: "b"}, "more than one credential"},
		"a kubeconfig on purpose":      {"ARGO_SERVER=h:2746", Config{Endpoint: "https://k"}, "https://k, no credential, default"},
		"a context of Kubernetes":      {"KFPGO_CONTEXT=kube", "", "https://k8s, no credential, default"},
		"a context of KFP":             {"", "kfp", "context kfp is of KFP, not of Argo"},
		"a command":                    {"", Config{Server: "h:1", TokenCommand: []string{"print", "it"}}, "https://h:1, token command print (given), default"},
		"a command for Kubernetes":     {"", Config{Endpoint: "https://k", TokenCommand: []string{"print"}}, "is for the Argo server"},
		"two credentials":              {"", Config{Server: "h:1", Token: "a", TokenFile: "b"}, "more than one credential"},
		"another kind of token":        {"ARGO_SERVER=h:1 ARGO_TOKEN=Basic%20c2VjcmV0", "", "of the kind Basic"},
		"a password in the address":    {"", Config{Server: "https://me:pass@h"}, "holds a password"},
		"no address":                   {"", Config{Server: "https://"}, "has no host"},
		"another protocol":             {"", Config{Server: "grpc://h"}, "must begin with http"},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"KFPGO_CONFIG": config}
			for _, v := range strings.Fields(test.env) {
				k, v, _ := strings.Cut(v, "=")
				env[k] = strings.ReplaceAll(v, "%20", " ")
			}
			for _, k := range []string{"KFPGO_CONFIG", "KFPGO_CONTEXT", "KFPGO_TOKEN", "KFPGO_NAMESPACE", "ARGO_SERVER", "ARGO_TOKEN", "ARGO_NAMESPACE", "ARGO_SECURE", "ARGO_BASE_HREF", "ARGO_INSECURE_SKIP_VERIFY"} {
				t.Setenv(k, env[k])
			}
			var c *Client
			o, ok := test.conf.(Config)
			var err error
			if !ok {
				o, err = FromContext(test.conf.(string))
			}
			if err == nil {
				c, err = Connect(o)
			}
			got := fmt.Sprint(err)
			if err == nil {
				address, credential := c.Server()
				got = address + ", " + credential + ", " + c.Namespace()
			}
			if got != test.want && (err == nil || !strings.Contains(got, test.want)) || strings.Contains(got, "pass@") || strings.Contains(got, "c2Vj") {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// TestServer: runs and schedules through the Argo server, as through Kubernetes.
func TestServer(t *testing.T) {
	f := newFront(t)
	c := throughServer(t, f.URL, time.Second)
	ctx := t.Context()
	in := greetIn{Name: dsl.Const("Ada")}
	r, err := client.Submit(ctx, c, hello, in, client.Name("Hello"), client.Token("a"))
	if err != nil {
		t.Fatal(err)
	}
	if again, err := client.Submit(ctx, c, hello, in, client.Name("Hello"), client.Token("a")); err != nil || again.ID != r.ID || f.count("workflows") != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if page, err := c.List(ctx, client.ListOptions{Name: "Hello"}); err != nil || len(page.Runs) != 1 {
		t.Errorf("%+v, %v", page, err)
	}
	if err := c.Terminate(ctx, r.ID); err != nil {
		t.Error(err)
	}
	if r, err = c.Get(ctx, r.ID); err != nil || r.State != client.Cancelling {
		t.Errorf("%+v, %v", r, err)
	}
	if err := c.Retry(ctx, r.ID); client.CodeOf(err) != client.Precondition {
		t.Error(err)
	}
	path := "/apis/argoproj.io/v1alpha1/namespaces/ml/workflows/" + r.ID
	f.objects[path]["status"] = map[string]any{"phase": "Failed"}
	if err := c.Retry(ctx, r.ID); err != nil || f.objects[path]["status"].(map[string]any)["phase"] != "Running" {
		t.Errorf("%v, %v", err, f.objects[path]["status"])
	}
	if _, err := c.Pods(ctx, r.ID); client.CodeOf(err) != client.Unsupported || !strings.Contains(err.Error(), "kfpgo runs get") || !strings.Contains(err.Error(), "--kubeconfig") {
		t.Error(err)
	}
	yaml, err := compiler.Compile(hello, c.Target())
	if err != nil {
		t.Fatal(err)
	}
	s := client.ScheduleSpec{Name: "nightly", When: dsl.When{Cron: "0 3 * * *"}, Pipeline: client.Submission{Spec: yaml, Args: map[string]json.RawMessage{"name": json.RawMessage(`"Ada"`)}}}
	for i, want := range []client.Change{client.Created, client.Unchanged, client.Updated} {
		if i == 2 {
			s.When.Cron = "0 4 * * *"
		}
		if _, change, err := c.ApplySchedule(ctx, s); err != nil || change != want {
			t.Fatalf("%v, %v, want %v", change, err, want)
		}
	}
	if err := c.PauseSchedule(ctx, "nightly"); err != nil {
		t.Error(err)
	}
	if got, err := c.Schedule(ctx, "nightly"); err != nil || !got.Paused {
		t.Errorf("%+v, %v", got, err)
	}
	if err := c.ResumeSchedule(ctx, "nightly"); err != nil {
		t.Error(err)
	}
	if got, err := c.Schedule(ctx, "nightly"); err != nil || got.Paused || time.Since(got.Last) > time.Minute {
		t.Errorf("%+v, %v", got, err)
	}
	if err := c.DeleteSchedule(ctx, "nightly"); err != nil || f.count("cronworkflows") != 0 {
		t.Error(err)
	}
	s.When.MaxConcurrency = 2
	if _, _, err := c.ApplySchedule(ctx, s); client.CodeOf(err) != client.Unsupported || f.count("cronworkflows") != 0 {
		t.Error(err)
	}
}

// TestServerToken: a token that was renewed in its file is read again, for streams too.
func TestServerToken(t *testing.T) {
	f := newFront(t)
	f.events = func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "data: {\"result\": %s}\n\n", changed(2, "Succeeded"))
	}
	file := filepath.Join(t.TempDir(), "token")
	write := func(token string) {
		if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, time.Unix(1, 0), time.Unix(1, 0)); err != nil { // of the same size and time
			t.Fatal(err)
		}
	}
	write("outdat")
	c, err := Connect(Config{Server: f.URL, Namespace: "ml", TokenFile: file, Timeout: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.List(t.Context(), client.ListOptions{})
	if client.CodeOf(err) != client.Unauthenticated || !strings.Contains(err.Error(), "token file") || strings.Contains(err.Error(), "outdat") {
		t.Error(err)
	}
	write("secret")
	s, e := c.access.watch(t.Context(), "watch", "w", "1")
	if e != nil {
		t.Fatal(e)
	}
	defer s.Close()
	if got, err := s.next(); err != nil || got.Type != "MODIFIED" {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestServerPage: the page of a wrong path is no answer.
func TestServerPage(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<html>Argo</html>")
	}))
	t.Cleanup(s.Close)
	_, err := throughServer(t, s.URL, time.Second).Health(t.Context())
	if client.CodeOf(err) != client.Invalid || !strings.Contains(err.Error(), "--base-href") {
		t.Error(err)
	}
}

const logged = `{"metadata": {"name": "w", "resourceVersion": "1"}, "status": {"phase": %q, "nodes": {
  "w": {"id": "w", "name": "w", "displayName": "w", "type": "DAG", "phase": %[1]q},
  "w-1": {"id": "w-1", "name": "w.a", "displayName": "a", "templateName": "a", "type": "Pod", "boundaryID": "w"},
  "w-2": {"id": "w-2", "name": "w.b", "displayName": "b", "templateName": "b", "type": "Pod", "boundaryID": "w"}}}}`

// TestServerLogs: each line is written once, under its task, whatever becomes of the
// stream.
func TestServerLogs(t *testing.T) {
	line := func(pod string, second int, text string) string {
		return fmt.Sprintf("data: {\"result\": {\"podName\": %q, \"content\": \"2026-01-01T00:00:%02dZ %s\"}}\n\n", pod, second, text)
	}
	one, two, three := line("w-a-1", 1, "one"), line("w-b-2", 2, "two"), line("w-a-1", 3, "three")
	argo := line("w-a-1", 4, `time=\"2026-01-01T00:00:04Z\" level=info msg=\"sub-process exited\" argo=true`)
	refused := `data: {"error": {"grpc_code": 7, "http_code": 403, "message": "pods/log is forbidden"}}` + "\n\n"
	for name, test := range map[string]struct {
		o       client.LogOptions
		phases  []string // of each read
		streams []string // "!" at the end breaks one off
		want    string
		code    client.Code
	}{
		"all":                  {client.LogOptions{}, []string{"Succeeded"}, []string{one + two + three}, "a: one\nb: two\na: three\n", ""},
		"of one task":          {client.LogOptions{Task: "a"}, []string{"Succeeded"}, []string{one + two + three}, "one\nthree\n", ""},
		"none":                 {client.LogOptions{}, []string{"Succeeded"}, []string{""}, "", client.NotFound},
		"none yet":             {client.LogOptions{}, []string{"Running"}, []string{""}, "", ""},
		"no such task":         {client.LogOptions{Task: "c"}, []string{"Succeeded"}, []string{one}, "", client.NotFound},
		"broken off":           {client.LogOptions{}, []string{"Succeeded"}, []string{one + two + "!", one + two + three}, "a: one\nb: two\na: three\n", ""},
		"followed, broken off": {client.LogOptions{Follow: true}, []string{"Running", "Running", "Succeeded"}, []string{one + "!", one + two, two + three}, "a: one\nb: two\na: three\n", ""},
		"Argo's own":           {client.LogOptions{}, []string{"Succeeded"}, []string{one + three + argo}, "a: one\na: three\n", ""},
		"Argo's own, too":      {client.LogOptions{All: true}, []string{"Succeeded"}, []string{one + argo}, "a: one\na: time=\"2026-01-01T00:00:04Z\" level=info msg=\"sub-process exited\" argo=true\n", ""},
		"the last one":         {client.LogOptions{Tail: 1}, []string{"Succeeded"}, []string{one + two + three + argo}, "b: two\na: three\n", ""},
		"of a silent step":     {client.LogOptions{}, []string{"Succeeded"}, []string{argo}, "", ""},
		"forbidden":            {client.LogOptions{Follow: true}, []string{"Running"}, []string{one + refused}, "a: one\n", client.Denied},
		"comments":             {client.LogOptions{}, []string{"Succeeded"}, []string{": hello\n\nevent: x\n" + one}, "a: one\n", ""},
		"since":                {client.LogOptions{Since: time.Date(2026, 1, 1, 0, 0, 2, 0, time.UTC)}, []string{"Succeeded"}, []string{one + two + three}, "b: two\na: three\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			reads, streams := 0, 0
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if !strings.HasSuffix(r.URL.Path, "/w/log") {
					w.Header().Set("Content-Type", "application/json")
					fmt.Fprintf(w, logged, test.phases[min(reads, len(test.phases)-1)])
					reads++
					return
				}
				if q := r.URL.Query(); q.Get("logOptions.container") != "main" || streams > 0 && q.Get("logOptions.sinceSeconds") == "" && test.want != "" {
					t.Errorf("asked for is %s", r.URL)
				}
				w.Header().Set("Content-Type", "text/event-stream")
				text, broken := strings.CutSuffix(test.streams[min(streams, len(test.streams)-1)], "!")
				streams++
				fmt.Fprint(w, text)
				if broken {
					w.(http.Flusher).Flush()
					time.Sleep(20 * time.Millisecond)
					panic(http.ErrAbortHandler)
				}
			}))
			t.Cleanup(s.Close)
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
			defer cancel()
			var out strings.Builder
			test.o.Out = &out
			err := throughServer(t, s.URL, time.Second).Logs(ctx, "w", test.o)
			if client.CodeOf(err) != test.code || out.String() != test.want || streams != len(test.streams) {
				t.Errorf("%v after %d streams\n%s", err, streams, out.String())
			}
		})
	}
}
