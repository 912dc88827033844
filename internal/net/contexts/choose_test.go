package contexts_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

const servers = `current: a
contexts:
  a: {endpoint: "http://a", namespace: ml, login: ada, passwordFile: /p, cert: /c, key: /k, kubeContext: kind}
  b: {endpoint: "http://b", token: t}
  argo: {engine: argo, argoServer: "https://argo", namespace: ml, tokenFile: /f}
`

// TestChoose: variables of the environment stand over a context, a server's credentials
// stay with it, and of a context that is named on purpose neither is another one.
func TestChoose(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(servers), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ engine, name, env, want string }{
		{"kfp", "", "", "http://a ml ada /p"},
		{"kfp", "b", "", "http://b t"},
		{"kfp", "b", "KFPGO_TOKEN=u KF_PIPELINES_ENDPOINT=http://e KFPGO_NAMESPACE=n", "http://b n t"},
		{"kfp", "", "KFPGO_CONTEXT=b KFPGO_NAMESPACE=n", "http://b n t"},
		{"kfp", "", "KFPGO_TOKEN=u ARGO_TOKEN=v", "http://a ml u"},
		{"kfp", "", "KFPGO_COOKIE=c=d KFPGO_TOKEN=u", "http://a ml u"},
		{"kfp", "", "KF_PIPELINES_ENDPOINT=http://e", "http://e"},
		{"kfp", "", "ARGO_SERVER=e:1", "http://a ml ada /p"},
		{"kfp", "argo", "", "context argo is of Argo, not of KFP"},
		{"kfp", "", "KFPGO_CONTEXT=nope", `KFPGO_CONTEXT: there is no context "nope"`},
		{"argo", "argo", "ARGO_TOKEN=u ARGO_NAMESPACE=n", "https://argo ml /f"},
		{"argo", "", "KFPGO_CONTEXT=argo ARGO_TOKEN=u ARGO_NAMESPACE=n", "https://argo n u"},
		{"argo", "", "ARGO_SERVER=e:1", "e:1"},
		{"argo", "", "ARGO_TOKEN=u KF_PIPELINES_ENDPOINT=http://e", ""},
		{"argo", "", "KFPGO_CONTEXT=a", "context a is of KFP, not of Argo"},
	} {
		env := map[string]string{"KFPGO_CONFIG": path}
		for _, v := range strings.Fields(c.env) {
			k, v, _ := strings.Cut(v, "=")
			env[k] = v
		}
		s, _, err := contexts.Choose(c.name, c.engine, func(k string) string { return env[k] })
		got := fmt.Sprint(err)
		if err == nil {
			got = strings.Join(strings.Fields(strings.Join([]string{s.Server, s.Endpoint, s.Namespace, s.Token, s.TokenFile, s.Cookie, s.Login, s.PasswordFile}, " ")), " ")
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

// TestUnder: of a group one source has all, and the rest is filled in.
func TestUnder(t *testing.T) {
	under := contexts.Settings{Endpoint: "e", KubeContext: "k", Login: "ada", PasswordFile: "p", Cert: "c", Key: "k", CA: "ca", Insecure: true, TokenCommand: []string{"t"}}
	for _, c := range []struct{ over, want contexts.Settings }{
		{contexts.Settings{}, under},
		{contexts.Settings{Token: "t", CA: "own"}, contexts.Settings{Token: "t", CA: "own", Endpoint: "e", KubeContext: "k", Cert: "c", Key: "k", Insecure: true}},
		{contexts.Settings{Kubeconfig: "f", Key: "k2", PasswordFile: "p2"}, contexts.Settings{
			Kubeconfig: "f", Key: "k2", PasswordFile: "p2", Login: "ada", CA: "ca", Insecure: true, TokenCommand: []string{"t"},
		}},
	} {
		got := c.over
		got.Under(&under)
		if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", c.want) {
			t.Errorf("%+v: got\n%+v", c.over, got)
		}
	}
}

// TestFields: flags and keys are of one setting each, and what a tag names is there.
func TestFields(t *testing.T) {
	flags, names := map[string]bool{}, map[string]bool{"": true}
	for _, f := range contexts.Fields() {
		if flags[f.Flag] {
			t.Errorf("two settings have --%s", f.Flag)
		}
		flags[f.Flag], names[f.Name] = true, true
	}
	owner := ""
	for _, f := range contexts.Fields() {
		if f.With == "" {
			owner = f.Name
		}
		if f.Group == "credential" && f.With != "" && f.With != owner || !names[f.With] || f.Credential != "" && f.Group != "credential" || f.For != "" && f.For != "kfp" && f.For != "argo" {
			t.Errorf("%+v", f)
		}
	}
}
