package kfpread_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/emit"
	_ "github.com/kfpgo/kfpgo/internal/emit/withargo"
	"github.com/kfpgo/kfpgo/internal/model/feature"
	"github.com/kfpgo/kfpgo/internal/read/kfpread"
	"github.com/kfpgo/kfpgo/internal/target/kfp"
	"github.com/kfpgo/kfpgo/internal/target/kfpspec"
	"github.com/kfpgo/kfpgo/internal/testing/irdiff"
)

// refusedFields are fields of KFP 2.17 without which a file is refused where it has them.
var refusedFields = map[string]string{
	"Executor.resolver":  "executor \"exec-step\" is neither a container nor an importer, but resolver",
	"Executor.customJob": "executor \"exec-step\" is neither a container nor an importer, but customJob",
}

// messages are the types of what KFP's protos leave open.
var messages = map[string]string{
	"PipelineSpec.deploymentSpec":  "ml_pipelines.PipelineDeploymentConfig",
	"PlatformDeployment.executors": "kfp_kubernetes.KubernetesExecutorConfig",
}

// TestProtos: each field that KFP 2.17 has is one of a type here, or somebody has said what
// becomes of it. test/oracle holds the list of fields to that of KFP's SDK.
func TestProtos(t *testing.T) {
	data, err := os.ReadFile("testdata/protos.txt")
	if err != nil {
		t.Fatal(err)
	}
	protos := map[string]map[string]string{}
	for line := range strings.Lines(string(data)) {
		f := strings.SplitN(strings.TrimSpace(line), " ", 3)
		if protos[f[0]] == nil {
			protos[f[0]] = map[string]string{}
		}
		protos[f[0]][f[1]] = strings.TrimPrefix(f[2], "map ")
	}
	said := maps.Clone(kfpread.Unsaid)
	maps.Copy(said, refusedFields)
	type pair struct {
		typ     reflect.Type
		message string
	}
	seen, met := map[pair]bool{}, map[string]bool{}
	read, have := map[string]bool{}, map[string]bool{} // by TYPE.FIELD; in the types, and in KFP
	var walk func(typ reflect.Type, message string)
	walk = func(typ reflect.Type, message string) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Map || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[pair{typ, message}] || protos[message] == nil {
			return
		}
		seen[pair{typ, message}] = true
		ours := fieldsOf(typ)
		for name, of := range protos[message] {
			at := typ.Name() + "." + name
			have[at] = true
			field, ok := ours[name]
			if !ok {
				met[at] = true
				if said[at] == "" {
					t.Errorf("KFP has %s.%s, and nobody has said what becomes of it: read it, or give a reason in kfpread.Unsaid", message, name)
				}
				continue
			}
			if other := messages[at]; other != "" {
				of = other
			}
			walk(field.Type, of)
		}
		for name := range ours {
			read[typ.Name()+"."+name] = true
		}
	}
	walk(reflect.TypeFor[kfpspec.PipelineSpec](), "ml_pipelines.PipelineSpec")
	walk(reflect.TypeFor[kfpspec.PlatformSpec](), "ml_pipelines.PlatformSpec")
	for at := range read {
		if !have[at] && at != "KubernetesExecutor.initContainers" { // which came after 2.17
			t.Errorf("%s is no field of KFP's", at)
		}
	}
	for at := range said {
		if !met[at] {
			t.Errorf("%s is no field of KFP that the types lack", at)
		}
	}
}

// fieldsOf returns the fields of a type by their names in JSON.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	all := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		all[name] = f
	}
	return all
}

// unsaid are fields that a program doesn't say, each with its reason.
var unsaid = map[string]string{
	"ArtifactType.schemaUri":            "KFP's servers refuse it, and types are names to all others",
	"ArtifactType.instanceSchema":       "types are names to all but KFP",
	"Importer.artifactUri":              "the argument of the task says it",
	"Importer.typeSchema":               "the type of the output says it",
	"ValueOrParameter.runtimeParameter": "of an importer, whose argument says it",
}

