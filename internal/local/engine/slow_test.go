//go:build slow

package engine_test

import (
	"archive/tar"
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/local/engine"
	"github.com/kfpgo/kfpgo/internal/model/run"
)

const image = "localhost/kfpgo-test-busybox:1"

// load makes an image of this machine's static busybox.
func load(t *testing.T) {
	t.Helper()
	file, err := exec.LookPath("busybox")
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	add := func(h tar.Header, body []byte) {
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		w.Write(body)
	}
	add(tar.Header{Name: "bin/busybox", Mode: 0o755, Size: int64(len(b))}, b)
	for _, name := range []string{"sh", "cat", "mkdir", "sleep", "echo", "printf", "dirname"} {
		add(tar.Header{Name: "bin/" + name, Typeflag: tar.TypeSymlink, Linkname: "busybox"}, nil)
	}
	add(tar.Header{Name: "tmp/", Typeflag: tar.TypeDir, Mode: 0o1777}, nil)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("podman", "import", "-", image)
	cmd.Stdin = &buf
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

type toolIn struct {
	Text dsl.Param[string]
	Note dsl.Param[string] `kfp:",optional"`
	Base dsl.Model         `kfp:",optional"`
}

type toolOut struct {
	Text  dsl.Param[string]
	List  dsl.Param[[]int]
	Model dsl.Model
	Data  dsl.Dataset // a folder
}

var toolC = dsl.Container("tool", func(in toolIn, out toolOut) dsl.ContainerSpec {
	return dsl.ContainerSpec{
		Image: image,
		Command: []string{"sh", "-ec", `
			printf '%s|%s' "$1" "$V" >/tmp/text
			mkdir -p /out/data/deep "$(dirname "$2")" "$(dirname "$3")"
			echo '[1, 2]' >"$2"; echo model >"$3"; echo a >/out/data/deep/a
			shift 3; echo "$# $*" >/out/data/rest; echo kept >>/claim/file`, "tool"},
		Args: dsl.Args(in.Text, out.List.Path(), out.Model.Path(),
			dsl.IfPresent(in.Note, "--note", in.Note), dsl.IfPresent(in.Base, in.Base.Path())),
		Outputs: []dsl.OutputFile{dsl.OutputAt(out.Text, "/tmp/text"), dsl.OutputAt(out.Data, "/out/data")},
	}
})

// TestContainer runs a container that writes to paths of its own and to those
// that it is told, with optional arguments, variables and a claim.
func TestContainer(t *testing.T) {
	load(t)
	p := dsl.Pipeline("containers", func(s *dsl.Scope, in toolIn) toolOut {
		env, claim := dsl.Env("V", "it's $(A)"), k8s.MountPVC("claim", "/claim")
		first := toolC.Call(s, in, env, claim)
		return toolC.Call(s, toolIn{Text: first.Out.Text, Note: dsl.Const(""), Base: first.Out.Model}, env, claim).Out
	})
	home := t.TempDir()
	r := start(t, t.Context(), p, engine.Options{Home: home}, `{"text":"a \"b\" {{c}} $d"}`)
	if r.State != run.Succeeded {
		t.Fatal(r.Error)
	}
	if got := string(r.Outputs["text"]); got != `"a \"b\" {{c}} $d|it's $(A)|it's $(A)"` {
		t.Errorf("text %s", got)
	}
	if got := string(r.Outputs["list"]); got != `[1, 2]` && got != `[1,2]` {
		t.Errorf("list %s", got)
	}
	data := strings.TrimPrefix(r.Made["data"][0].URI, "file://")
	model := strings.TrimPrefix(r.Tasks[0].Writes["model"][0].URI, "file://")
	for file, want := range map[string]string{
		filepath.Join(data, "deep", "a"):                      "a\n",
		filepath.Join(data, "rest"):                           "3 --note  " + model + "\n",
		filepath.Join(home, "volumes", "claim", "file"):       "kept\nkept\n",
		strings.TrimPrefix(r.Made["model"][0].URI, "file://"): "model\n",
	} {
		if b, err := os.ReadFile(file); err != nil || string(b) != want {
			t.Errorf("%s: %q, %v, want %q", file, b, err, want)
		}
	}
}

// TestContainerFails shows a container's exit code and its last line, and leaves
// no container behind, after ctrl-C neither.
func TestContainerFails(t *testing.T) {
	load(t)
	script := func(name, text string) *dsl.Component[dsl.None, dsl.None] {
		return dsl.Container(name, func(dsl.None, dsl.None) dsl.ContainerSpec {
			return dsl.ContainerSpec{Image: image, Command: []string{"sh", "-c", text}}
		})
	}
	call := func(c *dsl.Component[dsl.None, dsl.None]) dsl.Definition {
		return dsl.Pipeline("one", func(s *dsl.Scope, _ dsl.None) dsl.None { c.Call(s, dsl.None{}); return dsl.None{} })
	}
	r := start(t, t.Context(), call(script("breaks", "echo no more space >&2; exit 3")), engine.Options{}, "")
	if r.State != run.Failed || r.Error != "breaks: no more space (exit status 3)" {
		t.Errorf("%s, %s", r.State, r.Error)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	running := func(task run.Task) {
		if task.State == run.Running {
			time.AfterFunc(2*time.Second, cancel)
		}
	}
	r = start(t, ctx, call(script("hangs", "sleep 100")), engine.Options{Observe: running}, "")
	if r.State != run.Cancelled {
		t.Errorf("%s, %s", r.State, r.Error)
	}
	out, err := exec.Command("podman", "ps", "-a", "--format", "{{.Names}}").Output()
	if err != nil || strings.Contains(string(out), "kfpgo-one-") {
		t.Errorf("left behind: %s, %v", out, err)
	}
}
