// Package kfptype is KFP's words: the names of the types of parameters, and the states
// of runs and tasks.
package kfptype

import "bytes"

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

// OfJSON returns the type of the parameter that a JSON value can be given to, or "" for
// null and for nothing. A number with a fraction or an exponent is a double.
func OfJSON(value []byte) string {
	value = bytes.TrimSpace(value)
	if len(value) == 0 {
		return ""
	}
	switch value[0] {
	case '"':
		return String
	case '[':
		return List
	case '{':
		return Struct
	case 't', 'f':
		return Boolean
	case 'n':
		return ""
	}
	if bytes.ContainsAny(value, ".eE") {
		return Double
	}
	return Integer
}

// MetadataOnly reports whether artifacts of a schema, such as system.Metrics, are often
// metadata and nothing else.
func MetadataOnly(schema string) bool {
	switch schema {
	case "system.Metrics", "system.ClassificationMetrics", "system.SlicedClassificationMetrics":
		return true
	}
	return false
}
