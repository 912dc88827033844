package main

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"github.com/kfpgo/kfpgo/client/kfp"
	"github.com/kfpgo/kfpgo/internal/contexts"
)

// TestAuthFlags: what says how to reach a server and to be let in can be said of a
// context, by the flags of each verb and by a program, in the same words.
func TestAuthFlags(t *testing.T) {
	verb := pflag.NewFlagSet("", pflag.ContinueOnError)
	new(serverFlags).add(verb)
	set := newContextSet().Flags()
	// Where only one of both has a flag, and why.
	onlyContext := map[string]string{
		"engine": "--on of verbs", "ui": "links are of a server", "experiment": "a flag of the verbs that start runs", "token-stdin": "a secret", "cookie-stdin": "a secret",
		"metadata": "a flag of artifacts", "store": "a flag of artifacts",
	}
	onlyVerb := map[string]string{"context": "its NAME", "request-timeout": "of a call, not of a server"}
	verb.VisitAll(func(f *pflag.Flag) {
		if set.Lookup(f.Name) == nil && onlyVerb[f.Name] == "" {
			t.Errorf("kfpgo context set has no --%s", f.Name)
		}
	})
	set.VisitAll(func(f *pflag.Flag) {
		if verb.Lookup(f.Name) == nil && onlyContext[f.Name] == "" {
			t.Errorf("verbs have no --%s", f.Name)
		}
	})
	// Each setting of a file of contexts has a flag, and a field of the client's Config.
	of := reflect.TypeFor[contexts.Context]()
	config := reflect.TypeFor[kfp.Config]()
	flagOf := map[string]string{"Token": "token-stdin", "Cookie": "cookie-stdin", "IAPKey": "service-account-key", "Insecure": "insecure-skip-tls-verify"}
	fieldOf := map[string]string{"IAPKey": "ServiceAccountKey", "Engine": "Context", "ArgoServer": "Context"} // of Argo's own Config
	for i := range of.NumField() {
		name := of.Field(i).Name
		flag := flagOf[name]
		if flag == "" {
			var b strings.Builder
			for j, r := range name {
				if j > 0 && r >= 'A' && r <= 'Z' && (name[j-1] < 'A' || name[j-1] > 'Z' || j+1 < len(name) && name[j+1] >= 'a' && name[j+1] <= 'z') {
					b.WriteByte('-')
				}
				b.WriteRune(r)
			}
			flag = strings.ToLower(b.String())
		}
		if set.Lookup(flag) == nil {
			t.Errorf("kfpgo context set has no --%s for %s", flag, name)
		}
		field := fieldOf[name]
		if field == "" {
			field = name
		}
		if _, ok := config.FieldByName(field); !ok {
			t.Errorf("kfp.Config has no %s", field)
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
		{"runs list --endpoint http://127.0.0.1:1 --iap-client x --token-file y", "more than one credential"},
		{"runs list --endpoint http://127.0.0.1:1 --login ada", "no password; name a file with it"},
		{"runs list --endpoint http://127.0.0.1:1 --iap-client x", "IAP needs the key file"},
		{"version --login ada", "--login is for verbs that speak to a server"},
	} {
		root := newRoot()
		root.SetArgs(strings.Fields(c.line))
		t.Setenv("KFPGO_CONFIG", t.TempDir()+"/none")
		t.Setenv("GOOGLE_APPLICATION_CREDENTIALS", "")
		if err := root.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", c.line, err, c.want)
		}
	}
	if len(slices.Collect(func(yield func(string) bool) { verb.VisitAll(func(f *pflag.Flag) { yield(f.Name) }) })) < 20 {
		t.Error("there are too few flags to be all")
	}
}
