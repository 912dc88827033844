package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/local"
)

type helloIn struct {
	Name dsl.Param[string] `default:"World"`
}

type helloOut struct {
	Greeting dsl.Param[string]
	Letter   dsl.Any
}

var hello = dsl.Func("hello", func(_ context.Context, in helloIn, out *helloOut) error {
	if in.Name.Get() == "" {
		return errors.New("nobody to greet")
	}
	out.Greeting.Set("Hello, " + in.Name.Get() + "!")
	out.Letter.SetMetadata("words", 2)
	f, err := out.Letter.Create()
	if err != nil {
		return err
	}
	_, err = f.WriteString("Dear " + in.Name.Get())
	return errors.Join(err, f.Close())
})

var pipeline = dsl.Pipeline("hello-twice", func(s *dsl.Scope, in helloIn) helloOut {
	first := hello.Call(s, in)
	return hello.Call(s, helloIn{Name: first.Out.Greeting}).Out
})

// TestMain is a program with pipelines, whose steps are processes of their own.
func TestMain(m *testing.M) {
	if os.Getenv("KFPGO_TEST_REEXEC") != "" || len(os.Args) > 1 && strings.HasPrefix(os.Args[1], "kfpgo:") {
		dsl.Init(pipeline)
	}
	os.Exit(m.Run())
}

func TestRun(t *testing.T) {
	seen := map[string]string{}
	r, err := local.Run(t.Context(), pipeline, helloIn{Name: dsl.Const("it's {{x}}")}, local.Options{
		Home: t.TempDir(), Observe: func(task local.Task) { seen[task.Path] = task.State },
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Out.Greeting.Get(); got != "Hello, Hello, it's {{x}}!!" {
		t.Errorf("greeting %q", got)
	}
	b, err := os.ReadFile(r.Out.Letter.Path())
	if err != nil || string(b) != "Dear Hello, it's {{x}}!" || r.Out.Letter.Metadata("words") != 2.0 {
		t.Errorf("letter %q, %v, metadata %v", b, err, r.Out.Letter.Metadata("words"))
	}
	if r.State != "SUCCEEDED" || len(r.Tasks) != 2 || seen["hello-2"] != "SUCCEEDED" {
		t.Errorf("%s, tasks %v, seen %v", r.State, r.Tasks, seen)
	}
	for _, name := range []string{"run.json", "report.html", "program.json"} {
		if _, err := os.Stat(filepath.Join(r.Dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestReexec runs in a process that calls dsl.Init, where steps are processes.
func TestReexec(t *testing.T) {
	if os.Getenv("KFPGO_TEST_REEXEC") != "" {
		r, err := local.Run(t.Context(), pipeline, helloIn{}, local.Options{Home: os.Getenv("KFPGO_TEST_REEXEC")})
		if err != nil {
			t.Fatal(err)
		}
		b, _ := json.Marshal(r.Out.Greeting)
		fmt.Printf("greeting %s\n", b)
		return
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	out := runProcess(t, exe, home)
	if !strings.Contains(out, `greeting "Hello, Hello, World!!"`) {
		t.Error(out)
	}
	// Equal steps of the same program are not run again.
	runProcess(t, exe, home)
	files, _ := filepath.Glob(filepath.Join(home, "runs", "*", "run.json"))
	states := ""
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		states += string(b)
	}
	if len(files) != 2 || strings.Count(states, `"CACHED"`) != 2 {
		t.Errorf("%d runs; want two tasks of the second one cached:\n%s", len(files), states)
	}
}

func TestErrors(t *testing.T) {
	r, err := local.Run(t.Context(), pipeline, helloIn{Name: dsl.Const("")}, local.Options{Home: t.TempDir()})
	if err == nil || err.Error() != "the run of hello-twice failed: hello: nobody to greet" || r.State != "FAILED" {
		t.Errorf("got %v, %+v", err, r)
	}
	bad := dsl.Pipeline("bad", func(s *dsl.Scope, in helloIn) dsl.None { hello.Call(s, in, dsl.GPU(-1)); return dsl.None{} })
	_, err = local.Run(t.Context(), bad, helloIn{}, local.Options{Home: t.TempDir()})
	var list dsl.ErrorList
	if !errors.As(err, &list) || !strings.HasPrefix(list[0].File, "local_test.go") {
		t.Errorf("got %v", err)
	}
}

func runProcess(t *testing.T, exe, home string) string {
	t.Helper()
	cmd := exec.Command(exe, "-test.run=^TestReexec$", "-test.v")
	cmd.Env = append(os.Environ(), "KFPGO_TEST_REEXEC="+home)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return string(out)
}
