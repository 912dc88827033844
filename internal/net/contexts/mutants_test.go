package contexts_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/kfpgo/kfpgo/internal/net/contexts"
	"github.com/kfpgo/kfpgo/internal/testing/mutants"
)

const good = `current: a
contexts:
  a: {engine: kfp, endpoint: "https://u:p@x/y", namespace: ml, token: secret, tokenCommand: [a, b], insecure: true}
  b: {engine: argo, argoServer: "https://x", kubeconfig: /x, proxy: "http://p"}
`

// use reads a file and does with it what the command does.
func use(t testing.TB, path string, b []byte) {
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := contexts.Load(func(name string) string { return map[string]string{"KFPGO_CONFIG": path}[name] })
	if err != nil {
		return
	}
	for _, name := range append(f.Names(), "", "a") {
		_, _ = f.Get(name)
	}
	f.Contexts["new"] = &contexts.Settings{Endpoint: "https://z"}
	if err := f.Save(); err != nil {
		t.Error(err)
	}
}

// TestMutants: a file with null, or something else, in any place is refused, or can be
// used and written again.
func TestMutants(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	mutants.Each(t, []byte(good), func(bad []byte) { use(t, path, bad) })
	for _, text := range []string{"", "null\n", "contexts:\n", "contexts:\n  a:\n", "# nothing\n", "---\n---\n"} {
		mutants.Try(t, text, []byte(text), func(b []byte) { use(t, path, b) })
	}
}

// FuzzLoad reads any file of contexts.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("contexts: {a: null}"))
	path := filepath.Join(f.TempDir(), "config.yaml")
	f.Fuzz(func(t *testing.T, b []byte) { use(t, path, b) })
}
