package k8s

import (
	"fmt"
	"strings"
)

// constructs are the pipelines that each run of the tests takes to KFP: one a construct.
// The others are for FULL=1.
var constructs = []string{
	`Inputs text="true"`, `Defaults flag="x" n="-1" text=""`, `Skipped`, `Filter limit="9" texts="[]"`, `Filter texts="[\"abc\", \"\", \"ab\"]"`,
	`Twice n="1"`, `Format`, "Several text=" + quote(told), `Converts`, `Notebooks`, `Raises text="x"`, `Breaks`, `Sized`, `calc#Pipeline a="12"`, `hello#Pipeline name="Ada {{x}}"`, `TooLong`,
	// What is known to fail, by reason.
	`Branch n="6"`, `Joined n="1"`, `Loops`, `Copies`, `Fails`, `flipcoin#Pipeline games="1" seed="0"`, `Given text=""`, `Env`, `Sources`, `Where`, `Volume`, `Values`, `Odds`,
	`Ignores`, `Imported text="hello"`, `Runs`, `Absent`, `Tells text="it's {x} #1"`, `Flagged text="{{f}} g"`, `InputFile data="(the path of a file with the text imported)"`,
}

// left are pipelines that FULL=1 leaves out too.
var left = map[string]string{
	"Broad": "its 210 branches are 420 pods on KFP, an hour on this machine",
}

// A limit is why KFP 2.0.5 can't run a pipeline as the table has it, and what is said
// then: by kfpgo, by the server or by a pod. A test fails when it can, or when
// it fails in another way.
type limit struct {
	state string // REFUSED: no run came to be
	said  string
	why   string
}

func (l *limit) differs(got outcome) string {
	text := got.log
	if got.state == "SUCCEEDED" {
		text = fmt.Sprint(got.outputs, got.ended)
	}
	if got.state != l.state || !strings.Contains(text, l.said) {
		return got.state + " " + text
	}
	return ""
}

// The limits that several pipelines meet. The first ones are of KFP as it is: kfpgo
// refuses them when it compiles.
var (
	doubles   = &limit{"REFUSED", "KFP holds numbers as doubles", "holds numbers as doubles"}
	expands   = &limit{"REFUSED", "KFP", "replaces what starts with {{$ in texts"}
	composed  = &limit{"REFUSED", "it makes texts of them", "makes texts of what is put into lists"}
	podFields = &limit{"REFUSED", "target kfp has no", "has some fields of pods only"}

	handsOn   = &limit{"FAILED", "in producer task", "hands on no outputs of branches and of nested pipelines; 2.4 does"}
	afterLoop = &limit{"REFUSED", "invalid dependency for-loop", "lets nothing follow a loop; 2.5 does"}
	iterator  = &limit{"REFUSED", "artifact iterator not implemented", "loops over no artifacts"}
	status    = &limit{"REFUSED", "task final status not supported yet", "has no final status; 2.14 has"}
	notGiven  = &limit{"FAILED", "parent DAG does not have input parameter", "passes on no input that isn't given; 2.5 does"}
	newField  = &limit{"FAILED", "failed to unmarshal Kubernetes config", "fails on fields of pods that came later; --kfp-version 2.0 leaves out or refuses them"}
	claim     = &limit{"FAILED", "must specify FingerPrint", "fails on claims that aren't cached; --kfp-version 2.0 has them cached"}
)

var limits = map[string]*limit{
	"Values": doubles, "Numbers": doubles, "Odds": doubles,
	"Typed":  {"REFUSED", "argument large: KFP holds numbers as doubles", doubles.why},
	"Inputs": {"REFUSED", "argument text: KFP's launcher replaces {{$", expands.why}, "Quoting": expands,
	"Composed": composed, "Items": composed, "Tools": composed, "Pythons": composed,
	"Patched": podFields, "Presents": podFields, "Marked": podFields, "PlacedLater": podFields, "Devices": podFields, "DevicesLater": podFields, "Variables": podFields,
	"Retries":   {"REFUSED", "target kfp has no dsl.Retry of a reference", "has a constant number of tries"},
	"States":    {"REFUSED", "target kfp has no field of the final status", "takes no final status apart"},
	"GivenFile": {"REFUSED", "target kfp has no dsl.Given of an artifact", "asks of parameters only whether they are given"},
	"Imports":   {"SUCCEEDED", "{{$.inputs.parameters['metadata']}}", "doesn't replace references in the metadata of imports"},

	"Branch": handsOn, "Truth": handsOn, "Nests": handsOn, "Perhaps": handsOn, "Both": handsOn, "Joined": handsOn, "Levels": handsOn,
	"Loops": afterLoop, "Sweep": afterLoop, "Wide": afterLoop, "Rows": afterLoop, "Nothing": afterLoop, "Grid": afterLoop, "Files": afterLoop,
	"Copies": iterator, "Gathered": iterator,
	"Succeeds": status, "Fails": status, "Blames": status, "Kept": status, "Cleaned": status, "flipcoin#Pipeline": status,
	"Given": notGiven, "Defaults": notGiven, "Flagged": notGiven,
	"Dressed": newField, "Where": newField, "Placed": newField, "Sources": newField, "SourcesLater": newField, "Settings": newField, "Scratch": newField, "Beside": newField,
	"Volume": claim, "Claims": claim,
	"Shadows":    {"FAILED", "", "has Argo read names of tasks as words of its language, such as not and in"},
	"Imported":   {"FAILED", "error resolving artifact URI", "imports from no place that a step has found"},
	"Configured": {"FAILED", "{{$.workspace_path}}", "has no workspace; 2.14 has"},
	"Runs":       {"FAILED", "{{$.pipeline_job_create_time_utc}}", "tells a run only its id and name; 2.5 tells the rest"},
	"Chosen":     {"RUNNING", "has not ended", "takes no image from an input, and waits for it forever; 2.4 takes it"},
	"Absent":     {"FAILED", "failed to read output parameter", "fails a step that leaves an output out"},
	"Long":       {"FAILED", "argument list too long", "passes values on the command line, where 128 kB fit"},
	"Env":        {"SUCCEEDED", "text:it's $ 1|b it's $ 1 c", "has Kubernetes replace $$ and $(NAME) in all values"},
	"Ignores":    {"SUCCEEDED", "fail:FAILED", "goes by the last step: a run with a failed one succeeds"},
	"Tells":      {"SUCCEEDED", "#1\n", "keeps the end of the line in a text that a container writes"},
	"Converts":   {"SUCCEEDED", "{{$.inputs.artifacts['data'].metadata}}", "doesn't replace Artifact.Metadata in arguments of containers"},
	"InputFile":  {"REFUSED", "parameter(s) provided are not required", "takes parameters only as arguments"},
}

// whole are rows that are other than their pipeline.
var whole = map[string]*limit{
	`Inputs text="true"`:               nil,
	`Defaults flag="x" n="-1" text=""`: nil,
	`Flagged text="{{f}} g"`:           {"SUCCEEDED", `{"IfPresent":`, "doesn't evaluate dsl.IfPresent in arguments, where kfpgo can't when it compiles"},
}

func limitOf(p pipeline) *limit {
	if l, ok := whole[p.String()]; ok {
		return l
	}
	return limits[p.short()]
}

// short is the name of the pipeline without its arguments.
func (p pipeline) short() string { return p.name[strings.LastIndexByte(p.name, '/')+1:] }
