package raise

import (
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// refName returns what a value is called.
func refName(r *ref) string {
	switch r.kind {
	case refInput, refMember:
		return r.name
	case refOutput:
		if vague(r) {
			return r.node.class.base
		}
		return r.name
	case refGiven:
		return refName(r.give.of[0])
	case refItem:
		return "item"
	}
	return ""
}

// vague reports whether the name of an output says nothing.
func vague(r *ref) bool {
	switch strings.ToLower(r.name) {
	case "output", "out", "result", "value":
		return r.kind == refOutput
	}
	return false
}

// refType returns the Go type of a value.
func (b *builder) refType(r *ref) string {
	if r.typ == nil {
		return r.art
	}
	if r.kind == refRun && strings.HasSuffix(r.name, "_time_utc") {
		return "dsl.Param[time.Time]"
	}
	return "dsl.Param[" + b.goType(r.typ) + "]"
}

// expr returns a value that is not a constant, as Go.
func (b *builder) expr(r *ref) string {
	switch r.kind {
	case refConst:
		s, ok := b.literal(r.typ, r.lit)
		if !ok {
			s, _ = anyLiteral(r.lit)
		}
		return "dsl.Const(" + s + ")"
	case refInput:
		return "in." + r.scope.class.ins[r.name].field
	case refOutput:
		if r.node.class.importer() {
			return r.node.varn
		}
		return r.node.varn + ".Out." + r.node.class.outs[r.name].field
	case refItem:
		return r.scope.itemVar
	case refRun:
		return "dsl." + runFuncs[r.name] + "()"
	case refStatusOf:
		return "dsl.StatusOf(" + r.node.varn + ")"
	case refStatus:
		return r.scope.statusVar
	case refValues:
		s, _ := b.composed(r.typ, r.lit, r)
		return s
	case refFormat:
		var f strings.Builder
		args := []string{""}
		for i, t := range r.text {
			f.WriteString(strings.ReplaceAll(t, "%", "%%"))
			if i < len(r.of) {
				f.WriteString("%v")
				arg := b.expr(r.of[i])
				if r.of[i].kind == refConst {
					arg, _ = anyLiteral(r.of[i].lit)
				}
				args = append(args, arg)
			}
		}
		args[0] = gosrc.Quote(f.String())
		return "dsl.Sprintf(" + strings.Join(args, ", ") + ")"
	case refView:
		return "dsl.As[" + b.goType(r.typ) + "](" + b.expr(r.of[0]) + ")"
	case refMember:
		b.goType(r.of[0].typ) // names the fields
		return "dsl.Fields(" + b.expr(r.of[0]) + ")." + r.of[0].typ.root().goFields[r.name]
	}
	g, gv := r.scope, r.give
	if g.kind == program.Guarded {
		if gv.varn != "" {
			return gv.varn
		}
		return b.expr(gv.of[0])
	}
	s := g.result
	if g.kind == program.Loop {
		s += ".Each"
	}
	if gv.field != "" {
		s += "." + gv.field
	}
	if g.kind == program.Loop {
		if gv.typ != nil {
			return "dsl.Collected(" + s + ")"
		}
		if strings.HasPrefix(gv.of[0].art, "dsl.List[") {
			return "dsl.CollectedLists(" + s + ")"
		}
		return "dsl.CollectedArtifacts(" + s + ")"
	}
	return s
}

// as returns a value where one of a Go type is wanted.
func (b *builder) as(want string, r *ref) string {
	got, s := b.refType(r), b.expr(r)
	switch {
	case got == want:
		return s
	case want == "dsl.Any" && !strings.HasPrefix(got, "dsl.List["):
		return s + ".Any()"
	case r.typ != nil:
		return "dsl.As[" + strings.TrimSuffix(strings.TrimPrefix(want, "dsl.Param["), "]") + "](" + s + ")"
	case strings.HasPrefix(want, "dsl.List["):
		return "dsl.AsList[" + elemArtifact(want) + "](" + s + ")"
	}
	return "dsl.AsArtifact[" + want + "](" + s + ")"
}

// runFuncs are the functions for what a run knows of itself.
var runFuncs = map[string]string{
	"pipeline_job_name": "RunName", "pipeline_job_uuid": "RunID", "pipeline_job_resource_name": "RunResource",
	"pipeline_job_create_time_utc": "RunCreated", "pipeline_job_schedule_time_utc": "RunScheduled",
	"pipeline_task_name": "TaskName", "pipeline_task_uuid": "TaskID", "pipeline_root": "ArtifactRoot", "workspace_path": "WorkspacePath",
}