// TestFields: each field of a file makes a difference to the program, or to whether it is one. So
// none is read and dropped.
func TestFields(t *testing.T) {
	data, err := os.ReadFile("testdata/fields.yaml")
	if err != nil {
		t.Fatal(err)
	}
	docs, err := irdiff.Read(data)
	if err != nil {
		t.Fatal(err)
	}
	read := func() string { // on one line, so that places say nothing
		var file []string
		for _, d := range docs {
			j, err := json.Marshal(d)
			if err != nil {
				t.Fatal(err)
			}
			file = append(file, string(j))
		}
		p, err := kfpread.Read("f.yaml", []byte(strings.Join(file, "\n---\n")))
		if err != nil {
			return "error: " + err.Error()
		}
		p.Residue, p.IR.Unread = nil, nil
		j, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return string(j)
	}
	plain := read()
	if strings.HasPrefix(plain, "error") {
		t.Fatal(plain)
	}
	counts, there := map[string]bool{}, map[string]bool{}
	var walk func(v any, typ reflect.Type, path string)
	walk = func(v any, typ reflect.Type, path string) {
		for typ.Kind() == reflect.Pointer {
			typ = typ.Elem()
		}
		switch v := v.(type) {
		case []any:
			for i, e := range v {
				walk(e, typ.Elem(), path+"."+strconv.Itoa(i))
			}
		case map[string]any:
			if typ.Kind() == reflect.Map {
				for _, k := range slices.Sorted(maps.Keys(v)) {
					walk(v[k], typ.Elem(), path+"."+k)
				}
			}
			if typ.Kind() != reflect.Struct {
				return
			}
			fields := fieldsOf(typ)
			for _, k := range slices.Sorted(maps.Keys(v)) {
				f, ok := fields[k]
				if !ok {
					t.Fatalf("%s.%s: no type has it", path, k)
				}
				at, e := typ.Name()+"."+k, v[k]
				there[at] = true
				delete(v, k)
				counts[at] = counts[at] || read() != plain
				v[k] = e
				walk(e, f.Type, path+"."+k)
			}
		}
	}
	walk(docs[0], reflect.TypeFor[kfpspec.PipelineSpec](), "")
	walk(docs[1], reflect.TypeFor[kfpspec.PlatformSpec](), "")
	for _, at := range slices.Sorted(maps.Keys(there)) {
		if counts[at] == (unsaid[at] != "") {
			t.Errorf("%s: a program says it: %v; and the reason why not is %q", at, counts[at], unsaid[at])
		}
	}
	seen := map[reflect.Type]bool{}
	var all func(typ reflect.Type)
	all = func(typ reflect.Type) {
		for typ.Kind() == reflect.Pointer || typ.Kind() == reflect.Map || typ.Kind() == reflect.Slice {
			typ = typ.Elem()
		}
		if typ.Kind() != reflect.Struct || seen[typ] {
			return
		}
		seen[typ] = true
		for name, f := range fieldsOf(typ) {
			if at := typ.Name() + "." + name; !there[at] {
				t.Errorf("testdata/fields.yaml has no %s", at)
			}
			all(f.Type)
		}
	}
	all(reflect.TypeFor[kfpspec.PipelineSpec]())
	all(reflect.TypeFor[kfpspec.PlatformSpec]())
}

