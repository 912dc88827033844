package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/kfpgo/kfpgo/internal/testing/golden"
)

func TestMain(m *testing.M) {
	flag.Set("test.parallel", "4") // unless the command line has it: most of the time tests wait for the programs that they start
	testscript.Main(m, map[string]func(){"kfpgo": main})
}

// TestScript runs the scripts in testdata/script. Each has a module of its own
// that takes kfpgo from this checkout, and needs no network.
func TestScript(t *testing.T) {
	env := goEnv(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       golden.Update(),
		Setup: func(e *testscript.Env) error {
			for name, value := range env {
				e.Setenv(name, value)
			}
			e.Setenv("KFPGO_HOME", filepath.Join(e.WorkDir, "home"))
			e.Setenv("TMPDIR", os.TempDir())
			e.Setenv("XDG_CACHE_HOME", filepath.Join(e.WorkDir, "cache"))
			if err := shareGraphviz(filepath.Join(e.WorkDir, "cache", "kfpgo")); err != nil {
				return err
			}
			return module(e.WorkDir, env["REPO"])
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"registry": startRegistry, "kfpserver": startKFP},
	})
}

// shareGraphviz gives a cache the compiled Graphviz of this machine's user, which
// else each script would compile.
func shareGraphviz(cache string) error {
	user, err := os.UserCacheDir()
	if err != nil {
		return nil // then they do
	}
	compiled := filepath.Join(user, "kfpgo", "graphviz")
	return errors.Join(os.MkdirAll(compiled, 0o700), os.MkdirAll(cache, 0o755), os.Symlink(compiled, filepath.Join(cache, "graphviz")))
}

// goEnv returns the environment in which scripts build programs: with this
// machine's Go, its caches and no proxy.
func goEnv(t *testing.T) map[string]string {
	t.Helper()
	env, err := goEnvOnce()
	if err != nil {
		t.Fatal(err)
	}
	return env
}

var goEnvOnce = sync.OnceValues(func() (map[string]string, error) {
	repo, err := filepath.Abs("../..")
	if err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "env", "GOCACHE", "GOMODCACHE", "GOPATH", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	// All scripts need this, and would build it side by side.
	if out, err := exec.Command("go", "build", "../../dsl").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	v := strings.Split(strings.TrimSpace(string(out)), "\n")
	return map[string]string{
		"GOCACHE": v[0], "GOMODCACHE": v[1], "GOPATH": v[2], "GOROOT": v[3], "REPO": repo,
		"GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOSUMDB": "off", "GOWORK": "off", "KUBECONFIG": filepath.Join(repo, "no", "such"),
	}, nil
})

// module writes the go.mod and go.sum of a module example.com/m that requires
// kfpgo, unless the script has its own.
func module(dir, repo string) error {
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
		return nil
	}
	mod := "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/kfpgo/kfpgo v0.0.0\n\nreplace github.com/kfpgo/kfpgo => " + repo + "\n"
	return os.WriteFile(filepath.Join(dir, "go.mod"), []byte(mod), 0o666)
}
