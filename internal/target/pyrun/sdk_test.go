package pyrun_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/target/pyrun"
)

// TestSDK reads what five versions of KFP's SDK wrote and writes the same again.
func TestSDK(t *testing.T) {
	b, err := os.ReadFile("testdata/sdk.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Version, Case string
		Command, Args []string
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	versions := map[string]int{}
	for _, tt := range cases {
		versions[tt.Version]++
		p, ok := pyrun.Parse(tt.Command, tt.Args)
		if !ok {
			t.Errorf("%s %s: not read:\n%s", tt.Version, tt.Case, tt.Command[2])
			continue
		}
		command, args := pyrun.SDK(p)
		if !slices.Equal(command, tt.Command) || !slices.Equal(args, tt.Args) {
			t.Errorf("%s %s: got %q, want %q", tt.Version, tt.Case, command, tt.Command)
		}
		if p.Function != "plain" || p.SDK.Whole || !strings.HasPrefix(strings.TrimSpace(p.Source), "def ") {
			t.Errorf("%s %s: function %q in %.80q", tt.Version, tt.Case, p.Function, p.Source)
		}
		checkInstall(t, tt.Version, tt.Case, p)
	}
	if len(versions) != 5 || len(cases) < 50 {
		t.Errorf("%d cases of the versions %v", len(cases), versions)
	}
}

// checkInstall compares what was read of an install with what the SDK was told.
func checkInstall(t *testing.T, version, name string, p *program.Python) {
	t.Helper()
	old := strings.HasPrefix(version, "2.0") // KFP is one of the packages there
	urls := []string{"https://a/simple", "https://b/simple"}
	want := program.Python{SDK: &program.PythonSDK{Version: version}}
	switch name {
	case "packages":
		want.Packages = []string{"numpy==1.26.4", `pandas>=2,<3; python_version<"3.12"`, "it's\\n\té"}
	case "none":
		want.SDK = &program.PythonSDK{None: true}
	case "none-packages", "venv-none": // the SDK leaves out a virtual environment then
		want.SDK, want.Packages = &program.PythonSDK{None: true}, []string{"numpy"}
	case "own-kfp":
		want.SDK, want.Packages = &program.PythonSDK{None: true}, []string{"kfp==2.10.0", "numpy"}
		if old {
			want.SDK, want.Packages = &program.PythonSDK{Version: version}, []string{"kfp==2.10.0", "numpy"}
		}
	case "package-path":
		want.SDK, want.Packages = &program.PythonSDK{Package: "git+https://github.com/kubeflow/pipelines@master#egg=kfp&subdirectory=sdk/python"}, []string{"numpy"}
	case "package-pull":
		want.SDK = &program.PythonSDK{Package: "git+https://github.com/kubeflow/pipelines@refs/pull/1/merge#egg=kfp", NoDeps: version == "2.17.3"}
	case "index":
		want.Packages, want.IndexURLs, want.TrustedHosts = []string{"numpy"}, urls, urls
	case "index-one":
		want.IndexURLs, want.TrustedHosts = urls[:1], urls[:1]
	case "hosts":
		want.Packages, want.IndexURLs, want.TrustedHosts = []string{"numpy"}, urls, []string{"c"}
	case "no-hosts":
		want.Packages, want.IndexURLs = []string{"numpy"}, urls
	case "venv":
		want.Venv = true
	case "venv-packages":
		want.Venv, want.Packages, want.IndexURLs, want.TrustedHosts = true, []string{"numpy"}, urls[:1], urls[:1]
	}
	got := *p
	got.Source, got.Function = "", ""
	sdk := *p.SDK
	sdk.Dialect, got.SDK = "", &sdk
	if len(got.Packages) == 0 {
		got.Packages = nil
	}
	if !reflect.DeepEqual(got, want) {
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		t.Errorf("%s %s: got %s, want %s", version, name, g, w)
	}
}

// TestParseOwn reads our own form.
func TestParseOwn(t *testing.T) {
	for _, source := range []string{"def f(): pass\n", "x = '{{$}} $(A) $$'\ndef f(): pass\n"} {
		c := &program.Component{Name: "f", Title: "My step", Outputs: []program.Port{{Name: "b", Type: graph.Type{Name: "STRING"}}, {Name: "a", Type: graph.Type{Name: "LIST"}, Optional: true}, {Name: "m", Type: graph.Type{Artifact: true}}},
			Exec: &program.Executor{Python: &program.Python{Source: source, Function: "f", Packages: []string{"numpy"}, IndexURLs: []string{"https://a"}, TrustedHosts: []string{"a"}, Venv: true}}}
		args := pyrun.Args(c, "{{$}}", true)
		p, ok := pyrun.Parse(pyrun.Command(), args)
		if !ok || !reflect.DeepEqual(p, c.Exec.Python) {
			t.Errorf("got %v, %v; want %v", p, ok, c.Exec.Python)
		}
		if own := pyrun.ParseOwn(args); own.Title != "My step" || !slices.Equal(own.Outputs, []string{"b", "a"}) || !slices.Equal(own.Optional, []string{"a"}) {
			t.Errorf("got %+v", own)
		}
	}
}

// TestNotParsed: whatever else runs stays a container.
func TestNotParsed(t *testing.T) {
	p := &program.Python{Source: "def f(): pass\n", Function: "f", SDK: &program.PythonSDK{Version: "2.17.3"}}
	command, args := pyrun.SDK(p)
	changed := func(i int, old, new string) []string {
		c := slices.Clone(command)
		if !strings.Contains(c[i], old) {
			t.Fatalf("%q has no %q", c[i], old)
		}
		c[i] = strings.Replace(c[i], old, new, 1)
		return c
	}
	for _, tt := range []struct{ command, args []string }{
		{nil, nil},
		{[]string{"sh", "-c", "echo", "x"}, args},
		{command, args[:3]},
		{command, append(slices.Clone(args), "--more", "x")},
		{changed(2, "--quiet", "--verbose"), args},
		{changed(2, "'kfp==", "$(cat x) 'kfp=="), args},
		{changed(2, "apt-get", "apk"), args},
		{changed(2, "'kfp", `'\xzzkfp`), args},
		{changed(2, "'kfp==2.17.3'", `'kfp==2.17.3`), args},
		{changed(5, "_KFP_RUNTIME=true ", ""), args},
		{[]string{"python3", "-m", "kfp.dsl.executor_main"}, args}, // the source is in the image
		{pyrun.Command(), []string{"--name"}},
		{pyrun.Command(), []string{"--name", "f", "--source64", "="}},
	} {
		if p, ok := pyrun.Parse(tt.command, tt.args); ok {
			t.Errorf("%q %q: read as %+v", tt.command, tt.args, p)
		}
	}
}
