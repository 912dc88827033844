package kubeop

import (
	"encoding/json"
	"strconv"
)

// ended says how an object has ended, of the kinds that never change after that:
// waiting longer is useless. Empty: it hasn't, or its kind isn't known here.
func ended(at *location, obj map[string]any) string {
	switch {
	case at.kind == "Pod" && at.root == "/api/v1":
		if p, _ := textAt(obj, "status", "phase"); p == "Succeeded" || p == "Failed" {
			return p
		}
	case at.kind == "Job" && at.root == "/apis/batch/v1":
		return doneCondition(obj, "Complete", "Failed")
	case at.root == "/apis/kubeflow.org/v1":
		return doneCondition(obj, "Succeeded", "Failed")
	case at.kind == "Job" && at.root == "/apis/batch.volcano.sh/v1alpha1":
		switch p, _ := textAt(obj, "status", "state", "phase"); p {
		case "Completed", "Failed", "Aborted", "Terminated":
			return p
		}
	case at.kind == "Workflow" && at.root == "/apis/argoproj.io/v1alpha1":
		if t, ok := textAt(obj, "status", "finishedAt"); ok && t != "" {
			p, _ := textAt(obj, "status", "phase")
			return p
		}
	}
	return ""
}

// doneCondition returns the first of some conditions that is true.
func doneCondition(obj map[string]any, types ...string) string {
	for _, t := range types {
		for _, c := range objects(obj, "status", "conditions") {
			if c["type"] == t && c["status"] == "True" {
				return t
			}
		}
	}
	return ""
}

// stale reports whether what an object says of itself is of an older form of it: its
// controller hasn't looked at the newest yet.
func stale(obj map[string]any) bool {
	made, ok1 := number(obj, "metadata", "generation")
	seen, ok2 := number(obj, "status", "observedGeneration")
	return ok1 && ok2 && seen < made
}

func number(obj map[string]any, path ...string) (int64, bool) {
	v, ok := at(obj, path...)
	n, isNumber := v.(json.Number)
	if !ok || !isNumber {
		return 0, false
	}
	i, err := strconv.ParseInt(n.String(), 10, 64)
	return i, err == nil
}
