package argoread

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	"gopkg.in/yaml.v3"
)

// quiet are fields that make no difference to a program and of which no note tells, each with its reason.
var quiet = map[string]string{
	"metadata.creationTimestamp": "the cluster writes it",
	"metadata.uid":               "the cluster writes it",
	"metadata.resourceVersion":   "the cluster writes it",
	"metadata.generation":        "the cluster writes it",
	"metadata.managedFields":     "the cluster writes it",
	"fieldRef.apiVersion":        "there is v1 only",
	"container.name":             "Argo calls it main",
	"templateRef.clusterScope":   "the file has the template",
	"retry.retryPolicy":          "those that are taken are one",
	"artifact.mode":              "the one that is taken is how files are kept anyway",
	"artifact.archive":           "those that are taken are how artifacts are kept anyway",
}

// refusals are fields that are refused wherever they have a value, and one.
var refusals = map[string]string{
	"workflowSpec.automountServiceAccountToken": "false",
	"artifact.mode":   "420",
	"template.plugin": "{a: b}", "template.http": "{url: x}", "template.daemon": "true", "template.data": "{a: b}", "template.containerSet": "{a: b}",
	"template.sidecars": "[{name: a, image: 'b:1'}]", "template.parallelism": "2", "template.failFast": "false", "template.timeout": "1m",
	"container.readinessProbe": "{a: b}", "container.source": "x",
	"sideContainer.mirrorVolumeMounts": "true",
	"backoff.cap":                      "1m", "resource.flags": "[--force]", "mount.readOnly": "true", "claimSource.readOnly": "true",
	"parameter.globalName": "x", "valueFrom.expression": "'1'",
	"workflowSpec.workflowTemplateRef": "{name: nowhere}", "workflowSpec.onExit": "say", "volume.hostPath": "{path: /x}", "template.memoize": "{key: a}",
}

// nowhere are fields without an effect in some places, by TYPE.FIELD or TYPE.*, with the end of the place's path
// and the reason.
var nowhere = []struct{ field, at, why string }{
	{"workflowSpec.*", "others", "only its templates are used, here and by Argo"},
	{"parameter.enum", "outputs.parameters", "Argo looks at that of an input"},
	{"parameter.description", "template(suspend).outputs.parameters", "that of the input is taken"},
	{"template.nodeSelector", "template(suspend)", "templateDefaults has one already, and a note tells of it"},
	{"parameter.default", "arguments.parameters", "Argo takes the value"},
	{"parameter.description", "hooks.arguments.parameters", "that of the template is taken"},
	{"parameter.description", "tasks.arguments.parameters", "that of the template is taken"},
	{"parameter.description", "steps.arguments.parameters", "that of the template is taken"},
	{"parameter.default", "outputs.parameters", "Argo has defaults of outputs in valueFrom"},
	{"parameter.value", "outputs.parameters", "Argo writes it"},
	{"arguments.artifacts", "hooks.arguments", "the template takes none"},
	{"arguments.artifacts", "tasks.arguments", "the template takes none"},
	{"arguments.artifacts", "steps.arguments", "the template takes none"},
	{"arguments.parameters", "steps.arguments", "the template takes none"},
	{"task.arguments", ".tasks", "the template takes none"},
	{"task.arguments", ".steps", "the template takes none"},
	{"artifact.s3", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.gcs", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.oss", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.azure", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.git", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.http", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.raw", "template(container).inputs.artifacts", "an argument takes its place"},
	{"artifact.mode", "", "the one that is taken is how files are kept anyway"},
	{"artifact.archive", "", "those that are taken are how artifacts are kept anyway"},
	{"artifact.optional", ".arguments.artifacts", "Argo looks at from"},
	{"artifact.path", ".arguments.artifacts", "Argo looks at from"},
	{"artifact.optional", "template(dag).outputs.artifacts", "Argo looks at from"},
	{"artifact.path", "template(dag).outputs.artifacts", "Argo looks at from"},
	{"keyRef.optional", "semaphore.configMapKeyRef", "Argo doesn't look at it"},
	{"keyRef.optional", "semaphores.configMapKeyRef", "Argo doesn't look at it"},
	{"template.name", "templateDefaults", "each template has its own"},
	{"template.volumes", ")", "nothing mounts them"},
	{"template.nodeSelector", "template(dag)", "it has no pod"}, {"template.nodeSelector", "template(steps)", "it has no pod"},
	{"template.tolerations", "template(dag)", "it has no pod"}, {"template.tolerations", "template(steps)", "it has no pod"},
	{"template.hostAliases", "template(dag)", "it has no pod"}, {"template.hostAliases", "template(steps)", "it has no pod"},
	{"template.metadata", "template(dag)", "it has no pod"}, {"template.metadata", "template(steps)", "it has no pod"},
	{"template.initContainers", "template(dag)", "it has no pod"}, {"template.initContainers", "template(steps)", "it has no pod"},
	{"template.nodeSelector", "template(resource)", "templateDefaults has one already, and a note tells of it"},
	{"retry.retryPolicy", "", "those that are taken are one"},
	{"resource.mergeStrategy", "template(resource).resource", "Argo looks at it for patch"},
}

