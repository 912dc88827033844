package program

import "encoding/json"

// Argo is what only Argo Workflows knows of a task.
type Argo struct {
	Mutexes            []Mutex             `json:"mutexes,omitempty" option:"mutex" dsl:"argo.Mutex" file:"synchronization.mutexes"`
	Semaphores         []Semaphore         `json:"semaphores,omitempty" option:"semaphore" dsl:"argo.Semaphore" file:"synchronization.semaphores"`
	Store              json.RawMessage     `json:"store,omitempty" option:"store" dsl:"argo.From" file:"the store of an artifact"` // of an import, as Argo has it, without what the URI says
	DatabaseSemaphores []DatabaseSemaphore `json:"databaseSemaphores,omitempty" option:"database-semaphore" dsl:"argo.DatabaseSemaphore" file:"synchronization.semaphores.database"`
}

// A Mutex is a lock that one pod has at a time.
type Mutex struct {
	Name      Value  `json:"name"`
	Namespace string `json:"namespace,omitempty" dsl:"argo.InNamespace"` // empty: that of the run
	Database  bool   `json:"database,omitempty" dsl:"argo.InDatabase"`
}

// A Semaphore is a lock that as many pods have at a time as a key of a config map says.
type Semaphore struct {
	ConfigMap Value  `json:"configMap"`
	Key       string `json:"key"`
	Namespace string `json:"namespace,omitempty" dsl:"argo.InNamespace"` // empty: that of the run
}

// A DatabaseSemaphore is a Semaphore whose number is in the database of Argo.
type DatabaseSemaphore struct {
	Key       Value  `json:"key"`
	Namespace string `json:"namespace,omitempty" dsl:"argo.InNamespace"` // empty: that of the run
}
