package pod_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
	"github.com/kfpgo/kfpgo/internal/model/recorded"
)

type textIn struct{ Text dsl.Param[string] }

func patched(opts func(in textIn) []dsl.Option) dsl.Definition {
	return dsl.Pipeline("p", func(s *dsl.Scope, in textIn) dsl.None {
		train.Call(s, dsl.None{}, opts(in)...)
		return dsl.None{}
	})
}

func TestMistakes(t *testing.T) {
	for want, change := range map[string]func(*corev1.PodSpec){
		"the function is nil":                             nil,
		"the function panicked: runtime error: index out": func(s *corev1.PodSpec) { s.Containers[5].Name = "x" },
		"the function changes nothing":                    func(*corev1.PodSpec) {},
		"Containers[0] must stay the task's own":          func(s *corev1.PodSpec) { s.Containers = nil },
		"the command and arguments of main":               func(s *corev1.PodSpec) { s.Containers[0].Args = []string{"x"} },
		"the image of main is set by dsl.Image":           func(s *corev1.PodSpec) { s.Containers[0].Image = "x" },
		"the RestartPolicy of the pod is Argo's":          func(s *corev1.PodSpec) { s.RestartPolicy = "Always" },
		"two containers are named a": func(s *corev1.PodSpec) {
			s.InitContainers = []corev1.Container{{Name: "a", Image: "x"}, {Name: "a", Image: "x"}}
		},
		"wait is a container of Argo's": func(s *corev1.PodSpec) { s.InitContainers = []corev1.Container{{Name: "wait", Image: "x"}} },
		"container side has no command": func(s *corev1.PodSpec) {
			s.Containers = append(s.Containers, corev1.Container{Name: "side", Image: "x"})
		},
		"container side has no image":                 func(s *corev1.PodSpec) { s.Containers = append(s.Containers, corev1.Container{Name: "side"}) },
		"a volume has no name":                        func(s *corev1.PodSpec) { s.Volumes = make([]corev1.Volume, 1) },
		"ActiveDeadlineSeconds is set by dsl.Timeout": func(s *corev1.PodSpec) { s.ActiveDeadlineSeconds = new(int64) },
		"a new pod can't have EphemeralContainers":    func(s *corev1.PodSpec) { s.EphemeralContainers = make([]corev1.EphemeralContainer, 1) },
		"a string holds a reference, input text":      nil,
	} {
		p := patched(func(in textIn) []dsl.Option {
			if strings.HasPrefix(want, "a string holds") {
				change = func(s *corev1.PodSpec) { s.SchedulerName = in.Text.String() }
			}
			return []dsl.Option{pod.Patch(change)}
		})
		err := p.Check()
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "pod_test.go:") || !strings.Contains(err.Error(), "task train: pod.Patch: ") {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// TestLater: a later patch sees what an earlier one has set, and both count.
func TestLater(t *testing.T) {
	seen := ""
	p := patched(func(textIn) []dsl.Option {
		return []dsl.Option{
			pod.Patch(func(s *corev1.PodSpec) { s.PriorityClassName = "a"; s.HostNetwork = true }),
			pod.Patch(func(s *corev1.PodSpec) { seen = s.PriorityClassName; s.PriorityClassName = "b" }),
		}
	})
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	g := recorded.Graph(p)
	if n := len(g.Tasks[0].Options); n != 1 || seen != "a" {
		t.Fatalf("%d options, saw %q", n, seen)
	}
	if got, want := string(g.Tasks[0].Options[0].Args[0].Const), `{"containers":[{"name":"main"}],"hostNetwork":true,"priorityClassName":"b"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
