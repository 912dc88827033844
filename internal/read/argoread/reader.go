package argoread

import (
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/text/freename"
	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A reader turns the objects of a file into a program.
type reader struct {
	*decoder
	p         *program.Program
	spec      *workflowSpec
	meta      metadata
	templates map[string]*template
	library   library
	homes     map[*template]*home // of templates of other objects
	called    []*template         // all that may be called
	printed   map[*template]bool  // templates of which somebody reads what they print
	made      map[string]*made    // by template, and what becomes of it
	open      []string            // templates that are being made: none may call itself
	names     map[string]bool     // of components
	globals   map[string]*global  // what all templates see
	numeric   []hint              // ports that are compared with a number
	claims    map[string]string   // tasks of main that create claims, by volume
	groups    int
	text      string          // all templates, as JSON
	shared    map[string]bool // names of tasks in main, and in what its exit handler guards
}

// A global is a value of main's DAG that every template may read.
type global struct {
	name  string // of the input that carries it
	value program.Value
}

// A made is the component of a template.
type made struct {
	t    *template
	c    *program.Component
	need []string          // globals that it reads, in order
	in   map[string]string // its inputs, by the name of the template's parameter
	art  map[string]string // and artifact
	out  map[string]string // outputs, by parameters/x, artifacts/x or result

	args     map[string]string        // strings of arguments that KFP 1 noted, in terms of the template
	given    map[string]program.Value // what the task that is being read gives to the parameters of such a template
	settings func(s *scope, t *program.Task, args map[string]program.Value)
}

func newReader(l *log) *reader {
	return &reader{
		decoder: &decoder{log: l, left: maxNodes}, templates: map[string]*template{}, homes: map[*template]*home{}, printed: map[*template]bool{},
		library: library{specs: map[string]*workflowSpec{}, homes: map[*workflowSpec]*home{}},
		made:    map[string]*made{}, names: map[string]bool{}, globals: map[string]*global{}, claims: map[string]string{},
	}
}

// read finds the object that is the pipeline: the first Workflow, or else the first
// CronWorkflow, or else the first template.
func (r *reader) read(docs []*yaml.Node) {
	var objects []*object
	for _, d := range docs {
		o := &object{}
		if d.Kind != yaml.MappingNode {
			r.errorf(pos{d.Line, d.Column}, "", "an object belongs here")
			return
		}
		r.decode(d, reflect.ValueOf(o).Elem(), "object")
		objects = append(objects, o)
		if !strings.HasPrefix(o.APIVersion, "argoproj.io/") {
			r.refuse(o.At, "a "+cmp.Or(o.Kind, "document"), "it is not a Workflow; take it out of the file")
		}
	}
	if len(r.errs) > 0 {
		return
	}
	var first *object
	for _, kind := range []string{"Workflow", "CronWorkflow", "WorkflowTemplate", "ClusterWorkflowTemplate"} {
		var all []*object
		for _, o := range objects {
			if o.Kind == kind {
				all = append(all, o)
			}
		}
		if len(all) > 1 && first == nil {
			r.errorf(all[1].At, "several in one file", "a second %s; a file has one pipeline", kind)
		}
		if len(all) > 0 && first == nil {
			first = all[0]
		}
	}
	if len(objects) == 0 {
		r.errorf(pos{}, "", "the file is empty")
		return
	}
	if first == nil {
		r.refuse(objects[0].At, "a "+objects[0].Kind, "it is not a Workflow, WorkflowTemplate, ClusterWorkflowTemplate or CronWorkflow")
		return
	}
	r.meta = first.Metadata
	for _, o := range objects {
		if o != first && strings.HasSuffix(o.Kind, "WorkflowTemplate") {
			r.add(o)
		}
	}
	r.spec = &workflowSpec{}
	var cron *cronSpec
	if first.Kind == "CronWorkflow" {
		cron = &cronSpec{}
		r.fill(first, cron)
		r.spec = &cron.WorkflowSpec
	} else {
		r.fill(first, r.spec)
	}
	if ref := r.spec.WorkflowTemplateRef; ref != nil {
		other := r.object(ref.Name, ref.ClusterScope)
		if other == nil {
			r.refuse(ref.At, "workflowTemplateRef", "the template %q is neither in the file nor in one beside it; put its object into the folder, or into the file after ---", ref.Name)
			return
		}
		if len(r.errs) > 0 {
			return
		}
		for _, t := range other.Templates {
			delete(r.homes, t) // they are those of the pipeline
		}
		own := r.spec
		r.spec = other
		r.spec.Arguments.Parameters = override(other.Arguments.Parameters, own.Arguments.Parameters)
		r.spec.Arguments.Artifacts = append(r.spec.Arguments.Artifacts, own.Arguments.Artifacts...)
		r.over(own)
	}
	if len(r.errs) == 0 {
		r.program()
	}
	if len(r.errs) == 0 && cron != nil {
		r.schedules(cron)
	}
}

// over puts what a Workflow says itself over what the template says that it runs.
func (r *reader) over(own *workflowSpec) {
	from, to := reflect.ValueOf(own).Elem(), reflect.ValueOf(r.spec).Elem()
	for i := range from.NumField() {
		f, name := from.Type().Field(i), ""
		switch {
		case f.Name == "At" || f.Name == "WorkflowTemplateRef" || f.Name == "Arguments" || from.Field(i).IsZero():
			continue
		case !to.Field(i).IsZero() && !scalar(f.Type):
			if name = f.Tag.Get("yaml"); name == "" {
				name = strings.ToLower(f.Name[:1]) + f.Name[1:]
			}
			r.refuse(own.At, name+" beside workflowTemplateRef", "the template has it too; write all of it in one of them")
		default:
			to.Field(i).Set(from.Field(i))
		}
	}
}

// scalar reports whether of two values of a type one takes the place of the other, and
// they aren't put together.
func scalar(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.String, reflect.Int64, reflect.Bool:
		return true
	}
	return t == reflect.TypeFor[text]()
}

