package argo

import (
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/internal/model/record"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A LockOption sets where a mutex or semaphore is kept.
type LockOption func(*record.Task, *lock)

type lock struct {
	namespace string
	database  bool
}

// InNamespace takes the lock of another namespace.
func InNamespace(name string) LockOption {
	return func(t *record.Task, l *lock) {
		check(t, "InNamespace", name, lockName)
		l.namespace = name
	}
}

// InDatabase keeps a mutex in the database that several controllers of Argo share
// (since Argo 3.7), in place of the memory of one.
func InDatabase() LockOption {
	return func(_ *record.Task, l *lock) { l.database = true }
}

// Mutex lets one step at a time run of all those with the same mutex, in any run of
// the namespace (synchronization.mutexes). A step may have several. On this
// machine the steps of one run wait for each other.
func Mutex[N dsl.Text](name N, opts ...LockOption) dsl.Option {
	return record.At(func(t *record.Task) {
		check(t, "Mutex", name, lockName)
		l := lockOf(t, opts)
		t.Set("mutex", name, l.namespace, l.database)
	})
}

// Semaphore lets as many steps run at a time as a key of a config map says, in all
// runs of the namespace (synchronization.semaphores). On this machine that is the
// file config-maps/NAME/KEY of KFPGO_HOME, for the steps of one run.
func Semaphore[M dsl.Text](configMap M, key string, opts ...LockOption) dsl.Option {
	return record.At(func(t *record.Task) {
		check(t, "Semaphore", configMap, lockName)
		check(t, "Semaphore", key, lockName)
		l := lockOf(t, opts)
		if l.database {
			t.Errorf("Semaphore: one of the database has no config map; use DatabaseSemaphore(%q)", key)
		}
		t.Set("semaphore", configMap, key, l.namespace)
	})
}

// DatabaseSemaphore is a Semaphore whose limit is in the database that several
// controllers of Argo share (since Argo 3.7). On this machine one step of a run has it
// at a time.
func DatabaseSemaphore[K dsl.Text](key K, opts ...LockOption) dsl.Option {
	return record.At(func(t *record.Task) {
		check(t, "DatabaseSemaphore", key, lockName)
		t.Set("database-semaphore", key, lockOf(t, opts).namespace)
	})
}

func lockOf(t *record.Task, opts []LockOption) (l lock) {
	for _, o := range opts {
		if o != nil {
			o(t, &l)
		}
	}
	return l
}

var lockName = record.Rule{
	What: "a name or key", Max: 253,
	Form: lazyregexp.New(`^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$`),
	Hint: "letters, digits, -, _ and dots, with a letter or digit at both ends",
}

var dataKey = record.Rule{
	What: "a key of a secret", Max: 253,
	Form: lazyregexp.New(`^[-._a-zA-Z0-9]+$`),
	Hint: "letters, digits, -, _ and dots",
}

// check reports a string that breaks a rule. What isn't a string is a reference, and
// known at run time.
func check(t *record.Task, what string, text any, rule record.Rule) {
	if s, ok := text.(string); ok {
		if err := rule.Check(s); err != nil {
			t.Errorf("%s: %v", what, err)
		}
	}
}
