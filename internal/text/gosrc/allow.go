package gosrc

import "strings"

func set(names string) map[string]bool {
	m := map[string]bool{}
	for _, n := range strings.Fields(names) {
		m[n] = true
	}
	return m
}

const (
	dslPath  = "github.com/kfpgo/kfpgo/dsl"
	k8sPath  = "github.com/kfpgo/kfpgo/dsl/k8s"
	argoPath = "github.com/kfpgo/kfpgo/dsl/argo"
)

// An imported package: what of it a made source may call, and what else it may
// name. Nil: all that it exports, as types and constants.
type imported struct {
	calls map[string]bool
	names map[string]bool
}

// imports are the packages of made sources. What isn't here runs nothing: a call
// of dsl records a part of a pipeline.
var imports = map[string]imported{
	dslPath: {calls: set(`
		Pipeline Container Python Notebook Resource NewSchedule OutputAt Args Concat IfPresent
		Const Param Values Items Fields Sprintf As AsArtifact AsList Collected CollectedArtifacts CollectedLists StatusOf Import
		OnExit Group If OneOf ParallelFor ParallelForArtifacts ForEach ForEachArtifact And Or Not Given True False
		Eq Ne Lt Le Gt Ge In EqRef NeRef LtRef LeRef GtRef GeRef
		RunName RunID RunResource RunCreated RunScheduled TaskName TaskID ArtifactRoot WorkspacePath
		Label Named TaskKey After IgnoreUpstreamFailure Parallelism Cache`)},
	k8sPath:  {calls: set("InMemory Medium Optional SizeLimit SubPath")},
	argoPath: {calls: set("InNamespace InDatabase Suspend")},
	"time":   {names: set("Hour Minute Second Millisecond Nanosecond Time")},
	"fmt":    {calls: set("Sprint"), names: map[string]bool{}},
	"embed":  {names: set("FS")},
	"io/fs":  {names: set("FS")},
}

// methods are those of components, tasks, values and branches.
var methods = set(`Call Any String Path URI Metadata MetadataJSON Else Elif Optional Defaults Doc Passthroughs ApplyToTask`)

// builtins are the functions and types of the language that are called by their
// own name.
var builtins = set("any int64 new")