// fill decodes what an object says.
func (r *reader) fill(o *object, spec any) {
	if o.Spec.JSON == nil {
		r.errorf(o.At, "", "the %s has no spec", o.Kind)
		return
	}
	r.decode(o.Spec.node, reflect.ValueOf(spec).Elem(), "")
}

func byName(list []*template) map[string]*template {
	m := map[string]*template{}
	for _, t := range list {
		m[t.Name] = t
	}
	return m
}

// override returns parameters with the values of others.
func override(list, by []parameter) []parameter {
	out := append([]parameter{}, list...)
next:
	for _, p := range by {
		for i := range out {
			if out[i].Name == p.Name {
				out[i].Value = p.Value
				continue next
			}
		}
		out = append(out, p)
	}
	return out
}

// cleanName returns a name of a component or task.
func cleanName(s string) string {
	s = program.CleanName(s)
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = strings.Trim("task-"+s, "-")
	}
	return s
}

var notPort = lazyregexp.New(`[^A-Za-z0-9_]+`)

// portName returns a name of an input or output.
func portName(s string) string {
	s = notPort.ReplaceAllString(s, "_")
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		s = "_" + s
	}
	return s
}

// newComponent adds a component to the program.
func (r *reader) newComponent(name string, at pos) *program.Component {
	c := &program.Component{Name: freename.Take(r.names, cleanName(name)), Title: cleanName(name), Pos: r.source(at)}
	r.p.Components = append(r.p.Components, c)
	return c
}

// program makes the program.
func (r *reader) program() {
	s := r.spec
	if r.own() {
		return
	}
	if r.many(); len(r.errs) > 0 {
		return
	}
	r.asides()
	for _, t := range s.Templates {
		if r.templates[t.Name] != nil {
			r.errorf(t.At, "", "a second template %q", t.Name)
		}
		r.templates[t.Name] = t
		r.defaults(t)
	}
	r.refer(slices.Clone(s.Templates))
	if len(r.errs) > 0 {
		return
	}
	r.scan()
	for tag, name := range runTags {
		r.globals[tag] = &global{portName(tag), program.Value{Kind: program.Run, Name: name, Type: typeNamed(kfptype.String)}}
	}
	name := cleanName(cmp.Or(strings.TrimRight(r.meta.GenerateName, "-"), r.meta.Name, "workflow"))
	r.p = &program.Program{Schema: program.Schema, Name: name, Main: name, Config: r.config()}
	kfp := r.pipelineSpec()
	main := r.newComponent(name, s.At)
	main.Title = ""
	main.DAG = &program.DAG{Kind: program.Pipeline}
	for _, p := range s.Arguments.Parameters {
		r.noEnum(&p)
		r.argument(main, p, kfp)
	}
	for _, a := range s.Arguments.Artifacts {
		if !a.located() {
			r.refuse(a.At, "arguments.artifacts", "a pipeline takes no artifacts; pass the location of %s as a parameter", a.Name)
		}
	}
	if s.Entrypoint == "" {
		r.errorf(s.At, "no entrypoint", "no entrypoint: these are templates for others, and no pipeline")
		return
	}
	r.main(main)
	if len(r.errs) == 0 {
		r.infer()
	}
	if len(r.errs) == 0 { // a Workflow runs everything each time; what is an operation or an exit handler would be wrong otherwise
		r.p = r.p.Uncached(func(c *program.Component) bool {
			return c.Exec != nil && (c.Exec.Resource != nil || c.Exec.Suspend != nil)
		})
	}
}

