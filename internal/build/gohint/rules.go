package gohint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A rule knows one mistake by what the go command says of it.
type rule struct {
	says *lazyregexp.Regexp // the message without its position; its lines are separated by \n
	code *lazyregexp.Regexp // the line of the user's file, where the message doesn't say enough
	same bool               // the last two groups of says must be equal
	hint func(found []string) string
}

// on returns a rule whose hint is a string with $1, $2 for the groups of says.
func on(says, hint string) rule {
	return rule{says: lazyregexp.New(`^(?s:` + says + `)$`), hint: func(found []string) string {
		pairs := []string{}
		for i := len(found) - 1; i > 0; i-- { // $12 before $1
			pairs = append(pairs, "$"+strconv.Itoa(i), found[i])
		}
		return strings.NewReplacer(pairs...).Replace(hint)
	}}
}

// by is on with a hint that takes more than a string.
func by(says string, hint func(found []string) string) rule {
	r := on(says, "")
	r.hint = hint
	return r
}

// where restricts a rule to lines of the user's file; its groups follow those of says.
func (r rule) where(code string) rule {
	r.code = lazyregexp.New(code)
	return r
}

func (r rule) ofOneType() rule {
	r.same = true
	return r
}

// Parts of the compiler's messages.
const (
	given    = `cannot use (.+) \((?:value|variable|constant .+) of (?:\w+ )?type (.+)\) as ` // what and its type
	param    = `dsl\.Param\[(.+)\]`
	artifact = `dsl\.(?:Artifact\[.+\]|Any|ClassificationMetrics|Dataset|HTML|Markdown|Metrics|Model)`
	aParam   = `(.+) \((?:value|variable) of (?:\w+ )?type ` + param + `\)`
	ref      = `(\S*\bin\.\S+|\S+\.(?:Out|Each)\.\S+)` // what is most probably a reference
)

// rules are in the order in which they are tried.
var rules = slices.Concat(setup, tasks, values, operators, control, functions)

// setup has the errors before the compiler reads a pipeline.
var setup = []rule{
	on(`go: (?:go\.mod file not found|cannot find main module).*`, "start a project: kfpgo init FOLDER; or make this folder a module: go mod init NAME, then go get github.com/kfpgo/kfpgo"),
	on(`cannot find module providing package github\.com/kfpgo/kfpgo[/:].*`, "the module doesn't require kfpgo; go get github.com/kfpgo/kfpgo adds it"),
	on(`.*missing go\.sum entry for module providing package .*imported by github\.com/kfpgo/kfpgo/client/kfp\).*`, kubernetes),
	on(`go: .*k8s\.io/kubernetes@v0\.17\.9.*`, kubernetes),
	on(`undefined: dsl`, `import "github.com/kfpgo/kfpgo/dsl"`),
	on(`undefined: k8s`, `import "github.com/kfpgo/kfpgo/dsl/k8s"`),
	by(`undefined: dsl\.(\w+)`, func(found []string) string { return python[strings.ToLower(found[1])] }),
	on(`undefined: s`, "a step is called in the function of a pipeline: dsl.Pipeline(\"name\", func(s *dsl.Scope, in In) Out {…})").where(`\.Call\(s\b`),
}

// kubernetes is the line that client/kfp needs: KFP's module requires a version that isn't served.
const kubernetes = "a module that imports client/kfp needs one line in its go.mod: go mod edit -replace k8s.io/kubernetes=k8s.io/kubernetes@v1.11.1; then go mod tidy"

// python is what KFP's Python SDK calls otherwise.
var python = map[string]string{
	"condition":          "write dsl.If(s, dsl.Gt(…), func(s *dsl.Scope) {…})",
	"exithandler":        "write dsl.OnExit(s, func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {…})",
	"importer":           "write dsl.Import[dsl.Dataset](s, URI)",
	"component":          "a step is dsl.Func(\"name\", func(ctx context.Context, in In, out *Out) error {…})",
	"containercomponent": "a step that runs an image is dsl.Container(\"name\", func(in In, out Out) dsl.ContainerSpec {…})",
	"input":              "an input is a field of the In struct, such as Data dsl.Dataset",
	"output":             "an output is a field of the Out struct, such as Data dsl.Dataset",
	"inputpath":          "an input is a field of the In struct, such as Data dsl.Dataset; its path is in.Data.Path()",
	"outputpath":         "an output is a field of the Out struct, such as Data dsl.Dataset; its path is out.Data.Path()",
	"string":             "write dsl.Const(\"text\")",
	"int":                "write dsl.Const(3)",
	"float":              "write dsl.Const(0.5)",
}

