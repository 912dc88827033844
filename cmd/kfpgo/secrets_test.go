//go:build linux

package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// A teller is a server that tells whoever asks what it was sent, in its own way.
type teller struct {
	URL, TLS string
	mode     string

	mu   sync.Mutex
	seen map[string]bool // that was sent to let somebody in
	ps   string          // command lines of all processes, while it was asked
}

// tellings are the ways in which a server fails. Each is given what to tell.
var tellings = map[string]func(w http.ResponseWriter, r *http.Request, text string){
	"plain 401": func(w http.ResponseWriter, _ *http.Request, text string) {
		http.Error(w, text, http.StatusUnauthorized)
	},
	"status 403": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(403)
		json.NewEncoder(w).Encode(map[string]any{"code": 7, "message": text, "details": []any{map[string]any{"@type": "x", "text": text}}})
	},
	"long 400": func(w http.ResponseWriter, _ *http.Request, text string) {
		http.Error(w, strings.Repeat("x", 295-len("Bearer "))+text, 400) // what is shown ends within it
	},
	"json 500": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(500)
		json.NewEncoder(w).Encode(map[string]any{"error": text})
	},
	"page": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<form>password ", text)
	},
	"redirect": func(w http.ResponseWriter, r *http.Request, text string) {
		http.Redirect(w, r, "/dex/auth?state="+url.QueryEscape(text), http.StatusFound)
	},
	"bad value": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"runs": text}) // of a date the client makes none, since forms of dates change
	},
	"bad json": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"runs": `, text)
	},
	"plain 503": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Retry-After", text)
		http.Error(w, text, http.StatusServiceUnavailable)
	},
	"cut": func(w http.ResponseWriter, _ *http.Request, text string) {
		w.Header().Set("Content-Length", "100000")
		fmt.Fprint(w, text)
		panic(http.ErrAbortHandler)
	},
}

func newTeller(t *testing.T, mode string) *teller {
	s := &teller{mode: mode, seen: map[string]bool{}}
	h := httptest.NewServer(s)
	t.Cleanup(h.Close)
	secure := httptest.NewTLSServer(s)
	t.Cleanup(secure.Close)
	s.URL, s.TLS = h.URL, secure.URL
	return s
}

// sent returns what was sent to let somebody in.
func (s *teller) sent() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.seen))
}

// running returns the command lines of all processes while the server was asked.
func (s *teller) running() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ps
}

func (s *teller) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	r.ParseForm()
	s.mu.Lock()
	if s.ps == "" {
		s.ps = processes()
	}
	for _, name := range []string{"Authorization", "Cookie", "Proxy-Authorization"} {
		for _, v := range r.Header.Values(name) {
			s.seen[v] = true
		}
	}
	for _, name := range []string{"password", "assertion"} {
		if v := r.PostForm.Get(name); v != "" {
			s.seen[v] = true
		}
	}
	s.mu.Unlock()
	words := s.sent()
	var text strings.Builder
	for _, v := range words {
		text.WriteString(v + " ") // the first one begins the text, which may be cut
	}
	for _, v := range words {
		_, bare, _ := strings.Cut(v, " ")
		_, value, _ := strings.Cut(v, "=")
		fmt.Fprintf(&text, "%q %s %s %s %s ", v, url.QueryEscape(v), url.PathEscape(v), bare, value)
		for _, part := range []string{v, bare, value} {
			fmt.Fprint(&text, base64.StdEncoding.EncodeToString([]byte(part)), " ")
		}
	}
	text.WriteString("was sent")
	switch {
	case strings.HasPrefix(r.URL.Path, "/token"): // of Google
		if s.mode == "plain 401" {
			w.WriteHeader(400)
			json.NewEncoder(w).Encode(map[string]string{"error": "invalid_grant", "error_description": text.String()})
			return
		}
		json.NewEncoder(w).Encode(map[string]string{"id_token": "id-token-of-google"})
	case r.URL.Path == "/dex/auth/local" && r.Method == http.MethodGet:
		fmt.Fprint(w, `<form method="post" action="/dex/auth/local"><input name="login"><input name="password">`)
	case r.URL.Path == "/dex/auth/local":
		if s.mode == "plain 401" {
			http.Redirect(w, r, "/dex/wrong?you-sent="+url.QueryEscape(text.String()), http.StatusFound)
			return
		}
		http.SetCookie(w, &http.Cookie{Name: "authservice_session", Value: "session-of-dex", Path: "/"})
		fmt.Fprint(w, "welcome")
	case r.URL.Path == "/":
		http.Redirect(w, r, "/dex/auth", http.StatusFound)
	case r.URL.Path == "/dex/auth":
		fmt.Fprint(w, "how do you want to log in?")
	default:
		tellings[s.mode](w, r, text.String())
	}
}

// processes returns the command lines of all processes of this machine.
func processes() string {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var all bytes.Buffer
	for _, f := range files {
		b, _ := os.ReadFile(f) // it may have ended
		all.Write(bytes.ReplaceAll(b, []byte{0}, []byte{' '}))
		all.WriteByte('\n')
	}
	return all.String()
}

// A way is how a user authenticates.
type way struct {
	args    []string
	env     []string
	files   map[string]string
	context []string // of kfpgo context set, with "" for what it reads
	stdin   string
	secrets []string
}

const script = "#!/bin/sh\n"

// ways are all of them. SERVER is the address of the server, SECURE that by TLS, and DIR that of the files.
func ways(t *testing.T) map[string]way {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	private := string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
	account, err := json.Marshal(map[string]string{"type": "service_account", "client_email": "a@b", "private_key_id": "1", "private_key": private, "token_uri": "SERVER/token"})
	if err != nil {
		t.Fatal(err)
	}
	kube := func(user string) string {
		return "apiVersion: v1\nkind: Config\ncurrent-context: c\nclusters: [{name: c, cluster: {server: SECURE, insecure-skip-tls-verify: true}}]\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u, user: " + user + "}]\n"
	}
	const password = `pass w\u00f6rd&5up3r<"B2">`
	lines := strings.Split(private, "\n")
	return map[string]way{
		"token in the environment": {env: []string{"KFPGO_TOKEN=token-5up3r"}, secrets: []string{"token-5up3r"}},
		"token in a context":       {context: []string{"--endpoint", "SERVER", "--token-stdin"}, stdin: "token-5up3r\n", secrets: []string{"token-5up3r"}},
		"token file":               {args: []string{"--token-file", "DIR/token"}, files: map[string]string{"token": "token-5up3r\n"}, secrets: []string{"token-5up3r"}},
		"token command":            {args: []string{"--token-command", "DIR/ask"}, files: map[string]string{"ask": script + "echo token-5up3r"}, secrets: []string{"token-5up3r"}},
		"token command that fails": {
			args:    []string{"--token-command", "sh", "--token-command", "-x", "--token-command", "DIR/ask"},
			files:   map[string]string{"ask": script + "echo token-5up3r; echo you have token-5up3r >&2; exit 3"},
			secrets: []string{"token-5up3r"},
		},
		"cookie in the environment": {env: []string{"KFPGO_COOKIE=lang=en; session=cookie-5up3r"}, secrets: []string{"cookie-5up3r"}},
		"cookie in a context":       {context: []string{"--endpoint", "SERVER", "--cookie-stdin"}, stdin: "session=cookie-5up3r\n", secrets: []string{"cookie-5up3r"}},
		"login with a file": {
			context: []string{"--endpoint", "SERVER", "--login", "ada", "--password-file", "DIR/password"}, files: map[string]string{"password": password + "\n"},
			secrets: []string{password, "session-of-dex"},
		},
		"login": {context: []string{"--endpoint", "SERVER", "--login", "ada"}, env: []string{"KFPGO_PASSWORD=" + password}, secrets: []string{password, "session-of-dex"}},
		"IAP": {
			context: []string{"--endpoint", "SERVER", "--iap-client", "id", "--service-account-key", "DIR/account"}, files: map[string]string{"account": string(account)},
			secrets: []string{lines[1], "id-token-of-google"},
		},
		"proxy": {
			context: []string{"--endpoint", "http://kfp.example.com", "--proxy", "http://ada:proxy-5up3r@HOST"}, secrets: []string{"proxy-5up3r", base64.StdEncoding.EncodeToString([]byte("ada:proxy-5up3r"))},
		},
		"pages with a password": {context: []string{"--endpoint", "SERVER", "--ui", "http://ada:pages-5up3r@SITE", "--store", "http://store-5up3r@s3"}, secrets: []string{"pages-5up3r", "store-5up3r"}},
		"command with a secret": {
			context: []string{"--endpoint", "SERVER", "--token-command", "DIR/ask"}, files: map[string]string{"ask": script + "echo token-5up3r"}, secrets: []string{"token-5up3r"},
		},
		"kubeconfig with a token":    {args: []string{"--kubeconfig", "DIR/kube"}, files: map[string]string{"kube": kube("{token: kube-5up3r}")}, secrets: []string{"kube-5up3r"}},
		"kubeconfig with a password": {args: []string{"--kubeconfig", "DIR/kube"}, files: map[string]string{"kube": kube("{username: ada, password: kube-5up3r}")}, secrets: []string{"kube-5up3r"}},
		"kubeconfig with a command": {
			args: []string{"--kubeconfig", "DIR/kube"},
			files: map[string]string{
				"kube": kube("{exec: {apiVersion: client.authentication.k8s.io/v1, command: DIR/ask, interactiveMode: Never}}"),
				"ask":  script + `echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "kube-5up3r"}}'`,
			},
			secrets: []string{"kube-5up3r"},
		},
		"key that isn't the certificate's": {
			args:  []string{"--cert", "DIR/cert", "--key", "DIR/key"},
			files: map[string]string{"cert": "no certificate", "key": private}, secrets: []string{lines[1]},
		},
		"password in the endpoint": {env: []string{"KF_PIPELINES_ENDPOINT=http://ada:address-5up3r@HOST"}, secrets: []string{"address-5up3r"}},
		"Argo, token":              {args: []string{"--on", "argo", "--endpoint", "SERVER"}, env: []string{"KFPGO_TOKEN=token-5up3r"}, secrets: []string{"token-5up3r"}},
		"Argo, token file":         {args: []string{"--on", "argo", "--endpoint", "SERVER", "--token-file", "DIR/token"}, files: map[string]string{"token": "token-5up3r"}, secrets: []string{"token-5up3r"}},
		"Argo, kubeconfig": {
			args: []string{"--on", "argo", "--kubeconfig", "DIR/kube"}, files: map[string]string{"kube": kube("{username: ada, password: kube-5up3r}")}, secrets: []string{"kube-5up3r"},
		},
	}
}

