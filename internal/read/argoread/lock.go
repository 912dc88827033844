package argoread

import "github.com/kfpgo/kfpgo/internal/model/program"

// all returns the mutexes and semaphores, with those in the fields of Argo 3.5.
func (y *synchronization) all() ([]mutex, []semaphore) {
	mutexes, semaphores := y.Mutexes, y.Semaphores
	if y.Mutex != nil {
		mutexes = append([]mutex{*y.Mutex}, mutexes...)
	}
	if y.Semaphore != nil {
		semaphores = append([]semaphore{*y.Semaphore}, semaphores...)
	}
	return mutexes, semaphores
}

// locks sets what the pods of a template wait for each other by.
func (r *reader) locks(set *program.Settings, y *synchronization, run func(pos, string) program.Value) {
	if y == nil {
		return
	}
	mutexes, semaphores := y.all()
	for _, m := range mutexes {
		set.Mutexes = append(set.Mutexes, program.Mutex{Name: run(m.At, m.Name), Namespace: r.fixed(m.Namespace), Database: m.Database})
	}
	for _, m := range semaphores {
		r.one(m.At, "a semaphore", map[string]bool{"configMapKeyRef": m.ConfigMapKeyRef != nil, "database": m.Database != nil})
		switch {
		case m.ConfigMapKeyRef != nil:
			set.Semaphores = append(set.Semaphores, program.Semaphore{ConfigMap: run(m.At, m.ConfigMapKeyRef.Name), Key: r.fixed(text{m.At, m.ConfigMapKeyRef.Key}), Namespace: r.fixed(m.Namespace)})
		case m.Database != nil:
			set.DatabaseSemaphores = append(set.DatabaseSemaphores, program.DatabaseSemaphore{Key: run(m.At, m.Database.Key), Namespace: r.fixed(m.Namespace)})
		default:
			r.errorf(m.At, "", "a semaphore names neither a key of a config map nor one of the database")
		}
	}
}

// fixed returns a string in which Argo replaces nothing.
func (r *reader) fixed(t text) string {
	r.constValue(t.At, "synchronization", t.S)
	return t.S
}