// tasks are mistakes in calling steps and in using what they return.
var tasks = []rule{
	on(`(.+)\.(CPU|CPURequest|Memory|MemoryRequest|GPU|Accelerator|Env|Image|Named|NoCache|Cache|CacheKey|Retry|Timeout|After|IgnoreUpstreamFailure) undefined \(type \*dsl\.Task\[.+`, "options are arguments of Call: STEP.Call(s, STEPIn{…}, dsl.$2(…))"),
	on(`(.+)\.(?:Output|Outputs|outputs|output|out) undefined \(type \*dsl\.Task\[.+`, "the outputs are in Out, such as $1.Out.NAME"),
	on(`(.+)\.(\w+) undefined \(type \*dsl\.Task\[.+`, "the outputs are in Out: write $1.Out.$2"),
	on(`(.+)\.(?:Out\b.*|\w+) undefined \(type dsl\.Loop\[.+`, "a loop has its outputs in Each, and all of them together are dsl.Collected($1.Each.NAME), or dsl.CollectedArtifacts for an artifact"),
	on(`cannot use (.+) \(.*type \*dsl\.Task\[.+\]\) as dsl\.(?:Param|List|`+artifact[len(`dsl\.`):]+`).*`, "a task is not a value; give one of its outputs: $1.Out.NAME"),
	on(`cannot use (.+\.(?:Out|Each)) \(.*type (\w+)\) as dsl\..*`, "$2 has all outputs; give one of them: $1.NAME"),
	on(`invalid operation: cannot call (.+) \(.* of type \*dsl\.Component\[(.+), .+\]\).*`, "write $1.Call(s, $2{…})"),
	on(`assignment mismatch: 2 variables but (.+)\.Call returns 1 value`, "Call returns the task alone, without an error: kfpgo reports all mistakes when it compiles"),
	on(`declared and not used: (\w+)`, "a task whose outputs nobody reads needs no variable: drop $1 :=").where(`\.Call\(s\b`),
	on(`not enough arguments in call to (.+)\nhave \(\*dsl\.Scope\)\nwant \(\*dsl\.Scope, (\w+), .*`, "the inputs follow the scope: $1(s, $2{…})"),
	on(`not enough arguments in call to (.+)\nhave \(.*\)\nwant \(\*dsl\.Scope, .*`, "the scope comes first: $1(s, …)"),
	on(`not enough arguments in call to (dsl\.\w+)\nhave \(.*\)\nwant \(string, func.*`, `the name comes first: $1("name", …)`),
	on(`cannot use &(.+) \(value of type \*(.+)\) as (.+) value in .*`, "write it without &: $1").ofOneType(),
	on(`cannot use (dsl\.\w+) \(value of type func\(.*\) dsl\.Option\).*`, "call it: $1()"),
	by(`cannot use .+ as (\S+) value in argument to (\w+)\.Call`, func(found []string) string {
		if found[1] == "dsl.Option" {
			return "what follows the inputs are options, such as dsl.CPU(\"2\")"
		}
		return fmt.Sprintf("%s takes its own In struct: %[1]s.Call(s, %s{…})", found[2], found[1])
	}),
	on(`cannot use (\S+)\.Out(?:\.\w+)? \(.*\) as dsl\.Handle value.*`, "a task is what others wait for: write dsl.After($1)"),
}