// TestSecrets: whatever a server does with what it was sent, no secret shows in what
// kfpgo writes, nor in the list of processes, nor in what it shows of contexts. Who the
// user is, told in a header, is not a secret: messages need it.
func TestSecrets(t *testing.T) {
	t.Parallel()
	verbs := map[string][]string{"runs list": {"runs", "list"}, "run": {"run", "PIPELINE", "--wait"}, "context test": {"context", "test"}, "upload": {"pipelines", "upload", "PIPELINE"}}
	asked := sync.Map{}
	t.Run("ways", func(t *testing.T) {
		for name, w := range ways(t) {
			for mode := range tellings {
				for verb, words := range verbs {
					if !worth(name, mode, verb) {
						continue
					}
					t.Run(name+"/"+mode+"/"+verb, func(t *testing.T) {
						t.Parallel()
						s := newTeller(t, mode)
						said := tell(t, s, w, words)
						for _, v := range s.sent() {
							asked.Store(name, true)
							_, bare, _ := strings.Cut(v, " ")
							_, value, _ := strings.Cut(v, "=")
							for _, secret := range []string{v, bare, value} {
								if len(secret) > 8 && strings.Contains(said, secret) {
									t.Errorf("%s is in\n%s", secret, said)
								}
							}
						}
					})
				}
			}
		}
	})
	for name := range ways(t) {
		_, ok := asked.Load(name)
		want := !slices.Contains([]string{"token command that fails", "pages with a password", "key that isn't the certificate's", "password in the endpoint"}, name)
		if ok != want {
			t.Errorf("%s: a credential reached the server: %t, want %t", name, ok, want)
		}
	}
}

