package engine_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s"
	"github.com/kfpgo/kfpgo/internal/local/engine"
)

// look reports variables, and the files that are mounted, and leaves a file in
// each folder that it can write. It fails the first time.
var look = dsl.Func("look", func(_ context.Context, in textIn, out *textOut) error {
	var all []string
	for _, name := range strings.Fields(in.Text.Get()) {
		if !strings.HasPrefix(name, "/") {
			value, ok := os.LookupEnv(name)
			if !ok {
				value = "not set"
			}
			all = append(all, name+"="+value)
			continue
		}
		dir := dsl.MountPath(name)
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil {
			return err
		}
		for i, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				return err
			}
			files[i] = filepath.Base(f) + ":" + string(b)
		}
		all = append(all, name+"="+strings.Join(files, ","))
		if strings.HasPrefix(name, "/rw") {
			if err := os.WriteFile(filepath.Join(dir, "left"), nil, 0o600); err != nil {
				return err
			}
		}
	}
	out.Text.Set(strings.Join(all, " "))
	if once := os.Getenv("ONCE"); once != "" {
		if _, err := os.Stat(once); err != nil {
			return errors.Join(os.WriteFile(once, nil, 0o600), errors.New("the first time"))
		}
	}
	return nil
})

// TestPod takes variables and folders from the environment and the home, and
// gives each attempt empty folders of its own.
func TestPod(t *testing.T) {
	home := t.TempDir()
	for name, text := range map[string]string{
		"secrets/creds/user": "me", "secrets/creds/pass.word": "s3cret", "config-maps/settings/level": "debug",
	} {
		file := filepath.Join(home, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("POD", "pod-1")
	t.Setenv("LEVEL", "from the environment")
	p := dsl.Pipeline("pod", func(s *dsl.Scope, in textIn) textOut {
		return look.Call(s, textIn{dsl.Const("USER_NAME LEVEL COLOR POD /secret /config /none /rw/empty /rw/ephemeral")},
			k8s.SecretEnv("USER_NAME", in.Text, "user"), k8s.ConfigMapEnv("LEVEL", "settings", "level"), k8s.ConfigMapEnv("COLOR", "settings", "color", k8s.Optional()),
			k8s.FieldEnv("POD", "metadata.name"), k8s.SecretVolume(in.Text, "/secret"), k8s.ConfigMapVolume("settings", "/config"),
			k8s.SecretVolume("no-such", "/none", k8s.Optional()), k8s.EmptyDir("d", "/rw/empty"), k8s.EphemeralVolume("e", "/rw/ephemeral", k8s.Claim{Size: "1Gi"}),
			k8s.SharedMemory("1Gi"), k8s.RunAsUser(1000), k8s.Pull(k8s.PullAlways), k8s.PullSecret("x"),
			k8s.NodeAffinity(k8s.NodeTerm{Expressions: []k8s.Requirement{{Key: "a", Operator: k8s.Exists}}}),
			dsl.Env("ONCE", filepath.Join(home, "once")), dsl.Retry(1)).Out
	})
	r := start(t, t.Context(), p, engine.Options{Home: home}, `{"text":"creds"}`)
	want := `"USER_NAME=me LEVEL=from the environment COLOR=not set POD=pod-1 /secret=pass.word:s3cret,user:me /config=level:debug /none= /rw/empty= /rw/ephemeral="`
	if got := string(r.Outputs["text"]); got != want || r.Tasks[0].Attempts != 2 {
		t.Errorf("got  %s\nwant %s\n%s", got, want, r.Error)
	}
	for _, tt := range []struct {
		option dsl.Option
		want   string
	}{
		{k8s.SecretEnv("NO_SUCH", "creds", "other"), "variable NO_SUCH comes from a secret, and there is no cluster to take it from; set it in the environment of the run, or write it to " + filepath.Join(home, "secrets/creds/other")},
		{k8s.ConfigMapEnv("NO_SUCH", "none", "k"), "variable NO_SUCH comes from a config map"},
		{k8s.FieldEnv("NO_SUCH", "status.podIP"), "variable NO_SUCH is status.podIP of the pod"},
		{k8s.SecretVolume("none", "/x"), "make the folder " + filepath.Join(home, "secrets/none") + ", with a file for each key"},
	} {
		p := dsl.Pipeline("missing", func(s *dsl.Scope, in textIn) dsl.None {
			look.Call(s, in, tt.option)
			return dsl.None{}
		})
		if r := start(t, t.Context(), p, engine.Options{Home: home}, `{"text":""}`); !strings.Contains(r.Error, tt.want) {
			t.Errorf("no %q in %s", tt.want, r.Error)
		}
	}
}

// TestQuantities: those that only the run knows are refused when their step starts.
func TestQuantities(t *testing.T) {
	p := dsl.Pipeline("quantities", func(s *dsl.Scope, in textIn) dsl.None {
		look.Call(s, textIn{dsl.Const("")}, dsl.Memory(in.Text))
		k8s.CreatePVC.Call(s, k8s.CreatePVCIn{NameSuffix: dsl.Const("-x"), Size: in.Text})
		return dsl.None{}
	})
	for text, want := range map[string][]string{
		"16K": {`the memory limit: "16K" isn't a quantity of Kubernetes: write 16k or 16Ki`, `input size: "16K" isn't a quantity`},
		"-1":  {`the memory limit: "-1" is negative`, `input size: "-1" isn't the size of a volume`},
		"1e6": {"", ""},
	} {
		r := start(t, t.Context(), p, engine.Options{Home: t.TempDir()}, `{"text":"`+text+`"}`)
		for i, task := range r.Tasks {
			if !strings.Contains(task.Error, want[i]) || want[i] == "" && task.Error != "" {
				t.Errorf("%s: task %s: %s, want %s", text, task.Path, task.Error, want[i])
			}
		}
	}
}

// TestShares: a share of a GPU takes all of it, and the type of a device may be
// known only at run time.
func TestShares(t *testing.T) {
	type in struct {
		Kind dsl.Param[string]
		N    dsl.Param[int]
	}
	p := dsl.Pipeline("shares", func(s *dsl.Scope, in in) textOut {
		return look.Call(s, textIn{dsl.Const("CUDA_VISIBLE_DEVICES")}, dsl.Accelerator(in.Kind, in.N), dsl.Accelerator("tencent.com/vcuda-memory", 30)).Out
	})
	for _, tt := range []struct{ params, want, fault string }{
		{`{"kind":"tencent.com/vcuda-core","n":50}`, `"CUDA_VISIBLE_DEVICES=0"`, ""},
		{`{"kind":"tencent.com/vcuda-core","n":150}`, `"CUDA_VISIBLE_DEVICES=0,1"`, ""},
		{`{"kind":"nvidia.com/gpu","n":3}`, "", "asks for 3 nvidia.com/gpu, and this machine has 2"},
		{`{"kind":"amd.com/gpu","n":1}`, "", "asks for 1 amd.com/gpu, which this machine can't count"},
	} {
		r := start(t, t.Context(), p, engine.Options{GPUs: new(2)}, tt.params)
		if string(r.Outputs["text"]) != tt.want || !strings.Contains(r.Error, tt.fault) {
			t.Errorf("%s: %s %s", tt.params, r.Outputs["text"], r.Error)
		}
	}
}
