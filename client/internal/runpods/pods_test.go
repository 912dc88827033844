package runpods

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

func at(address string) *Run {
	return &Run{API: &kubeapi.Client{Base: address, HTTP: http.DefaultClient}, Namespace: "ml", Selector: "x=y"}
}

// TestForeignAnswers: what isn't an answer of Kubernetes is an error, and no empty list
// or log.
func TestForeignAnswers(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"XML":    func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<a/>") },
		"HTML":   func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<!doctype html><html>") },
		"null":   func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "null") },
		"a list": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "[]") },
		"empty":  func(http.ResponseWriter, *http.Request) {},
		"other":  func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"error": "log in"}`) },
		"large": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", fmt.Sprint(web.MaxAnswer+1))
		},
		"redirect": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) },
	} {
		s := httptest.NewServer(answer)
		a := at(s.URL)
		if pods, err := a.list(t.Context()); err == nil {
			t.Errorf("%s: pods %v", name, pods)
		}
		if err := a.describe(t.Context(), nil); err == nil {
			t.Errorf("%s: events", name)
		}
		s.Close()
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<!doctype html><html>") }))
	defer s.Close()
	var b bytes.Buffer
	err := at(s.URL).log(t.Context(), &Pod{Pod: client.Pod{Name: "p"}}, client.LogOptions{}, 0, &b)
	if err == nil || b.Len() > 0 {
		t.Errorf("a log that is a page: %q, %v", b.String(), err)
	}
}

// TestTail: the last lines are those that aren't hidden.
func TestTail(t *testing.T) {
	for tail, want := range map[int]string{0: "1\n2\n3\n", 1: "3\n", 2: "2\n3\n", 9: "1\n2\n3\n"} {
		log := "1\n2\n3\n" + strings.Repeat("time=now level=info msg=x argo=true\n", 2)
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !strings.HasSuffix(r.URL.Path, "/log") {
				io.WriteString(w, `{"items": [{"metadata": {"name": "p"}, "spec": {"containers": [{"name": "main"}]}, "status": {"phase": "Running"}}]}`)
				return
			}
			if n, _ := strconv.Atoi(r.URL.Query().Get("tailLines")); n > 0 {
				lines := strings.SplitAfter(log, "\n")
				log = strings.Join(lines[max(0, len(lines)-1-n):], "")
			}
			io.WriteString(w, log)
		}))
		var b bytes.Buffer
		if n, err := at(s.URL).follow(t.Context(), client.LogOptions{Tail: tail, Task: "p", Out: &b}, func(*Pod) string { return "p" }); err != nil || n != 1 || b.String() != want {
			t.Errorf("%d lines: %d pods, %v: %q", tail, n, err, b.String())
		}
		s.Close()
	}
}

// TestLongLines: a line without an end isn't kept together.
func TestLongLines(t *testing.T) {
	var b bytes.Buffer
	long := strings.Repeat("x", 3*web.MaxLine)
	if err := (&prefixed{w: &b}).copy("p: ", strings.NewReader("a\n"+long+"\nb"), nil, 0); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(b.String(), "\n")
	if lines[0] != "p: a" || lines[len(lines)-2] != "p: b" || len(lines) < 5 {
		t.Errorf("%d lines", len(lines))
	}
	if got := strings.ReplaceAll(strings.Join(lines, ""), "p: ", ""); got != "a"+long+"b" {
		t.Errorf("%d bytes", len(got))
	}
}