// nothing returns why a field has no effect at a place, or "".
func nothing(typ, field, path string) string {
	for _, n := range nowhere {
		if (n.field == typ+"."+field || n.field == typ+".*") && strings.HasSuffix(path, n.at) {
			return n.why
		}
	}
	return ""
}

// documents returns the documents of testdata/fields.txt, and what reads them on one line each, so that places say nothing.
func documents(t *testing.T) ([]map[string]any, func() string) {
	data, err := os.ReadFile("testdata/fields.txt")
	if err != nil {
		t.Fatal(err)
	}
	var docs []map[string]any
	for d := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var doc map[string]any
		if d.Decode(&doc) != nil {
			break
		}
		docs = append(docs, doc)
	}
	return docs, func() string {
		file := ""
		for _, d := range docs {
			j, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			file += string(j) + "\n---\n"
		}
		p, notes, err := Read("f.yaml", []byte(file))
		if err != nil {
			return "error: " + err.Error()
		}
		j, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(j) + strings.Join(notes, "\n")
	}
}

// jsonName returns the name of a field in a file.
func jsonName(f reflect.StructField) string {
	if tag := f.Tag.Get("yaml"); tag != "" {
		return tag
	}
	return strings.ToLower(f.Name[:1]) + f.Name[1:]
}

// fieldsOf returns the fields of a type of this package by their names in a file.
func fieldsOf(t reflect.Type) map[string]reflect.Type {
	all := map[string]reflect.Type{}
	for f := range t.NumField() {
		if f := t.Field(f); f.Name != "At" {
			all[jsonName(f)] = f.Type
		}
	}
	return all
}

// plain returns the struct that a type is of, or nil.
func plain(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Map || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || t == reflect.TypeFor[raw]() || t == reflect.TypeFor[text]() {
		return nil
	}
	return t
}