// values are mistakes with the values of inputs.
var values = []rule{
	on(`cannot use (.+) \(.+\) as dsl\.Param\[.+\] value in argument to dsl\.(\w+)Ref`, "two parameters are compared by dsl.$2Ref, and a parameter with $1 by dsl.$2"),
	on(`cannot use fmt\.Sprintf\((.+)\) \(value of type string\) as dsl\.Param\[string\] value .*`, "write dsl.Sprintf($1), which takes parameters that aren't known yet"),
	on(`cannot use (\S+) \(.*\) as dsl\.Param\[.+\] value in assignment`, "a step sets an output by its method: $2.Set($1)").where(`\b(out\.\w+) = `),
	on(`cannot use (\d+) \(untyped int constant\) as dsl\.Param\[float64\] value .*`, "write dsl.Const($1.0)"),
	on(`cannot use (.+) \((?:untyped string constant.*\) as dsl\.Param\[string\]|untyped int constant.*\) as dsl\.Param\[int\]|untyped float constant.*\) as dsl\.Param\[float64\]|untyped bool constant.*\) as dsl\.Param\[bool\]) value .*`, "write dsl.Const($1)"),
	on(`cannot use (.+) \(untyped (?:int|float|rune) constant.*\) as dsl\.Param\[((?:int|uint|float)\d*)\] value .*`, "write dsl.Const[$2]($1)"),
	on(given+param+` value .*`, "write dsl.Const($1)").ofOneType(),
	on(`cannot use (.+) \(untyped (\w+) constant.*\) as dsl\.Param\[(.+)\] value .*`, "the input is of type $3, and $1 is of type $2"),
	on(`cannot use nil as dsl\.Param\[.+\] value .*`, "leave the field out if the input is optional"),
	on(`cannot use dsl\.Const\((\d+)\) \(.*dsl\.Param\[int\]\) as dsl\.Param\[float64\] .*`, "write dsl.Const($1.0), which is a float64"),
	on(`cannot use dsl\.Const\((.+)\) \(.*dsl\.Param\[int\]\) as dsl\.Param\[string\] .*`, "write dsl.Sprintf(\"%v\", $1)"),
	on(`cannot use `+aParam+` as dsl\.Param\[string\] value .*`, "write dsl.Sprintf(\"%v\", $1)"),
	on(`cannot use `+aParam+` as `+param+` value .*`, "the input is of type $3, and $1 of type $2: give both one type, or let a step convert it"),
	on(`cannot use (.+) \(.* type (`+artifact+`)\) as dsl\.Param\[.+\] value .*`, "$1 is an artifact; declare the input as $2, or give a parameter"),
	on(`cannot use (.+) \((?:untyped string constant.*|.* type (?:string|dsl\.Param\[string\]))\) as (`+artifact+`) value .*`, "$1 is a string; for a file at that URI write dsl.Import[$2](s, $1)"),
	on(`cannot use (.+) \(.* type (`+artifact+`)\) as (`+artifact+`) value .*`, "the input is a $3, and $1 is a $2; if that is right all the same, write dsl.AsArtifact[$3]($1)"),
	on(`cannot use (.+) \(.* type (`+artifact+`)\) as dsl\.List\[.+\] value .*`, "write dsl.ListOf($1), or dsl.CollectedArtifacts($1) if it is an output of a loop"),
	on(`cannot use (.+) \(.* type \*dsl\.Choice\[(.+)\]\) as .*`, "a OneOf ends with its last branch: .Else(func(s *dsl.Scope) $2 {…})"),
	on(`cannot convert (.+) \(untyped .*\) to type dsl\.Param\[.+\]`, "write dsl.Const($1)"),
	on(`cannot use (.+) \(.* type dsl\.Param\[.+\]\) as string value in array or slice literal`, "arguments of a container are made by dsl.Args(…, $1)"),
	on(`cannot use (.+) \(.* type dsl\.Param\[.+\]\) as .+ value in argument to out\.(\w+)\.Set`, "write out.$2.Set($1.Get())"),
	on(`cannot use (.+) \(.* type dsl\.Param\[.+\]\) as [^.]+ value in argument to [^d].*`, inStep("$1.Get()")),
	on(`cannot use (.+) \(.* type `+artifact+`\) as string value in argument to [^d].*`, "in a step's function the path of the file is $1.Path()"),
	on(`cannot convert (.+) \(.* type dsl\.Param\[.+\]\) to type string`, "in a step's function write $1.Get(); in a pipeline dsl.Sprintf(\"%v\", $1) is a string"),
	on(`cannot convert (.+) \(.* type dsl\.Param\[.+\]\) to type \w+`, inStep("$1.Get()")),
	on(`(.+)\.(?:Get|Set) undefined \(type `+artifact+` .*`, "an artifact is a file; in a step's function its path is $1.Path()"),
	on(`in call to dsl\.Import, cannot infer A .*`, "say which artifact it is: dsl.Import[dsl.Dataset](s, …)"),
	on(`in call to dsl\.Items, cannot infer T .*`, "dsl.Items takes parameters; a list that is known now is dsl.Const([]string{…})"),
	on(`(?:int|float64) does not satisfy dsl\.Text .*`, `write a string, such as "4"`),
	on(`string does not satisfy dsl\.Count .*`, "write the number without quotes"),
	on(`cannot use "(.+)" \(untyped string constant\) as "time"\.Duration value in argument to .*`, "write a duration, such as 5*time.Minute"),
}

func inStep(code string) string {
	return "in a step's function write " + code + "; in a pipeline the value isn't known yet, and a step must do this"
}

// comparisons are the functions for Go's operators.
var comparisons = map[string]string{"==": "Eq", "!=": "Ne", "<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge"}

