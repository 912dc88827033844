package feature

import (
	"path/filepath"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// A way is what a row is called in a file, and what somebody can do who has the
// file and not the program that it came from.
type way struct{ write, do string }

// takeOut is what to do about what only Argo has.
const takeOut = "take it out of the file, or run the file on Argo"

// ways are those of the rows that a target refuses and a file may have.
var ways = map[string]way{
	"retry.group":                  {"a retryPolicy on a loop, branch or exit handler", "move retryPolicy to the tasks inside, in the file"},
	"options.resource":             {"a setting of pods on an operation on an object", "take it out of the task's executor in the file, or run the file on KFP"},
	"options.none":                 {"a setting of pods on an importer or a claim", "take it out of the task's executor in the file"},
	"options.pipeline":             {"a setting of pods on a pipeline that is called", "move it to the executors of the tasks inside, in the file"},
	"timeout.claim":                {"activeDeadlineSeconds on an operation on a claim", "take it out of the task's executor in the file, or run the file on Argo"},
	"run.unknown":                  {"a placeholder that KFP doesn't know", "write one that they replace in its place in the file, such as pipeline_job_uuid for the ID of the run or pipeline_job_name for its name"},
	"field.unknown":                {"a field that KFP 2.17 doesn't know", "take it out of the file, or run the file on KFP"},
	"field.kfp":                    {"a field that only KFP's servers act on", "take it out of the file, or run the file on KFP"},
	"when.text":                    {"a condition beyond comparisons and in, &&, || and !", "write triggerPolicy.condition with comparisons in the file, or run the file on KFP"},
	"selector":                     {"a parameterExpressionSelector beyond fields of structs", "read the part in a step of its own, in the file, or run the file on KFP"},
	"node-selector.reference":      {"a nodeSelector of a reference", "write the label in the file as a constant, or compile the file for Argo"},
	"init-container":               {"init containers and sidecars", "run the file on a cluster, with kfpgo run --on"},
	"host-aliases":                 {"hostAliases", "take them out of the file, or run the file on Argo"},
	"host-aliases.on-local":        {"hostAliases", "take them out of the file, or run the file on Argo"},
	"exec.suspend":                 {"suspend", takeOut},
	"store":                        {"an artifact in a store of its own", takeOut},
	"import.data":                  {"a raw artifact", takeOut},
	"mutex":                        {"synchronization with a mutex", takeOut},
	"mutex.reference":              {"synchronization with a mutex of an input", takeOut},
	"semaphore":                    {"synchronization with a semaphore", takeOut},
	"semaphore.reference":          {"synchronization with a semaphore of an input", takeOut},
	"database-semaphore":           {"synchronization with a semaphore of the database", takeOut},
	"database-semaphore.reference": {"synchronization with a semaphore of the database of an input", takeOut},
	"label.reference":              {"a label of a reference", "write the label in the file as a constant, or run the file on Argo"},
	"annotation.reference":         {"an annotation of a reference", "write the annotation in the file as a constant, or run the file on Argo"},
	"pod-patch":                    {"a patch of the pod", "run the file on Argo, or take the patch out of it"},
	"pod-patch.container":          {"a patch of a pod's containers", "run the file on Argo, or take the patch out of it"},
	"pod-patch.container.on-local": {"a patch of a pod's containers", "run the file on Argo, or take the patch out of it"},
	"input.artifact.list":          {"a list of artifacts as an input of the pipeline", "make single artifacts of it in the file, or run the file on KFP"},
	"config.root":                  {"a defaultPipelineRoot", "give --artifact-root, which is used in its place, or take defaultPipelineRoot out of the file"},
	"import.scheme":                {"an importer of a place that Argo has no word for", "copy the artifact to one of these and change artifactUri in the file"},
	"import.joined":                {"importers in branches that are joined, of what may be only metadata", "import after the branches, in the file, or run the file on KFP"},
	"import.collected":             {"a list of artifacts that importers in a loop import", "import outside of the loop, in the file, or run the file on KFP"},
	"placeholder.list":             {"a list of artifacts in the arguments of a container", "read the list in a Python step, in the file, or run the file on KFP"},
	"task-config":                  {"an input of the type TASK_CONFIG", "pass what the step needs as inputs, in the file, or run the file on KFP"},
	"run.pipeline_task_uuid":       {"the placeholder pipeline_task_uuid", "write pipeline_job_uuid and pipeline_task_name in the file in its place"},
	"create-pvc.data-source":       {"a claim with a data_source", "take data_source out of the file, or run it on a cluster, with kfpgo run --on"},
	"when.given.artifact":          {"a condition of whether an artifact is given", "add a parameter that says so to the file, or compile it for Argo"},
	"status.field":                 {"a part of the status of the run", "read the part in a step, in the file, or compile it for Argo"},
	"format.json.value.passed":     {"a list or struct with references in it that are not strings", "make it in a step, in the file, or compile the file for Argo"},
	"accelerator.count":            {"a number of devices of any kind", "name their type in the file, as resourceType, such as nvidia.com/gpu"},
	"accelerator.google":           {"a device that only Google's service has", "change resourceType in the file to a domain and a name, such as nvidia.com/gpu"},
	"accelerator.several":          {"several kinds of devices on a task", "leave one of them in the file, or compile it for Argo"},
	"env.reference.container":      {"a variable of a reference", "pass the value as an argument of the container, in the file, or compile it for Argo"},
	"retry.reference":              {"a number of retries of a reference", "write the number in the file, or compile it for Argo"},
	"retry.factor":                 {"a backoffFactor that isn't a whole number", "write a whole number in the file"},
}

// FromFile reports whether what is at a place comes from a file that isn't Go.
func FromFile(p *program.Program, at graph.Pos) bool {
	switch strings.ToLower(filepath.Ext(at.File)) {
	case ".yaml", ".yml", ".json":
		return true
	case ".go":
		return false
	}
	return p.IR != nil
}

// said returns what a row is called by whoever holds the program or the file, and
// why a target hasn't it and what to do.
func (r *Row) said(target Target, inFile bool) (write, why string) {
	why = r.Support[target].Note
	w, ok := ways[r.ID]
	if !inFile || !ok {
		return Bare(r.Write), why
	}
	reason, _, _ := strings.Cut(why, "; ")
	return Bare(w.write), reason + "; " + w.do
}
