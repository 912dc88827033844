// Package kfptype is KFP's words: the names of the types of parameters, and the states
// of runs and tasks.
package kfptype

// The types of parameters. They are plain strings, since the name of a type in a graph
// or program is one of these or the schema of an artifact, such as system.Model.
const (
	String      = "STRING"
	Integer     = "NUMBER_INTEGER"
	Double      = "NUMBER_DOUBLE"
	Boolean     = "BOOLEAN"
	List        = "LIST"
	Struct      = "STRUCT"
	FinalStatus = "TASK_FINAL_STATUS" // how what an exit handler guards has ended
	TaskConfig  = "TASK_CONFIG"       // the settings of a task, which the server fills in
)
