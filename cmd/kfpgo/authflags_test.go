package main

import (
	"bytes"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/cmd/kfpgo/internal/flags"
	"github.com/kfpgo/kfpgo/internal/net/contexts"
)

// kfpgo runs the command in this process, with what it reads, and returns its error.
func kfpgo(t *testing.T, stdin string, args ...string) error {
	t.Helper()
	root := newRoot()
	root.SetArgs(args)
	root.SetIn(strings.NewReader(stdin))
	return root.ExecuteContext(t.Context())
}

// alone takes the variables of this machine that say which server is meant.
func alone(t *testing.T) (config string) {
	t.Helper()
	config = t.TempDir() + "/config.yaml"
	t.Setenv("KFPGO_CONFIG", config)
	for _, f := range contexts.Fields() {
		for _, name := range f.Env {
			t.Setenv(name, "")
		}
	}
	for _, name := range []string{"KFPGO_CONTEXT", "KFPGO_PASSWORD", "GOOGLE_APPLICATION_CREDENTIALS"} {
		t.Setenv(name, "")
	}
	return config
}

// TestAuthFlags: each setting of a server can be said of a context, by a flag of each verb
// and by a program.
func TestAuthFlags(t *testing.T) {
	alone(t)
	verb := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(flags.Server).Add(verb)
	context, _, err := newRoot().Find([]string{"context", "set"})
	if err != nil {
		t.Fatal(err)
	}
	set := context.Flags()
	of := reflect.TypeFor[contexts.Settings]()
	for _, f := range contexts.Fields() {
		if set.Lookup(f.Flag) == nil {
			t.Errorf("kfpgo context set has no --%s", f.Flag)
		}
		if (verb.Lookup(f.Flag) != nil) != (f.Only == "" && !f.Secret) {
			t.Errorf("verbs: --%s, which is for %q", f.Flag, f.Only)
		}
		if f.Help == "" || strings.Count(f.Help, "`") > 2 {
			t.Errorf("--%s: the help is %q", f.Flag, f.Help)
		}
		want, _ := of.FieldByName(f.Name)
		for engine, config := range map[string]reflect.Type{"kfp": reflect.TypeFor[kfp.Config](), "argo": reflect.TypeFor[argo.Config]()} {
			has, ok := config.FieldByName(f.Name)
			if should := f.Name != "Engine" && (f.For == "" || f.For == engine); ok != should || ok && has.Type != want.Type {
				t.Errorf("%s has a field %s: %t, want %t, of type %v", config, f.Name, ok, should, want.Type)
			}
		}
	}
	for _, name := range contexts.SecretVars {
		if verb.Lookup(strings.ToLower(strings.TrimPrefix(name, "KFPGO_"))) != nil {
			t.Errorf("a flag would show %s in lists of processes", name)
		}
	}
	for _, c := range []struct{ line, want string }{
		{"runs list --on argo --endpoint http://127.0.0.1:1 --login ada", "--login is of KFP, and the server is one of Argo"},
		{"runs list --on argo --endpoint http://127.0.0.1:1 --via port-forward", "--via is of KFP"},
		{"runs list --on kfp --argo-server http://127.0.0.1:1", "--argo-server is of Argo, and the server is one of KFP"},
		{"artifacts list --on argo --endpoint http://127.0.0.1:1 --metadata x:1", "--metadata is of KFP"},
		{"context set x --endpoint http://127.0.0.1:1 --engine argo --login ada", "--login is of KFP, and the server is one of Argo, as --engine says"},
		{"context set x --argo-server http://127.0.0.1:1", "--argo-server is of Argo"},
		{"context set x --engine argo --argo-server h:1 --kubeconfig f", "both the Argo server and the API of Kubernetes"},
		{"context set x --engine argo --kubeconfig f --token-command c", "is for the Argo server"},
		{"context set x --engine mars --endpoint http://127.0.0.1:1", `not "mars"`},
		{"context set x --endpoint http://127.0.0.1:1 --password-file f", "--password-file (PasswordFile) goes with --login (Login)"},
		{"context set x --endpoint http://127.0.0.1:1 --cert f", "one is missing"},
		{"context set x --token-file f", "leads nowhere"},
		{"runs list --on argo --argo-server h:1 --endpoint http://127.0.0.1:1", "both the Argo server and the API of Kubernetes"},
		{"runs list --endpoint http://127.0.0.1:1 --service-account-key f", "goes with --iap-client"},
		{"runs list --endpoint http://127.0.0.1:1 --login ada", "no password; name a file with it"},
		{"runs list --endpoint http://127.0.0.1:1 --iap-client x", "IAP needs the key file"},
		{"version --login ada", "--login is for commands that connect to a server"},
	} {
		if err := kfpgo(t, "", strings.Fields(c.line)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
	}
}

// TestCredentialPairs: each credential is taken alone, and no two of them are, wherever
// they come from. The credentials are those that the tags of the settings name.
func TestCredentialPairs(t *testing.T) {
	config := alone(t)
	const want = "more than one credential"
	refused := func(what string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", what, err, want)
		}
	}
	for engine, place := range map[string][]string{"kfp": {"--endpoint", "http://127.0.0.1:1"}, "argo": {"--argo-server", "http://127.0.0.1:1"}} {
		var all []*contexts.Field
		for _, f := range contexts.Fields() {
			if f.Credential != "" && (f.For == "" || f.For == engine) {
				all = append(all, f)
			}
		}
		if len(all) < 3 {
			t.Fatalf("%d credentials of %s", len(all), engine)
		}
		flags := func(list ...*contexts.Field) (args []string) {
			for _, f := range list {
				if args = append(args, "--"+f.Flag); !f.Secret {
					args = append(args, "x")
				}
			}
			return args
		}
		set := slices.Concat([]string{"context", "set", "--engine", engine}, place)
		for _, a := range all {
			name := engine + "-" + a.Flag
			if err := kfpgo(t, "x\n", slices.Concat(set, []string{name}, flags(a))...); err != nil {
				t.Errorf("%s alone: %v", name, err)
			}
			for _, b := range all {
				if a == b {
					continue
				}
				both := fmt.Sprintf("%s: %s and %s", engine, a.Flag, b.Flag)
				before, err := os.ReadFile(config)
				if err != nil {
					t.Fatal(err)
				}
				refused(both+", one after the other", kfpgo(t, "x\n", slices.Concat(set, []string{name}, flags(b))...))
				if err := kfpgo(t, "x\n", slices.Concat(set, []string{"both"}, flags(a, b))...); err == nil {
					t.Errorf("%s: both at once are kept", both)
				}
				if after, err := os.ReadFile(config); err != nil || string(after) != string(before) {
					t.Errorf("%s: the file was changed: %v\n%s", both, err, after)
				}
				s := contexts.Settings{Engine: engine}
				for _, f := range []*contexts.Field{a, b} {
					switch at := f.In(&s).(type) {
					case *string:
						*at = "x"
					case *[]string:
						*at = []string{"x"}
					}
				}
				var k kfp.Config
				contexts.Match(&k, &s)
				k.Endpoint = "http://127.0.0.1:1"
				if _, err := kfp.Connect(k); engine == "kfp" {
					refused(both+", kfp.Config", err)
				}
				for _, o := range []argo.Config{{Server: "127.0.0.1:1"}, {Endpoint: "http://127.0.0.1:1"}} {
					o.Token, o.TokenFile, o.TokenCommand = s.Token, s.TokenFile, s.TokenCommand
					if _, err := argo.Connect(o); engine == "argo" {
						refused(both+", argo.Config", err)
					}
				}
				file, err := contexts.Load(os.Getenv)
				if err != nil {
					t.Fatal(err)
				}
				s.Server, s.Endpoint = "", "http://127.0.0.1:1"
				file.Contexts["written"] = &s
				if err := file.Save(); err != nil {
					t.Fatal(err)
				}
				refused(both+", in a file", kfpgo(t, "", "runs", "list", "--on", engine, "--context", "written"))
				if err := os.WriteFile(config, before, 0o600); err != nil {
					t.Fatal(err)
				}
				if !a.Secret && !b.Secret {
					refused(both+", by flags", kfpgo(t, "", slices.Concat([]string{"runs", "list", "--on", engine}, place, flags(a, b))...))
				}
			}
		}
	}
}

// TestContextChange: a credential is exchanged by taking away the one that is there, and a
// secret too.
func TestContextChange(t *testing.T) {
	alone(t)
	for _, c := range []struct{ stdin, line, want string }{
		{"x\n", "context set a --endpoint http://127.0.0.1:1 --token-stdin", ""},
		{"", "context set a --login ada", "removes a setting of the context"},
		{"", "context set a --login ada --token-stdin=false", ""},
		{"session=y\n", "context set a --cookie-stdin", "cookie and login"},
		{"", "context set a --token-stdin", "the standard input holds no token"},
		{"session=y\n", "context set a --cookie-stdin --login=", ""},
	} {
		err := kfpgo(t, c.stdin, strings.Fields(c.line)...)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.line, err, c.want)
		}
	}
	file, err := contexts.Load(os.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if a := file.Contexts["a"]; a.Cookie != "session=y" || a.Token != "" || a.Login != "" {
		t.Errorf("%+v", a)
	}
	var out bytes.Buffer
	root := newRoot()
	root.SetArgs([]string{"context", "list"})
	root.SetOut(&out)
	if err := root.ExecuteContext(t.Context()); err != nil || !strings.Contains(out.String(), "cookie") {
		t.Errorf("%v\n%s", err, &out)
	}
}