// operators are Go's own, which work on values only.
var operators = []rule{
	by(`invalid operation: (\S+) ([=!<>]=?) (.+) \(mismatched types dsl\.Param\[.+\] and .+\)`, func(found []string) string {
		return fmt.Sprintf("in a pipeline write dsl.%s(%s, %s), as the condition of a dsl.If; in a step's function %[2]s.Get() %[4]s %[3]s", comparisons[found[2]], found[1], found[3], found[2])
	}),
	on(`invalid operation: (.+) [=!<>]=? (\S+) \(mismatched types .+ and dsl\.Param\[.+\]\)`, inStep("$2.Get()")),
	by(`invalid operation: `+ref+` ([=!<>]=?) (\S+) \((?:operator \S+ not defined on struct|struct containing \[0\]func\(\) cannot be compared)\)`, func(found []string) string {
		return fmt.Sprintf("in a pipeline write dsl.%sRef(%s, %s), as the condition of a dsl.If; in a step's function %[2]s.Get() %[4]s %[3]s.Get()", comparisons[found[2]], found[1], found[3], found[2])
	}),
	by(`invalid operation: (".*") \+ (\S+) \(mismatched types .* and dsl\.Param\[string\]\)`, func(found []string) string {
		return joined(strings.ReplaceAll(found[1][:len(found[1])-1], "%", "%%")+`%s"`, found[2], found[1]+" + "+found[2]+".String()")
	}),
	by(`invalid operation: (\S+) \+ (".*") \(mismatched types dsl\.Param\[string\] and .*\)`, func(found []string) string {
		return joined(`"%s`+strings.ReplaceAll(found[2][1:], "%", "%%"), found[1], found[1]+".String() + "+found[2])
	}),
	on(`invalid operation: operator \+ not defined on (.+) \(.* type dsl\.Param\[string\]\)`, `in a pipeline write dsl.Sprintf("%s%s", $1, …); in a step's function $1.Get()`),
	on(`invalid operation: operator ! not defined on (.+) \(.* type dsl\.Param\[bool\]\)`, "in a pipeline write dsl.False($1); in a step's function !$1.Get()"),
	on(`invalid operation: operator && not defined on (.+) \(.* type dsl\.Param\[bool\]\)`, "in a pipeline write dsl.And(dsl.True($1), …); in a step's function $1.Get() && …"),
	on(`invalid operation: operator \|\| not defined on (.+) \(.* type dsl\.Param\[bool\]\)`, "in a pipeline write dsl.Or(dsl.True($1), …); in a step's function $1.Get() || …"),
	on(`invalid operation: operator \S+ not defined on (.+) \(.* type dsl\.Param\[.+\]\)`, inStep("$1.Get()")),
	on(`invalid operation: (\S+) ([-+*/%]) (.+) \(mismatched types dsl\.Param\[.+\] and .+\)`, inStep("$1.Get() $2 $3")),
	on(`invalid operation: (.+) ([-+*/%]) (\S+) \(mismatched types .+ and dsl\.Param\[.+\]\)`, inStep("$3.Get()")),
	on(`invalid operation: (.+)(\+\+|--) \(non-numeric type dsl\.Param\[.+\]\)`, "a parameter has one value; a step computes another one, and returns it as an output"),
}

func joined(format, arg, placeholder string) string {
	return fmt.Sprintf("in a pipeline write dsl.Sprintf(%s, %s), in the arguments of a container %s", format, arg, placeholder)
}

