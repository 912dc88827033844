package argo

import (
	"fmt"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
)

// locks are what the step waits for.
func (l *leaf) locks() {
	s, y := &l.task.Settings, &wfv1.Synchronization{}
	for i, m := range s.Mutexes {
		y.Mutexes = append(y.Mutexes, &wfv1.Mutex{Name: l.extra(fmt.Sprintf("kfpgo-mutex-%d", i), m.Name), Namespace: m.Namespace, Database: m.Database})
	}
	for i, m := range s.Semaphores {
		y.Semaphores = append(y.Semaphores, &wfv1.SemaphoreRef{ConfigMapKeyRef: keyOfMap(l.extra(fmt.Sprintf("kfpgo-semaphore-%d", i), m.ConfigMap), m.Key), Namespace: m.Namespace})
	}
	for i, m := range s.DatabaseSemaphores {
		y.Semaphores = append(y.Semaphores, &wfv1.SemaphoreRef{Database: &wfv1.SyncDatabaseRef{Key: l.extra(fmt.Sprintf("kfpgo-database-semaphore-%d", i), m.Key)}, Namespace: m.Namespace})
	}
	if y.Mutexes != nil || y.Semaphores != nil {
		l.t.Synchronization = y
	}
}

// keyOfMap names a key of a config map.
func keyOfMap(name, key string) *corev1.ConfigMapKeySelector {
	return &corev1.ConfigMapKeySelector{LocalObjectReference: corev1.LocalObjectReference{Name: name}, Key: key}
}