// many reports a file with more tasks than a pipeline may have.
func (r *reader) many() {
	tasks := 0
	for _, t := range r.spec.Templates {
		if t.DAG != nil {
			tasks += len(t.DAG.Tasks)
		}
		for _, group := range t.Steps {
			tasks += len(group)
		}
	}
	if tasks > kfpread.MaxTasks {
		r.errorf(r.spec.At, "", "the templates have %d tasks, and at most %d are read; split the Workflow into several that are run one after the other, or use loops", tasks, kfpread.MaxTasks)
	}
}

// A pipelineSpec is what KFP 1 notes of a pipeline.
type pipelineSpec struct {
	Name, Description string
	Inputs            []struct {
		Name, Type, Default, Description string
		Optional                         bool
	}
}

// pipelineSpec reads what KFP 1 notes of the pipeline, and says so in the program.
func (r *reader) pipelineSpec() *pipelineSpec {
	spec := &pipelineSpec{}
	note := r.meta.Annotations["pipelines.kubeflow.org/pipeline_spec"]
	if note == "" {
		r.p.Title, r.p.Doc = r.meta.Annotations["workflows.argoproj.io/title"], r.meta.Annotations["workflows.argoproj.io/description"]
		return spec
	}
	// Types may be objects, of which only the name is a type of a parameter.
	var loose struct {
		Name, Description string
		Inputs            []struct {
			Name, Description string
			Type, Default     json.RawMessage
		}
	}
	if err := json.Unmarshal([]byte(note), &loose); err != nil {
		r.errorf(r.meta.At, "", "the annotation pipelines.kubeflow.org/pipeline_spec isn't JSON: %v", err)
		return spec
	}
	for _, in := range loose.Inputs {
		var typ string
		_ = json.Unmarshal(in.Type, &typ) // others aren't types of parameters
		spec.Inputs = append(spec.Inputs, struct {
			Name, Type, Default, Description string
			Optional                         bool
		}{Name: in.Name, Type: typ, Description: in.Description})
	}
	r.p.Doc = loose.Description
	if loose.Name != "" && loose.Name != r.p.Name {
		r.p.Title = loose.Name
	}
	return spec
}

// argument adds an input of the pipeline.
func (r *reader) argument(main *program.Component, p parameter, kfp *pipelineSpec) {
	if p.Name == "" {
		r.errorf(p.At, "", "an argument without a name")
		return
	}
	if p.ValueFrom != nil {
		r.refuse(p.At, "arguments.valueFrom", "the argument %s comes from the cluster; give it when the pipeline is run", p.Name)
		return
	}
	in := program.Port{Name: portName(p.Name), Doc: p.Description}
	for _, k := range kfp.Inputs {
		if k.Name == p.Name {
			in.Type.Name, in.Doc = kfpType(k.Type), k.Description
		}
	}
	if value := cmp.Or(p.Value, p.Default); value != nil {
		in.Default = jsonText(value.S)
	}
	if main.Input(in.Name) != nil {
		r.errorf(p.At, "", "two arguments would have the name %s", in.Name)
		return
	}
	main.Inputs = append(main.Inputs, in)
	r.globals["workflow.parameters."+p.Name] = &global{in.Name, program.Value{Kind: program.Input, Name: in.Name}}
}

func jsonText(s string) json.RawMessage {
	j, _ := json.Marshal(s) // a string can't fail
	return j
}
