package pod_test

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/dsl/k8s/pod"
)

var train = dsl.Func("train", func(context.Context, dsl.None, *dsl.None) error { return nil })

// Fields of the pod that no other option is for: its priority, the scheduler, a
// hook of the step's own container, and a sidecar that shares a volume with it.
func ExamplePatch() {
	urgent := pod.Patch(func(spec *corev1.PodSpec) {
		spec.PriorityClassName = "urgent"
		spec.SchedulerName = "volcano"
	})
	proxied := pod.Patch(func(spec *corev1.PodSpec) {
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "socket", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
		socket := corev1.VolumeMount{Name: "socket", MountPath: "/run/db"}
		spec.Containers[0].VolumeMounts = append(spec.Containers[0].VolumeMounts, socket)
		spec.Containers = append(spec.Containers, corev1.Container{
			Name: "proxy", Image: "example.com/db-proxy:1", Command: []string{"/proxy", "--socket=/run/db/db.sock"},
			VolumeMounts: []corev1.VolumeMount{socket},
		})
	})
	p := dsl.Pipeline("patched", func(s *dsl.Scope, _ dsl.None) dsl.None {
		train.Call(s, dsl.None{}, urgent, proxied)
		return dsl.None{}
	})
	fmt.Println(p.Check())
	// Output: <nil>
}
