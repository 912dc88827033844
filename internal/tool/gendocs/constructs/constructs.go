// Package constructs has a small pipeline for each construct of the language. The
// page docs/compiles.md shows them with the YAML that they become.
package constructs

import (
	"embed"

	"github.com/kfpgo/kfpgo/dsl"
)

// A Construct is a part of the language, what a page says of it, and which parts of the
// YAML show it: paths in the IR and names of templates of the Workflow. A path ends in
// * for all below it.
type Construct struct {
	Title    string
	Text     string
	Var      string // of the pipeline, in the source
	Pipeline dsl.Definition
	KFP      []string
	Argo     []string
}

// Source is the Go source of the pipelines.
//
//go:embed *.go
var Source embed.FS

// All lists the constructs, in the order of the page.
var All = []Construct{
	{"Steps and what they pass", "A task is a task of the DAG on both. Its outputs reach the next one as parameters; a task waits for what it reads. A Go step gets all of its inputs as one JSON: KFP's executor input. On Argo that is a file, so that no value is too long or expanded by anybody.",
		"chain", chain, []string{"root.dag.tasks", "deploymentSpec.executors.exec-greet"}, []string{"chain", "greet"}},
	{"Artifacts", "KFP's launcher copies artifacts to the pipeline root and back. Argo does it by its artifact repository: an output artifact, with a file of metadata beside it.",
		"artifacts", artifacts, []string{"root.dag.tasks.use", "components.comp-make", "deploymentSpec.executors.exec-make"}, []string{"artifacts", "make"}},
	{"If, Elif and Else", "Branches are DAGs that are called under a condition: CEL on KFP, an expression on Argo. Else is the negation of what was before it.",
		"branches", branches, []string{"components.comp-condition-branches-1.dag.tasks"}, []string{"condition-branches-1"}},
	{"A value out of a branch", "OneOf is the value of the branch that ran.",
		"oneOf", oneOf, []string{"components.comp-condition-branches-1.dag.outputs", "root.dag.outputs"}, []string{"condition-branches-1"}},
	{"Loops", "The body is a DAG with the item as an input. Both run it once for each item; KFP from an iterator, Argo by withParam.",
		"loop", loop, []string{"root.dag.tasks.for-loop-1", "components.comp-for-loop-1.dag"}, []string{"loop", "for-loop-1"}},
	{"Collected", "What the iterations made, as a list in their order.",
		"collected", collected, []string{"root.dag.tasks.sum.inputs", "components.comp-for-loop-1.dag.outputs"}, []string{"collected"}},
	{"Exit handlers", "The guarded tasks are a DAG of their own; the handler's tasks follow it in whichever state it ended, and get that state.",
		"exit", exit, []string{"root.dag.tasks"}, []string{"exit"}},
	{"Settings of a task", "Resources, retries, caching and timeouts are part of the IR; volumes, secrets, node selectors and tolerations are in its second document, for Kubernetes. On Argo they are fields of the pod and of the template.",
		"settings", settings, []string{"root.dag.tasks.greet.retryPolicy", "root.dag.tasks.greet.cachingOptions", "deploymentSpec.executors.exec-greet.container.resources", "platforms.kubernetes.deploymentSpec.executors.exec-greet"}, []string{"greet"}},
	{"Volumes", "KFP's driver makes the claim; on Argo a resource template does.",
		"volume", volume, []string{"root.dag.tasks.createpvc", "deploymentSpec.executors.exec-createpvc", "platforms.kubernetes.deploymentSpec.executors.exec-greet"}, []string{"createpvc", "greet"}},
	{"Operations on objects", "Argo has a template for them. On KFP a step with our own program does the same by server-side apply, and watches the conditions.",
		"resource", resource, []string{"deploymentSpec.executors.exec-queue.container.command", "deploymentSpec.executors.exec-queue.container.args"}, []string{"queue"}},
	{"Python", "The source goes along, with a runtime of a few kilobytes in place of the SDK.",
		"python", python, []string{"components.comp-half"}, []string{"half"}},
	{"Nested pipelines", "A pipeline in a pipeline is a DAG in a DAG.",
		"nested", nested, []string{"root.dag.tasks.chain", "components.comp-chain.dag.outputs"}, []string{"nested", "chain"}},
	{"Optional inputs", "An input that isn't given is absent on KFP. On Argo, whose parameters are strings, it is null.",
		"optional", optional, []string{"root.inputDefinitions.parameters", "components.comp-condition-1", "root.dag.tasks.condition-1.triggerPolicy"}, []string{"optional"}},
}