// TestFields: each field that is read makes a difference to the program or is told of in a note, or it is refused by
// its name. So none is dropped.
func TestFields(t *testing.T) {
	docs, read := documents(t)
	same := read()
	if strings.HasPrefix(same, "error") {
		t.Fatal(same)
	}
	samples := map[string]any{}
	counts, there, refused := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var walk func(v any, typ reflect.Type)
	walk = func(v any, typ reflect.Type) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				walk(e, typ)
			}
		case map[string]any:
			typ := plain(typ)
			if typ == nil {
				return
			}
			fields := fieldsOf(typ)
			if _, ok := v["exit"]; ok && typ == reflect.TypeFor[hook]() { // the map of hooks
				walk(v["exit"], typ)
				return
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				if fields[k] == nil {
					t.Fatalf("no type has %s.%s", typ.Name(), k)
				}
				at, e := typ.Name()+"."+k, v[k]
				there[at] = true
				samples[at] = e
				delete(v, k)
				counts[at] = counts[at] || read() != same
				v[k] = e
				walk(e, fields[k])
			}
			for k, value := range refusals {
				of, name, _ := strings.Cut(k, ".")
				if _, has := v[name]; of != typ.Name() || has {
					continue
				}
				var add any
				if err := yaml.Unmarshal([]byte(value), &add); err != nil {
					t.Fatal(err)
				}
				v[name] = add
				refused[k] = refused[k] || strings.HasPrefix(read(), "error")
				delete(v, name)
			}
		}
	}
	walk(docs[0]["spec"], reflect.TypeFor[cronSpec]())
	walk(docs[1]["spec"], reflect.TypeFor[workflowSpec]())
	walk(docs[0]["metadata"], reflect.TypeFor[metadata]())
	walk(docs[1]["metadata"], reflect.TypeFor[metadata]())
	var elsewhere func(v any, typ reflect.Type, path string)
	seenAt := map[string]bool{}
	elsewhere = func(v any, typ reflect.Type, path string) {
		switch v := v.(type) {
		case []any:
			for _, e := range v {
				elsewhere(e, typ, path)
			}
		case map[string]any:
			typ := plain(typ)
			if typ == nil {
				return
			}
			fields := fieldsOf(typ)
			if _, ok := v["exit"]; ok && typ == reflect.TypeFor[hook]() {
				elsewhere(v["exit"], typ, path)
				return
			}
			for _, kind := range []string{"container", "script", "resource", "dag", "steps", "suspend"} {
				if v[kind] != nil && typ == reflect.TypeFor[template]() {
					path = "template(" + kind + ")"
				}
			}
			for _, k := range slices.Sorted(maps.Keys(fields)) {
				at := typ.Name() + "." + k
				if e, has := v[k]; has {
					elsewhere(e, fields[k], path+"."+k)
					continue
				}
				if samples[at] == nil || seenAt[path+"."+k] {
					continue
				}
				v[k] = samples[at]
				seenAt[path+"."+k] = true
				reason := nothing(typ.Name(), k, path)
				if drops := read() == same; drops != (reason != "") {
					t.Errorf("%s is dropped at %s: %v; and the reason is %q", at, path, drops, reason)
				}
				delete(v, k)
			}
		}
	}
	elsewhere(docs[0]["spec"], reflect.TypeFor[cronSpec](), "")
	elsewhere(docs[1]["spec"], reflect.TypeFor[workflowSpec](), "others")
	for _, at := range slices.Sorted(maps.Keys(there)) {
		if counts[at] == (quiet[at] != "") {
			t.Errorf("%s: it makes a difference: %v; and the reason why not is %q", at, counts[at], quiet[at])
		}
	}
	seen := map[reflect.Type]bool{}
	var all func(typ reflect.Type)
	all = func(typ reflect.Type) {
		if typ = plain(typ); typ == nil || seen[typ] {
			return
		}
		seen[typ] = true
		for name, f := range fieldsOf(typ) {
			at := typ.Name() + "." + name
			if !there[at] && !refused[at] && quiet[at] == "" {
				t.Errorf("%s: testdata/fields.txt hasn't it, and it isn't refused", at)
			}
			all(f)
		}
	}
	all(reflect.TypeFor[cronSpec]())
	all(reflect.TypeFor[metadata]())
}

// TestArgo: what is read are fields of Argo's; any other field that Argo has is refused by its own name.
func TestArgo(t *testing.T) {
	type pair struct{ ours, theirs reflect.Type }
	seen := map[pair]bool{}
	ours, have := map[string]bool{}, map[string]bool{}
	var walk func(typ, of reflect.Type)
	walk = func(typ, of reflect.Type) {
		typ = plain(typ)
		for of.Kind() == reflect.Pointer || of.Kind() == reflect.Map || of.Kind() == reflect.Slice {
			of = of.Elem()
		}
		if typ == nil || of.Kind() != reflect.Struct || seen[pair{typ, of}] {
			return
		}
		seen[pair{typ, of}] = true
		fields := map[string]int{}
		for name := range fieldsOf(typ) {
			fields[name] = 0
			ours[typ.Name()+"."+name] = true
		}
		for _, f := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			at := typ.Name() + "." + name
			have[at] = true
			if field, ok := fieldsOf(typ)[name]; ok {
				walk(field, f.Type)
				continue
			}
			d := &decoder{log: &log{name: "f.yaml"}, left: maxNodes}
			var n yaml.Node
			if err := yaml.Unmarshal([]byte(name+": x"), &n); err != nil {
				t.Fatal(err)
			}
			d.object(n.Content[0], reflect.New(typ).Elem(), "")
			if err := fmt.Sprint(d.err()); !strings.Contains(err, name+" can't be imported") {
				t.Errorf("%s is refused with: %v", at, err)
			}
		}
	}
	walk(reflect.TypeFor[cronSpec](), reflect.TypeFor[wfv1.CronWorkflowSpec]())
	walk(reflect.TypeFor[metadata](), reflect.TypeFor[wfv1.Workflow]().Field(1).Type)
	for at := range ours {
		if !have[at] {
			t.Errorf("%s is not a field of Argo's", at)
		}
	}
}

