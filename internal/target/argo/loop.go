package argo

import (
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// itemsInput is the parameter with the list that a loop is over.
const itemsInput = "kfpgo-items"

// items are the arguments with the list. A list of artifacts is their metadata
// and keys.
func (s *scope) items(t *program.Task) []wfv1.Parameter {
	v := t.Each.Items
	if t.Each.Artifact {
		list := wfv1.DAGTask{}
		s.artifact(&list, v, &program.Port{Name: itemsInput, Type: graph.Type{Artifact: true, List: true}})
		return list.Arguments.Parameters
	}
	if v.Kind == program.Const && len(v.Field) == 0 {
		return []wfv1.Parameter{param(itemsInput, constCarrier(v.Const))}
	}
	e := s.carrier(v)
	if s.nullable(v) {
		e = "(" + e + " == 'null' ? '[]' : " + e + ")"
	}
	return []wfv1.Parameter{param(itemsInput, tag(e))}
}

// loopTemplate returns the template of a loop: a DAG that is never skipped, with
// one task that is repeated. It turns Argo's list of results into a carrier.
// Argo reads each result as JSON and loses digits where it can, so the body puts
// # in front of it.
func (s *scope) loopTemplate(c *program.Component) string {
	each := s.task.Each
	if c.DAG == nil {
		s.errorf("a loop over %s, which is not a DAG", c.Name)
		return ""
	}
	item := c.Input(each.Item)
	if item == nil {
		s.errorf("the body of the loop has no input %q for the item", each.Item)
		return ""
	}
	key := dagKey{comp: c.Name + "\x00loop", loop: s.loop}
	if name, ok := s.dags[key]; ok {
		return name
	}
	at := s.reserve(c.Name)
	s.dags[key] = s.templates[at].Name
	t := wfv1.Template{Name: s.templates[at].Name, Inputs: s.inputs(c, each.Item)}
	if each.Parallelism > 0 {
		n := int64(each.Parallelism)
		t.Parallelism = &n
	}
	it := wfv1.DAGTask{Name: "it", Template: s.body(c), WithParam: tag("inputs.parameters[" + literal(itemsInput) + "]")}
	for _, p := range t.Inputs.Parameters {
		it.Arguments.Parameters = append(it.Arguments.Parameters, param(p.Name, tag("inputs.parameters["+literal(p.Name)+"]")))
	}
	for _, a := range t.Inputs.Artifacts {
		it.Arguments.Artifacts = append(it.Arguments.Artifacts, wfv1.Artifact{Name: a.Name, From: "{{inputs.artifacts." + a.Name + "}}", Optional: a.Optional})
	}
	for _, p := range s.items(s.task) {
		t.Inputs.Parameters = append(t.Inputs.Parameters, wfv1.Parameter{Name: p.Name})
	}
	s.item(&it, item)
	t.DAG = &wfv1.DAGTemplate{Tasks: []wfv1.DAGTask{it}}
	for i := range c.Outputs {
		s.collect(&t.Outputs, c, &c.Outputs[i])
	}
	s.templates[at] = t
	return t.Name
}

// item sets what an iteration gets of the list.
func (s *scope) item(it *wfv1.DAGTask, p *program.Port) {
	if s.task.Each.Artifact {
		in := func(suffix string) string { return "inputs.parameters[" + literal(itemsInput+suffix) + "]" }
		// Each item is a list, which comes as JSON; Argo 3 leaves escapes in the
		// fields of an object.
		it.WithParam = tag("let meta = fromJSON(" + in(metaSuffix) + "); " +
			armour("toJson(map(fromJSON("+in(keySuffix)+"), {[#, meta[#index]]}))"))
		it.Arguments.Parameters = append(it.Arguments.Parameters, param(p.Name+metaSuffix, tag("fromJSON(item)[1]")), param(p.Name+keySuffix, tag("fromJSON(item)[0]")))
		if s.imports {
			it.Arguments.Parameters = append(it.Arguments.Parameters, param(p.Name+uriSuffix, "null"))
		}
		it.Arguments.Artifacts = append(it.Arguments.Artifacts, wfv1.Artifact{
			Name: p.Name, Archive: &wfv1.ArchiveStrategy{None: &wfv1.NoneStrategy{}},
			ArtifactLocation: wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{Key: runFolder + tag("fromJSON(item)[0]")}},
		})
		return
	}
	value := "{{item}}"
	switch p.Type.Name {
	case kfptype.Integer, kfptype.Double, kfptype.Boolean:
	case kfptype.List:
		value = tag("item")
	case kfptype.String:
		// Argo 3 leaves JSON escapes in a string item and Argo 4 doesn't. Both pass
		// a list as JSON: wrap the string in one, and cut that off again. An item
		// that isn't a string becomes its JSON, as on KFP.
		it.WithParam = tag(armour("toJson(map(fromJSON(inputs.parameters[" + literal(itemsInput) + "]), [type(#) == 'string' ? # : toJson(#)]))"))
		value = tag("trimSuffix(trimPrefix(item, '['), ']')")
	default: // a plain tag quotes as Go does: see contract.Carrier
		it.WithParam = tag("replace(inputs.parameters[" + literal(itemsInput) + "], \"\\u007f\", `\\u007f`)")
	}
	it.Arguments.Parameters = append(it.Arguments.Parameters, param(p.Name, value))
}