// control is Go's own control flow, which runs while the pipeline is compiled.
var control = []rule{
	on(`non-boolean condition in (?:if|for) statement`, "in a pipeline write dsl.If(s, $1, func(s *dsl.Scope) {…})").where(`\bif (dsl\.\w+\(.*\)) \{`),
	on(`non-boolean condition in (?:if|for) statement`, "in a pipeline write dsl.If(s, dsl.True($1), func(s *dsl.Scope) {…}); in a step's function $1.Get()").where(`\b(?:if|for) ` + ref + ` \{`),
	on(`cannot range over `+aParam, "in a pipeline write dsl.ParallelFor(s, $1, func(s *dsl.Scope, item dsl.Param[…]) dsl.None {…}); in a step's function range over $1.Get()"),
	on(`cannot range over (.+) \(.* type dsl\.List\[(.+)\]\)`, "in a pipeline write dsl.ParallelForArtifacts(s, $1, func(s *dsl.Scope, item $2) dsl.None {…}); in a step's function range over $1.All()"),
	on(`(?:invalid operation: )?cannot index `+aParam, inStep("$1.Get()[…]")),
	on(`invalid argument: `+aParam+` for built-in (\w+)`, inStep("$3($1.Get())")),
	on(`cannot use (.+) \(.* type dsl\.Param\[bool\]\) as dsl\.Cond value in .*`, "write dsl.True($1)"),
	on(`in call to dsl\.(Eq|Ne|Lt|Le|Gt|Ge), type dsl\.Param\[.+\] of (.+) does not match inferred type .*`, "two parameters of one type are compared by dsl.$1Ref(…, $2)"),
	on(`in call to dsl\.Collected, type dsl\.List\[.+\] of (.+) does not match .*`, "for a list of artifacts write dsl.CollectedLists($1)"),
	on(`in call to dsl\.Collected, type (`+artifact+`) of (.+) does not match .*`, "$2 is an artifact: write dsl.CollectedArtifacts($2)"),
	on(`in call to dsl\.Collected, type dsl\.Loop\[.+\] of (.+) does not match .*`, "give one output of the loop: dsl.Collected($1.Each.NAME)"),
	on(`in call to dsl\.Collected, type .+ of (.+\.Each) does not match .*`, "give one output: dsl.Collected($1.NAME)"),
	on(`in call to dsl\.CollectedArtifacts, A \(type dsl\.Param\[.+\]\) does not satisfy .*`, "for a parameter write dsl.Collected"),
	on(`in call to dsl\.ParallelFor, type dsl\.List\[(.+)\] of (.+) does not match .*`, "a list of artifacts has a loop of its own: dsl.ParallelForArtifacts(s, $2, func(s *dsl.Scope, item $1) …)"),
	on(`in call to dsl\.ParallelFor, type \[\].+ of (.+) does not match .*`, "write dsl.Const($1) for a list that is known now"),
}

// functions are those that users write for the language to call.
var functions = []rule{
	on(`in call to dsl\.(ParallelFor|ParallelForArtifacts), type func\(\w+ \*dsl\.Scope, \w+ [^()]+\) of .*`, "a loop without outputs is dsl.ForEach, or dsl.ForEachArtifact; for outputs the function returns them"),
	on(`in call to dsl\.ParallelFor, type func.* does not match inferred type func\(\*dsl\.Scope, (dsl\.Param\[.+\])\) R for .*`, "the function of the loop is func(s *dsl.Scope, item $1) Out {…}, and that of dsl.ForEach has no result"),
	on(`in call to dsl\.Func, type func\(.*`, "the function of a step is func(ctx context.Context, in In, out *Out) error, with structs In and Out; dsl.None is an empty one"),
	on(`in call to dsl\.Pipeline, type func\(\w+ \*dsl\.Scope, \w+ \w+\) of .*`, "a pipeline without outputs returns dsl.None: func(s *dsl.Scope, in In) dsl.None {…; return dsl.None{}}"),
	on(`in call to dsl\.Pipeline, type func\(.*`, "the function of a pipeline is func(s *dsl.Scope, in In) Out, with structs In and Out; dsl.None is an empty one"),
	on(`in call to dsl\.Container, (?:type func\(|cannot infer).*`, "the function of a container is func(in In, out Out) dsl.ContainerSpec, with structs In and Out"),
	on(`cannot use .+ as func\(\*dsl\.Scope, dsl\.Param\[dsl\.FinalStatus\]\) value in argument to dsl\.OnExit`, "the handler is func(s *dsl.Scope, status dsl.Param[dsl.FinalStatus]) {…}"),
	on(`cannot use .+ \(value of type func\(\w+ \*dsl\.Scope\) .+\) as func\(\*dsl\.Scope\) value in argument to (.+)`, "the function has no result here; dsl.OneOf returns the value of the branch that ran"),
	on(`cannot use .+ as func\(\*dsl\.Scope\) value in argument to (.+)`, "the function takes a scope of its own: func(s *dsl.Scope) {…}"),
	on(`cannot use generic type dsl\.Param(?:\[.+\])? without instantiation`, "say of what type it is: dsl.Param[string]"),
	on(`cannot use generic type dsl\.Artifact(?:\[.+\])? without instantiation`, "use its kinds: dsl.Dataset, dsl.Model, dsl.Metrics, or dsl.Any for an artifact of any kind"),
	on(`cannot use generic type dsl\.List(?:\[.+\])? without instantiation`, "say of which artifacts: dsl.List[dsl.Model]"),
	on(`(\w+) does not satisfy interface\{artifact\(\)\} .*`, "a list of artifacts is dsl.List[dsl.Model]; one of values is dsl.Param[[]$1]"),
}