// worth reports whether a way to authenticate is tried with a way of failing and a command:
// one command does for most, and what is tried again takes seconds.
func worth(way, mode, verb string) bool {
	argo := strings.HasPrefix(way, "Argo")
	switch {
	case argo && mode == "bad value": // Argo has no such field
		return false
	case mode == "plain 503", mode == "cut", argo && (mode == "json 500" || mode == "bad json"):
		return verb == "runs list" && (way == "token file" || way == "Argo, token")
	case mode == "plain 401" && slices.Contains([]string{"token in a context", "login", "IAP", "kubeconfig with a token"}, way):
		return true
	}
	return verb == "runs list"
}

// tell runs a verb, and returns what it has said.
func tell(t *testing.T, s *teller, w way, words []string) (all string) {
	dir := t.TempDir()
	here := strings.NewReplacer("SERVER", s.URL, "SECURE", s.TLS, "HOST", strings.TrimPrefix(s.URL, "http://"), "DIR", dir, "PIPELINE", dir+"/pipeline.yaml")
	files := map[string]string{"pipeline.yaml": smallPipeline}
	maps.Copy(files, w.files)
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(here.Replace(text)), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	config := filepath.Join(dir, "config.yaml")
	if err := os.WriteFile(config, []byte("current: \"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	kfpgo := func(args ...string) string {
		for i := range args {
			args[i] = here.Replace(args[i])
		}
		cmd := exec.Command("kfpgo", args...)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "KFPGO_CONFIG=" + config, "DEBUG=1", "SWAGGER_DEBUG=1"}
		for _, v := range w.env {
			cmd.Env = append(cmd.Env, here.Replace(v))
		}
		cmd.Stdin = strings.NewReader(w.stdin)
		out, err := cmd.CombinedOutput()
		return fmt.Sprintf("kfpgo %q: %v\n%s", args, err, out)
	}
	if w.context != nil {
		all += strings.SplitN(kfpgo(append([]string{"context", "set", "c"}, w.context...)...), "\n", 2)[1]
		if st, err := os.Stat(config); err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("the file of contexts: %v %v", st.Mode(), err)
		}
		for _, format := range []string{"table", "json", "yaml"} {
			all += kfpgo("context", "list", "--format", format)
		}
	}
	if w.context == nil && !slices.Contains(w.args, "--endpoint") && !slices.Contains(w.args, "--kubeconfig") && !strings.HasPrefix(strings.Join(w.env, ""), "KF_") {
		words = append(words, "--endpoint", "SERVER")
	}
	if words[0] == "run" && !slices.Contains(w.args, "--on") {
		words = append(words, "--on", "kfp")
	}
	got := kfpgo(append(append(slices.Clone(words), w.args...), "--request-timeout", "2s")...)
	if !strings.Contains(got, "exit status 1\n") {
		t.Errorf("it didn't fail as it should\n%s", got)
	}
	all += got
	for _, secret := range w.secrets {
		for _, form := range []string{secret, url.QueryEscape(secret), url.PathEscape(secret), strings.Trim(fmt.Sprintf("%q", secret), `"`), base64.StdEncoding.EncodeToString([]byte(secret))} {
			if strings.Contains(all, form) {
				t.Errorf("%s is in\n%s", form, all)
			}
			if strings.Contains(s.running(), form) && !strings.Contains(strings.Join(w.context, " "), secret) { // where the user has typed it
				t.Errorf("%s is in the list of processes", form)
			}
		}
		// A piece of it is too much as well.
		if n := len(secret) * 2 / 3; n > 6 && strings.Contains(all, secret[:n]) {
			t.Errorf("%s… is in\n%s", secret[:n], all)
		}
	}
	return all
}

const smallPipeline = `pipelineInfo: {name: hello}
schemaVersion: 2.1.0
sdkVersion: kfp-2.17.3
root: {dag: {tasks: {step: {taskInfo: {name: step}, componentRef: {name: comp-step}, cachingOptions: {}}}}}
components: {comp-step: {executorLabel: exec-step}}
deploymentSpec: {executors: {exec-step: {container: {image: busybox, command: [echo]}}}}
`