// small is a file to which fields are added.
const small = `{"pipelineInfo": {"name": "p"}, "schemaVersion": "2.1.0", "sdkVersion": "kfp-2.17.3",
"deploymentSpec": {"executors": {"exec-step": {EXECUTOR "container": {CONTAINER "image": "busybox:1", "command": ["echo"]}}, "exec-import": {"importer": {IMPORTER "artifactUri": {"constant": "s3://b/k"}, "typeSchema": {"schemaTitle": "system.Model", "schemaVersion": "0.0.1"}}}}},
"components": {"comp-step": {COMPONENT "executorLabel": "exec-step", "inputDefinitions": {"parameters": {"x": {PARAMETER "parameterType": "STRING"}}}, "outputDefinitions": {"artifacts": {"m": {ARTIFACT "artifactType": {"schemaTitle": "system.Model", "schemaVersion": "0.0.1"}}}}},
"comp-import": {"executorLabel": "exec-import", "inputDefinitions": {"parameters": {"uri": {"parameterType": "STRING"}}}, "outputDefinitions": {"artifacts": {"artifact": {"artifactType": {"schemaTitle": "system.Model", "schemaVersion": "0.0.1"}}}}}},
"root": {"dag": {"tasks": {"step": {TASK "taskInfo": {"name": "step"}, "componentRef": {"name": "comp-step"}, "inputs": {"parameters": {"x": {"runtimeValue": {"constant": "a"}}}}}, "import": {"taskInfo": {"name": "import"}, "componentRef": {"name": "comp-import"}, "inputs": {"parameters": {"uri": {"runtimeValue": {"constant": "s3://b/k"}}}}}}}}}
---
{"platforms": {"kubernetes": {PLATFORM "deploymentSpec": {"executors": {"exec-step": {KUBERNETES "imagePullPolicy": "Always"}}}}}}
`

// TestUnsaid: a field that no program says is in what is written for KFP, and refused by its name for
// other targets where somebody may act on it.
func TestUnsaid(t *testing.T) {
	at := map[string]string{
		"ComponentSpec": "COMPONENT", "ParameterSpec": "PARAMETER", "ArtifactSpec": "ARTIFACT", "Container": "CONTAINER", "Importer": "IMPORTER",
		"Platform": "PLATFORM", "Executor": "EXECUTOR", "TaskSpec": "TASK", "KubernetesExecutor": "KUBERNETES",
	}
	of := func(marked, field string) string {
		typ, key, _ := strings.Cut(field, ".")
		mark := at[typ]
		if !strings.Contains(marked, mark+" ") {
			t.Fatalf("%s: nowhere", field)
		}
		marked = strings.Replace(marked, mark+" ", fmt.Sprintf("%q: [\"mark\"], ", key), 1)
		for _, m := range at {
			marked = strings.ReplaceAll(marked, m+" ", "")
		}
		return marked
	}
	for field, message := range refusedFields {
		_, err := kfpread.Read("f.yaml", []byte(strings.Replace(of(small, field), `"container": {"image": "busybox:1", "command": ["echo"]}`, `"x": 1`, 1)))
		if err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", field, err)
		}
	}
	fields := slices.Sorted(maps.Keys(kfpread.Unsaid))
	fields = append(fields, "Container.tty", "TaskSpec.priority", "KubernetesExecutor.runtimeClassName", "Executor.@type", "Platform.later", "ComponentSpec.later")
	for _, field := range fields {
		if strings.Contains(kfpread.Unsaid[field], "2.0.0") {
			continue // TestSchema200
		}
		p, err := kfpread.Read("f.yaml", []byte(of(small, field)))
		if err != nil {
			t.Errorf("%s: %v", field, err)
			continue
		}
		if ir, err := kfp.Write(p, kfp.Options{}); err != nil || !strings.Contains(string(ir), "mark") {
			t.Errorf("%s isn't written again: %v", field, err)
		}
		_, name, _ := strings.Cut(field, ".")
		acts := name == "literals" || kfpread.Unsaid[field] == "" && name[0] != '@'
		_, argo := emit.Emit(p, emit.Argo, emit.Options{})
		for target, err := range map[string]error{"argo": argo, "local": feature.Gate(p, feature.Local, nil)} {
			switch {
			case !acts && err != nil:
				t.Errorf("%s, target %s: %v", field, target, err)
			case acts && (err == nil || !strings.Contains(err.Error(), "f.yaml:") || !strings.Contains(err.Error(), "."+name+": ") || !strings.Contains(err.Error(), "take it out of the file, or run the file on KFP")):
				t.Errorf("%s, target %s: it is refused with %v", field, target, err)
			}
		}
	}
}
