//go:build linux

package main

import (
	"bytes"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/internal/testing/fakekfp"
)

// A listener serves a KFP server in memory at one address, and may go away for a while.
type listener struct {
	address string
	handler http.Handler

	mu  sync.Mutex
	srv *http.Server
}

func (l *listener) up(t *testing.T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	conn, err := net.Listen("tcp", l.address)
	if err != nil {
		t.Errorf("the address is not free again: %v", err)
		return
	}
	l.address, l.srv = conn.Addr().String(), &http.Server{Handler: l.handler}
	go l.srv.Serve(conn)
}

func (l *listener) url() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return "http://" + l.address
}

func (l *listener) down() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.srv.Close()
}

// looks returns a hook that is called with the number of each look at a run.
func looks(do func(n int, w http.ResponseWriter, r *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
	var n atomic.Int32
	return func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodGet || !strings.Contains(r.URL.Path, "/runs/") {
			return do(0, w, r)
		}
		return do(int(n.Add(1)), w, r)
	}
}

// TestWaitSurvives: run --wait goes on to the run's end while the server is restarted,
// connections are dropped and the token expires.
func TestWaitSurvives(t *testing.T) {
	t.Parallel()
	for name, setup := range map[string]func(t *testing.T, s *fakekfp.Server, l *listener, token string){
		"a restart of the server": func(t *testing.T, s *fakekfp.Server, l *listener, _ string) {
			s.First(looks(func(n int, _ http.ResponseWriter, _ *http.Request) bool {
				if n != 2 {
					return false
				}
				go func() {
					l.down()
					time.Sleep(1500 * time.Millisecond)
					l.up(t)
				}()
				time.Sleep(time.Second)
				panic(http.ErrAbortHandler)
			}))
		},
		"connections that are dropped": func(_ *testing.T, s *fakekfp.Server, _ *listener, _ string) {
			s.First(looks(func(n int, _ http.ResponseWriter, _ *http.Request) bool {
				if n%2 == 1 {
					panic(http.ErrAbortHandler)
				}
				return false
			}))
		},
		"a proxy without a server behind it": func(_ *testing.T, s *fakekfp.Server, _ *listener, _ string) {
			s.First(looks(func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 0 || n > 9 { // more than one look is repeated by itself
					return false
				}
				w.Header().Set("Content-Type", "text/html")
				w.WriteHeader(http.StatusBadGateway)
				return true
			}))
		},
		"a token that expires": func(t *testing.T, s *fakekfp.Server, _ *listener, token string) {
			var valid atomic.Value
			valid.Store("one")
			s.First(looks(func(n int, w http.ResponseWriter, r *http.Request) bool {
				if n == 2 && valid.CompareAndSwap("one", "two") {
					if err := os.WriteFile(token, []byte("two"), 0o600); err != nil {
						t.Error(err)
					}
				}
				if r.Header.Get("Authorization") == "Bearer "+valid.Load().(string) {
					return false
				}
				http.Error(w, "expired", http.StatusUnauthorized)
				return true
			}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fakekfp.New(t)
			dir := t.TempDir()
			token := filepath.Join(dir, "token")
			l := &listener{address: "127.0.0.1:0", handler: s}
			setup(t, s, l, token)
			l.up(t)
			t.Cleanup(l.down)
			private(t, token, "one")
			private(t, dir+"/pipeline.yaml", smallPipeline)
			out, err := exec.Command("kfpgo", "run", dir+"/pipeline.yaml", "--on", "kfp", "--wait", "--endpoint", l.url(), "--token-file", token, "--request-timeout", "5s").CombinedOutput()
			if err != nil || !strings.Contains(string(out), "SUCCEEDED") || s.Count("runs") != 1 {
				t.Errorf("%d runs, %v\n%s", s.Count("runs"), err, out)
			}
		})
	}
}

func private(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestWaitInterrupted: ctrl-C leaves the run alone, and what is said then leads back to
// it, with the same server and credential.
func TestWaitInterrupted(t *testing.T) {
	t.Parallel()
	s := fakekfp.New(t)
	dir := t.TempDir()
	private(t, dir+"/pipeline.yaml", smallPipeline)
	private(t, dir+"/to ken", "one")
	seen, last := make(chan bool, 1), make(chan bool)
	s.First(looks(func(n int, w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("Authorization") != "Bearer one" || r.Header.Get("x-user") != "ada" {
			http.Error(w, "who are you?", http.StatusUnauthorized)
			return true
		}
		if n == 2 {
			seen <- true
			select {
			case <-last:
			case <-r.Context().Done():
			}
		}
		return false
	}))
	cmd := exec.Command("kfpgo", "run", dir+"/pipeline.yaml", "--on", "kfp", "--wait", "--endpoint", s.URL, "--token-file", dir+"/to ken", "--user", "ada", "--user-header", "x-user")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-seen
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	close(last)
	_, back, ok := strings.Cut(out.String(), "to wait for it again: ")
	back, _, _ = strings.Cut(back, "\n")
	if cmd.ProcessState.ExitCode() != 130 || !ok {
		t.Fatalf("exit code %d\n%s", cmd.ProcessState.ExitCode(), out.String())
	}
	for _, r := range s.Requests() {
		if strings.Contains(r, ":terminate") || strings.HasPrefix(r, "DELETE") {
			t.Errorf("the run was not left alone: %s", r)
		}
	}
	said, err := exec.Command("sh", "-c", back).CombinedOutput()
	if err != nil || !strings.Contains(string(said), "SUCCEEDED") || s.Count("runs") != 1 {
		t.Errorf("%s: %v\n%s", back, err, said)
	}
}
