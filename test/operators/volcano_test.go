package operators

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// A volcanoJob is what the stand-in reads of a Job of batch.volcano.sh.
type volcanoJob struct {
	Metadata metav1.ObjectMeta
	Spec     struct {
		Queue    string
		Plugins  map[string][]string
		Policies []policy
		Tasks    []struct {
			Name     string
			Replicas int
			Policies []policy
			Template corev1.PodTemplateSpec
		}
	}
	Status struct{ State struct{ Phase string } }
}

type policy struct{ Event, Action string }

// volcano stands in for Volcano's controller, whose module can't be had: it makes what
// the documentation of Volcano says of a Job, its svc, env and pytorch plugins and its
// policies. Pods go to the default scheduler, all at once.
func (c *cluster) volcano(ctx context.Context) {
	c.each(ctx, "batch.volcano.sh/v1alpha1", "Job", func(u *unstructured.Unstructured) error {
		var j volcanoJob
		b, err := json.Marshal(u.Object)
		if err == nil {
			err = json.Unmarshal(b, &j)
		}
		if err != nil {
			return err
		}
		switch j.Status.State.Phase {
		case "":
			if _, err := c.get(ctx, "scheduling.volcano.sh/v1beta1", "Queue", j.Spec.Queue); err != nil {
				return c.state(ctx, u, object{"phase": "Pending", "message": "queue " + j.Spec.Queue + " isn't there"}, nil)
			}
			if err := c.volcanoPods(ctx, u, &j); err != nil {
				return err
			}
			return c.state(ctx, u, object{"phase": "Pending"}, nil)
		case "Pending", "Running":
			return c.volcanoStep(ctx, u, &j)
		}
		return nil
	})
}