// body returns the template of what a loop repeats.
func (s *scope) body(c *program.Component) string {
	at := s.reserve(c.Name + "-body")
	in := &scope{builder: s.builder, comp: c, loop: true}
	t := wfv1.Template{Name: s.templates[at].Name, Inputs: s.inputs(c), DAG: in.tasks(c.DAG.Tasks)}
	in.exports(&t.Outputs, "#")
	s.templates[at] = t
	return t.Name
}

// collect exports the list of what the iterations export. An iteration in which
// the value wasn't made adds nothing.
func (s *scope) collect(out *wfv1.Outputs, c *program.Component, p *program.Port) {
	if _, ok := c.DAG.Outputs[p.Name]; !ok {
		return
	}
	list := func(name, none, elem string) {
		e := "tasks['it'].status == 'Succeeded' ? '[' + join(map(filter(fromJSON(" + outputParam("it", name) +
			"), {" + none + "}), {" + elem + "}), ',') + ']' : '[]'"
		out.Parameters = append(out.Parameters, wfv1.Parameter{Name: name, ValueFrom: &wfv1.ValueFrom{Expression: e, Default: anyString("[]")}})
	}
	made, cut := "# != '#null'", "trimPrefix(#, '#')"
	if !p.Type.Artifact {
		list(p.Name, made, cut)
		return
	}
	if s.p.Imported(c, p.Name) {
		s.refuse("import.collected")
	}
	meta, key := "toJson("+cut+")", cut // JSON in JSON keeps its digits
	if s.p.Collects(c, p.Name) {
		// Each iteration has a list of its own, and what comes out is one list of
		// artifacts, as on KFP.
		made += " and # != '#[]'"
		meta = "trimSuffix(trimPrefix(" + cut + ", '['), ']')"
		key = meta
	}
	list(p.Name+metaSuffix, made, meta)
	if s.keys {
		list(p.Name+keySuffix, made, key)
		dir := commonFolder(s.folders(c, p.Name))
		e := "inputs.parameters[" + literal(pathInput) + "] + " + literal("/"+dir)
		out.Parameters = append(out.Parameters, wfv1.Parameter{Name: p.Name + dirSuffix, ValueFrom: &wfv1.ValueFrom{Expression: e, Default: anyString("")}})
	}
}

// folders returns where, below the folder of a DAG, an artifact may be that
// leaves it.
func (b *builder) folders(c *program.Component, output string) []string {
	if c.DAG == nil {
		return []string{output + "/"}
	}
	var all []string
	for _, m := range b.p.Makers(c, output) {
		if m.Component == nil {
			continue
		}
		for _, dir := range b.folders(m.Component, m.Output) {
			all = append(all, TaskName(m.Task.Name)+"/"+dir)
		}
	}
	return all
}

// commonFolder returns the innermost folder that holds all folders.
func commonFolder(dirs []string) string {
	if len(dirs) == 0 {
		return ""
	}
	common := dirs[0]
	for _, d := range dirs[1:] {
		for !strings.HasPrefix(d, common) {
			common = common[:strings.LastIndex(strings.TrimSuffix(common, "/"), "/")+1]
		}
	}
	return common
}
