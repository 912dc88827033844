package feature

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// words are what back ends and rules say to authors of Go, and what that is in a file.
// Sentences are those whose advice is another one, too.
var words = map[string]string{
	"define one with dsl.NewSchedule in an exported variable":       "a file has none: store one with kfpgo schedule apply FILE --name NAME --cron CRON, or write the file for target argo-template",
	"k8s.NodeAffinityJSON of a reference":                           "nodeAffinityJson of an input",
	"use dsl.Resource, with a manifest that has inputs in it":       "write the manifest in the file, with inputs in it",
	"remove its conditions and outputs":                             "take its conditions and outputs out of the file",
	" (dsl.OutputAt)":                                               "",
	"set it on the tasks inside":                                    "move it to the tasks inside, in the file",
	"set Command":                                                   "write the command in the file",
	"add dsl.CacheKey with the value":                               "add cachingOptions.cacheKey with the value to the file",
	"add dsl.NoCache, or dsl.CacheKey with what it depends on":      "take cachingOptions out of the task in the file, or add a cacheKey with what it depends on",
	"add k8s.Tolerate":                                              "add tolerations to the task in the file",
	"k8s.RunVolume makes one and deletes it however the run ends":   "delete it in an exit handler",
	`mount k8s.EmptyDir("shm", "/dev/shm", k8s.InMemory()) instead`: "mount an emptyDir of medium Memory at /dev/shm instead",

	"dsl.ArtifactRoot": "pipeline_root", "dsl.RunID": "pipeline_job_uuid", "dsl.TaskID": "pipeline_task_uuid", "dsl.TaskName": "pipeline_task_name",
	"dsl.ProgramImage": "the image of the program",
}

// replacer tries longer words first.
var replacer = sync.OnceValue(func() *strings.Replacer {
	words := maps.Clone(words)
	for _, o := range program.Options() {
		for _, name := range o.Go {
			words[name] = o.File
		}
	}
	var list []string
	for said := range words {
		list = append(list, said)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	var pairs []string
	for _, said := range list {
		pairs = append(pairs, said, words[said])
	}
	return strings.NewReplacer(pairs...)
})

// Words returns a message about what is at a place in the words of whoever holds it: the
// program in Go, or a compiled file.
func Words(p *program.Program, at graph.Pos, msg string) string {
	if !FromFile(p, at) {
		return msg
	}
	return replacer().Replace(msg)
}