func (c *cluster) volcanoPods(ctx context.Context, u *unstructured.Unstructured, j *volcanoJob) error {
	name, owner := j.Metadata.Name, *metav1.NewControllerRef(u, u.GroupVersionKind())
	_, svc := j.Spec.Plugins["svc"]
	torch, isTorch := j.Spec.Plugins["pytorch"] // which adds svc
	svc = svc || isTorch
	hosts, env := map[string]string{}, []corev1.EnvVar{}
	all := 0
	for _, t := range j.Spec.Tasks {
		var list []string
		for i := range t.Replicas {
			list = append(list, fmt.Sprintf("%s-%s-%d.%s", name, t.Name, i, name))
		}
		all += t.Replicas
		hosts[t.Name+".host"] = strings.Join(list, "\n")
		word := strings.ToUpper(strings.ReplaceAll(t.Name, "-", "_"))
		env = append(env, corev1.EnvVar{Name: "VC_" + word + "_HOSTS", Value: strings.Join(list, ",")}, corev1.EnvVar{Name: "VC_" + word + "_NUM", Value: fmt.Sprint(t.Replicas)})
	}
	meta := metav1.ObjectMeta{Name: name, Namespace: namespace, OwnerReferences: []metav1.OwnerReference{owner}}
	if svc {
		of := meta
		of.Name += "-svc"
		if _, err := c.typed.CoreV1().ConfigMaps(namespace).Create(ctx, &corev1.ConfigMap{ObjectMeta: of, Data: hosts}, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
		s := &corev1.Service{ObjectMeta: meta, Spec: corev1.ServiceSpec{
			ClusterIP: "None", PublishNotReadyAddresses: true, Selector: map[string]string{"volcano.sh/job-name": name}, Ports: []corev1.ServicePort{{Name: "placeholder-volcano", Port: 1, TargetPort: intstr.FromInt32(1)}},
		}}
		if _, err := c.typed.CoreV1().Services(namespace).Create(ctx, s, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
			return err
		}
	}
	rank := 0
	for _, t := range j.Spec.Tasks {
		for i := range t.Replicas {
			p := &corev1.Pod{ObjectMeta: *t.Template.ObjectMeta.DeepCopy(), Spec: *t.Template.Spec.DeepCopy()}
			p.Name, p.Namespace, p.OwnerReferences = fmt.Sprintf("%s-%s-%d", name, t.Name, i), namespace, []metav1.OwnerReference{owner}
			labels := map[string]string{"volcano.sh/job-name": name, "volcano.sh/job-namespace": namespace, "volcano.sh/task-spec": t.Name, "volcano.sh/task-index": fmt.Sprint(i), "volcano.sh/queue-name": j.Spec.Queue}
			maps.Copy(labels, p.Labels)
			p.Labels = labels
			var more []corev1.EnvVar
			if _, ok := j.Spec.Plugins["env"]; ok {
				more = append(more, corev1.EnvVar{Name: "VK_TASK_INDEX", Value: fmt.Sprint(i)}, corev1.EnvVar{Name: "VC_TASK_INDEX", Value: fmt.Sprint(i)})
			}
			if svc {
				more = append(more, env...)
				p.Spec.Hostname, p.Spec.Subdomain = p.Name, name
				p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name + "-svc", VolumeSource: corev1.VolumeSource{ConfigMap: &corev1.ConfigMapVolumeSource{LocalObjectReference: corev1.LocalObjectReference{Name: name + "-svc"}}}})
			}
			if isTorch {
				flags := map[string]string{"master": "master", "worker": "worker", "port": "23456"}
				for _, f := range torch {
					k, v, _ := strings.Cut(strings.TrimPrefix(f, "--"), "=")
					flags[k] = v
				}
				more = append(more, corev1.EnvVar{Name: "MASTER_ADDR", Value: fmt.Sprintf("%s-%s-0.%s", name, flags["master"], name)}, corev1.EnvVar{Name: "MASTER_PORT", Value: flags["port"]},
					corev1.EnvVar{Name: "WORLD_SIZE", Value: fmt.Sprint(all)}, corev1.EnvVar{Name: "RANK", Value: fmt.Sprint(rank)})
			}
			rank++
			for k := range p.Spec.Containers {
				p.Spec.Containers[k].Env = append(p.Spec.Containers[k].Env, more...)
				if svc {
					p.Spec.Containers[k].VolumeMounts = append(p.Spec.Containers[k].VolumeMounts, corev1.VolumeMount{Name: name + "-svc", MountPath: "/etc/volcano"})
				}
			}
			if _, err := c.typed.CoreV1().Pods(namespace).Create(ctx, p, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
				return err
			}
		}
	}
	return nil
}

// volcanoStep looks at a job's pods and does what its policies say.
func (c *cluster) volcanoStep(ctx context.Context, u *unstructured.Unstructured, j *volcanoJob) error {
	pods, err := c.typed.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{LabelSelector: "volcano.sh/job-name=" + j.Metadata.Name})
	if err != nil {
		return err
	}
	counts, want := map[string]map[corev1.PodPhase]int{}, 0
	total := map[corev1.PodPhase]int64{}
	for _, t := range j.Spec.Tasks {
		counts[t.Name] = map[corev1.PodPhase]int{}
		want += t.Replicas
	}
	for _, p := range pods.Items {
		counts[p.Labels["volcano.sh/task-spec"]][p.Status.Phase]++
		total[p.Status.Phase]++
	}
	numbers := object{"running": total[corev1.PodRunning], "succeeded": total[corev1.PodSucceeded], "failed": total[corev1.PodFailed], "pending": total[corev1.PodPending]}
	action := func(event string, of []policy) string {
		for _, p := range of {
			if p.Event == event || p.Event == "*" {
				return p.Action
			}
		}
		return ""
	}
	for _, t := range j.Spec.Tasks {
		how := ""
		if counts[t.Name][corev1.PodFailed] > 0 {
			if how = action("PodFailed", t.Policies); how == "" {
				how = action("PodFailed", j.Spec.Policies)
			}
		}
		if how == "" && counts[t.Name][corev1.PodSucceeded] == t.Replicas {
			how = action("TaskCompleted", t.Policies)
		}
		phase := map[string]string{"AbortJob": "Aborted", "TerminateJob": "Terminated", "CompleteJob": "Completed"}[how]
		if phase == "" {
			continue
		}
		for _, p := range pods.Items { // those that still run are killed
			if p.Status.Phase == corev1.PodRunning || p.Status.Phase == corev1.PodPending {
				now := int64(0)
				if err := c.typed.CoreV1().Pods(namespace).Delete(ctx, p.Name, metav1.DeleteOptions{GracePeriodSeconds: &now}); err != nil && !apierrors.IsNotFound(err) {
					return err
				}
			}
		}
		state := object{"phase": phase}
		if how != "CompleteJob" {
			state["reason"], state["message"] = "PodFailed", "task "+t.Name+" failed"
		}
		return c.state(ctx, u, state, numbers)
	}
	switch {
	case total[corev1.PodSucceeded] == int64(want):
		return c.state(ctx, u, object{"phase": "Completed"}, numbers)
	case total[corev1.PodRunning] > 0 && j.Status.State.Phase == "Pending":
		return c.state(ctx, u, object{"phase": "Running"}, numbers)
	}
	return nil
}