// TestOver: what a Workflow says beside the template that it runs counts, and what both say in parts is refused.
func TestOver(t *testing.T) {
	const template = "\n---\napiVersion: argoproj.io/v1alpha1\nkind: WorkflowTemplate\nmetadata: {name: t}\nspec: {entrypoint: main, ttlStrategy: {secondsAfterSuccess: 1}, activeDeadlineSeconds: 5, templates: [{name: main, container: {image: 'b:1', command: [ls]}}, {name: other, container: {image: 'b:1', command: [id]}}]}\n"
	read := func(own string) (string, error) {
		p, _, err := Read("f.yaml", []byte("{apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: x}, spec: {workflowTemplateRef: {name: t}"+own+"}}"+template))
		j, _ := json.Marshal(p)
		return string(j), err
	}
	same, err := read("")
	if err != nil {
		t.Fatal(err)
	}
	for own, want := range map[string]string{
		", activeDeadlineSeconds: 77":                         `"deadlineSeconds":77`,
		", parallelism: 3":                                    `"parallelism":3`,
		", entrypoint: other":                                 `"id"`,
		", onExit: other":                                     `"exit":true`,
		", nodeSelector: {a: b}":                              `"nodeSelector"`,
		", arguments: {parameters: [{name: n, value: '1'}]}":  `"name":"n"`,
		", arguments: {artifacts: [{name: n, path: /x}]}":     "arguments.artifacts can't be imported",
		", ttlStrategy: {secondsAfterFailure: 1}":             "ttlStrategy beside workflowTemplateRef can't be imported",
		", templates: [{name: x, container: {image: 'b:1'}}]": "templates beside workflowTemplateRef can't be imported",
	} {
		got, err := read(own)
		if err != nil {
			got = err.Error()
		}
		if got == same || !strings.Contains(strings.ToLower(got), strings.ToLower(want)) {
			t.Errorf("%s: %s\nshould have %s", own, got, want)
		}
	}
}

// TestSeveral: what has several of what Argo takes one of is refused, and what a template says in part where
// templateDefaults has the rest.
func TestSeveral(t *testing.T) {
	for spec, want := range map[string]string{
		"templates: [{name: main, container: {image: 'b:1', command: [a]}, script: {image: 'b:1', command: [sh], source: x}}]":                                                                                        "the template main has container and script; Argo takes one of them",
		"hooks: {exit: {template: main}}, onExit: main, templates: [{name: main, container: {image: 'b:1', command: [a]}}]":                                                                                           "onExit beside hooks.exit can't be imported",
		"templateDefaults: {container: {imagePullPolicy: Always}}, templates: [{name: main, container: {image: 'b:1', command: [a]}}]":                                                                                "templateDefaults of what a template runs can't be imported",
		"templateDefaults: {retryStrategy: {limit: '1'}}, templates: [{name: main, retryStrategy: {limit: '2'}, container: {image: 'b:1', command: [a]}}]":                                                            "template main has its own retryStrategy",
		"volumes: [{name: v, emptyDir: {}, secret: {secretName: s}}], templates: [{name: main, container: {image: 'b:1', command: [a], volumeMounts: [{name: v, mountPath: /v}]}}]":                                   "the volume v has emptyDir and secret",
		"templates: [{name: main, container: {image: 'b:1', command: [a], env: [{name: A, value: b, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]}}]":                                                           "the variable A has fieldRef and value",
		"templates: [{name: main, dag: {tasks: [{name: a, template: b, inline: {container: {image: 'b:1', command: [a]}}}]}}]":                                                                                        "task a has inline and template",
		"templates: [{name: main, volumes: [{name: o, emptyDir: {}}], initContainers: [{name: i, image: 'b:1', volumeMounts: [{name: o, mountPath: /o, readOnly: true}]}], container: {image: 'b:1', command: [a]}}]": "volumeMounts.readOnly can't be imported",
		"templates: [{name: main, initContainers: [{name: i, image: 'b:1'}], resource: {action: create, manifest: 'kind: A'}}]":                                                                                       "containers beside a resource can't be imported",
	} {
		_, _, err := Read("f.yaml", []byte("{apiVersion: argoproj.io/v1alpha1, kind: Workflow, metadata: {name: x}, spec: {entrypoint: main, "+spec+"}}"))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v\nshould say: %s", spec, err, want)
		}
	}
}