// state writes the status of a job, strictly.
func (c *cluster) state(ctx context.Context, u *unstructured.Unstructured, state, counts object) error {
	status := object{"state": state}
	maps.Copy(status, counts)
	return c.setStatus(ctx, u, status)
}

func (c *cluster) setStatus(ctx context.Context, u *unstructured.Unstructured, status object) error {
	u = u.DeepCopy()
	u.Object["status"] = runtime.DeepCopyJSONValue(status)
	r, err := c.of(u.GetAPIVersion(), u.GetKind(), namespace)
	if err != nil {
		return err
	}
	_, err = r.UpdateStatus(ctx, u, metav1.UpdateOptions{FieldManager: "stand-in", FieldValidation: "Strict"})
	return err
}

func (c *cluster) get(ctx context.Context, apiVersion, kind, name string) (*unstructured.Unstructured, error) {
	r, err := c.of(apiVersion, kind, namespace)
	if err != nil {
		return nil, err
	}
	return r.Get(ctx, name, metav1.GetOptions{})
}

// each calls f for each object of a kind, twice a second.
func (c *cluster) each(ctx context.Context, apiVersion, kind string, f func(*unstructured.Unstructured) error) {
	r, err := c.of(apiVersion, kind, namespace)
	if err != nil {
		panic(err)
	}
	go func() {
		for ctx.Err() == nil {
			list, err := r.List(ctx, everything)
			for i := 0; err == nil && i < len(list.Items); i++ {
				if u := &list.Items[i]; u.GetDeletionTimestamp() == nil {
					if err := f(u); err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) {
						fmt.Printf("stand-in for %s: %s: %v\n", kind, u.GetName(), err)
					}
				}
			}
			time.Sleep(500 * time.Millisecond)
		}
	}()
}

// fillClaim makes a claim that is a folder of this machine, with files in it.
func fillClaim(t testing.TB, name string, content map[string]string) string {
	t.Helper()
	dir := folder(t, name)
	for file, text := range content {
		write(t, dir, file, text)
	}
	kube.applyText(t, fmt.Sprintf(`apiVersion: v1
kind: PersistentVolume
metadata: {name: systems-%[1]s}
spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteMany], storageClassName: "", persistentVolumeReclaimPolicy: Retain, hostPath: {path: %[2]s}, claimRef: {name: %[1]s, namespace: %[3]s}}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: %[1]s, namespace: %[3]s}
spec: {accessModes: [ReadWriteMany], storageClassName: "", volumeName: systems-%[1]s, resources: {requests: {storage: 1Gi}}}
`, name, dir, namespace))
	return dir
}
