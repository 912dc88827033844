package argoread_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/kfpgo/kfpgo/internal/read/argoread"
)

// head is a Workflow with two templates to call; tests add main.
const head = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: x-}
spec:
  entrypoint: main
  arguments: {parameters: [{name: n, value: "1"}]}
  templates:
  - name: say
    inputs: {parameters: [{name: text}]}
    container: {image: 'i:1', command: [echo, '{{inputs.parameters.text}}']}
  - name: flip
    script: {image: 'i:1', command: [sh], source: echo heads}
`

// TestRefuse: what can't be imported is told by name and place.
func TestRefuse(t *testing.T) {
	steps := func(s string) string { return head + "  - name: main\n    steps:\n" + s }
	tests := map[string]struct{ file, want string }{
		"daemon":        {head + "  - {name: main, daemon: true, container: {image: 'i:1', command: [x]}}", "x.yaml:13:26: daemon can't be imported"},
		"no deadline":   {head + "  - {name: main, inputs: {parameters: [{name: d}]}, suspend: {duration: '{{inputs.parameters.d}}'}}", "suspend.duration {{inputs.parameters.d}} can't be imported"},
		"no default":    {head + "  - {name: main, suspend: {duration: 1h}, outputs: {parameters: [{name: a, valueFrom: {supplied: {}}}]}}", "the output a of template main has no default"},
		"not supplied":  {head + "  - {name: main, suspend: {}, outputs: {parameters: [{name: a, valueFrom: {path: /a}}]}}", "the output a of template main is not valueFrom.supplied"},
		"tag in enum":   {head + "  - {name: main, suspend: {}, inputs: {parameters: [{name: a, enum: ['{{x}}']}]}, outputs: {parameters: [{name: a, valueFrom: {supplied: {}}}]}}", "{{x}}"},
		"enum":          {head + "  - {name: main, inputs: {parameters: [{name: a, default: b, enum: [b]}]}, container: {image: 'i:1', command: [x]}}", "x.yaml:13:69: enum can't be imported: the parameter a"},
		"retried wait":  {head + "  - {name: main, suspend: {}, retryStrategy: {limit: 1}}", "retryStrategy of a suspend can't be imported"},
		"wait's file":   {head + "  - {name: main, suspend: {}, outputs: {artifacts: [{name: a, path: /a}]}}", "artifacts of a suspend can't be imported"},
		"described":     {steps("    - - {name: a, template: ask, arguments: {parameters: [{name: a, value: x}]}}\n  - {name: ask, suspend: {}, inputs: {parameters: [{name: a, enum: [b]}]}, outputs: {parameters: [{name: a, valueFrom: {supplied: {}}}]}}"), "an argument that describes an output can't be imported: task a gives a to template ask"},
		"unknown":       {head + "  - {name: main, memoize: {key: x}, container: {image: 'i:1', command: [x]}}", "templates.memoize can't be imported"},
		"misspelt":      {head + "  - {name: main, contaner: {image: 'i:1'}}", "templates has no field contaner; did you mean container?"},
		"recursion":     {steps("    - - {name: a, template: main}"), "recursion can't be imported: the template main calls itself"},
		"templateRef":   {steps("    - - {name: a, templateRef: {name: other, template: t}}"), "templateRef can't be imported: task a calls the template t of other, which is neither in the file nor in one beside it"},
		"no template":   {steps("    - - {name: a, template: nowhere}"), `task a calls the template "nowhere", which isn't in the file`},
		"pattern":       {steps("    - - {name: a, template: flip}\n    - - {name: b, template: flip, when: '{{steps.a.outputs.result}} =~ h'}"), "when can't be imported"},
		"constant":      {steps("    - - {name: b, template: flip, when: 'true'}"), "it depends on nothing"},
		"unclosed":      {steps("    - - {name: b, template: flip, when: '({{workflow.parameters.n}} == 1'}"), "a bracket isn't closed"},
		"skipped":       {steps("    - - {name: a, template: flip, when: '{{workflow.parameters.n}} == 1'}\n    - - {name: b, template: say, arguments: {parameters: [{name: text, value: '{{steps.a.outputs.result}}'}]}}"), "an output of a task with a when can't be imported"},
		"later":         {steps("    - - {name: b, template: say, arguments: {parameters: [{name: text, value: '{{steps.c.outputs.result}}'}]}}\n    - - {name: c, template: flip}"), "there is no task c before it"},
		"not given":     {steps("    - - {name: b, template: say}"), "task b gives nothing to the parameter text of template say"},
		"status":        {head + "  - {name: main, container: {image: 'i:1', command: [echo, '{{workflow.status}}']}}", "{{workflow.status}} can't be imported"},
		"expression":    {head + "  - {name: main, container: {image: 'i:1', command: [echo, '{{=1 + 1}}']}}", "an expression can't be imported: {{=1 + 1}}"},
		"mixed":         {steps("    - - {name: b, template: say, withItems: [{a: 1}, 2], arguments: {parameters: [{name: text, value: '{{item}}'}]}}"), "items of several kinds"},
		"or":            {head + "  - name: main\n    dag:\n      tasks:\n      - {name: a, template: flip}\n      - {name: b, template: flip}\n      - {name: c, template: flip, depends: a || b}\n", "depends with or or not can't be imported"},
		"failure":       {head + "  - name: main\n    dag:\n      tasks:\n      - {name: a, template: flip}\n      - {name: c, template: flip, depends: a.Failed}\n", "depends on a failure can't be imported"},
		"cycle":         {head + "  - name: main\n    dag:\n      tasks:\n      - {name: a, template: flip, depends: b}\n      - {name: b, template: flip, depends: a}\n", "waits for itself"},
		"ours":          {head + "  - {name: main, container: {image: 'i:1', command: [/app, 'kfpgo:exec', x]}}", "kfpgo wrote this Workflow"},
		"interpreter":   {head + "  - {name: main, script: {image: 'i:1', command: [lua], source: x}}", "a script for lua can't be imported"},
		"two mutexes":   {strings.Replace(head, "spec:", "spec:\n  synchronization: {mutexes: [{name: a}, {name: b}]}", 1), "several mutexes or semaphores can't be imported: a pipeline names one of each"},
		"far mutex":     {strings.Replace(head, "spec:", "spec:\n  synchronization: {mutex: {name: a, namespace: b}}", 1), "synchronization beyond a namespace can't be imported"},
		"tag in store":  {head + "  - {name: main, inputs: {artifacts: [{name: a, path: /a, s3: {endpoint: '{{workflow.name}}', bucket: b, key: k}}]}, container: {image: 'i:1', command: [x]}}", "a tag in a store can't be imported"},
		"store field":   {head + "  - {name: main, inputs: {artifacts: [{name: a, path: /a, s3: {bucket: b, key: k, encryptionOptions: {enableEncryption: true}}}]}, container: {image: 'i:1', command: [x]}}", "s3.encryptionOptions can't be imported"},
		"two stores":    {head + "  - {name: main, inputs: {artifacts: [{name: a, path: /a, raw: {data: x}, http: {url: y}}]}, container: {image: 'i:1', command: [x]}}", "the artifact a has http and raw"},
		"no bucket":     {head + "  - {name: main, inputs: {artifacts: [{name: a, path: /a, gcs: {key: x}}]}, container: {image: 'i:1', command: [x]}}", "gcs without a bucket can't be imported"},
		"stored":        {head + "  - {name: main, outputs: {artifacts: [{name: a, path: /a, s3: {key: x}}]}, container: {image: 'i:1', command: [x]}}", "s3 of an output can't be imported"},
		"each store":    {steps("    - - {name: b, template: get, withItems: [x, y], arguments: {artifacts: [{name: a, http: {url: 'http://h/{{item}}'}}]}}\n  - {name: get, inputs: {artifacts: [{name: a, path: /a}]}, container: {image: 'i:1', command: [x]}}"), "an artifact of the item of a loop can't be imported"},
		"parallelism":   {head + "  - name: main\n    parallelism: 2\n    steps:\n    - - {name: a, template: flip}\n      - {name: b, template: flip}\n", "parallelism can't be imported: kfpgo limits how many iterations"},
		"owned patch":   {head + "  - {name: main, resource: {action: patch, mergeStrategy: merge, setOwnerReference: true, manifest: 'kind: A'}}", "resource.setOwnerReference of patch can't be imported"},
		"several":       {head + "  - {name: main, container: {image: 'i:1', command: [x]}}\n---\n" + head, "a second Workflow"},
		"another kind":  {"apiVersion: argoproj.io/v1alpha1\nkind: WorkflowEventBinding\nspec: {}\n", "a WorkflowEventBinding can't be imported"},
		"no YAML":       {"apiVersion: argoproj.io/v1alpha1\nkind: [", "this is not YAML"},
		"a list":        {strings.Replace(head, "templates:", "volumes: 7\n  templates:", 1), "volumes: a list belongs here"},
		"null template": {head + "  - null\n", "x.yaml:13:5: templates: null is in the list; an object belongs here"},
		"null task":     {head + "  - {name: main, dag: {tasks: [~]}}\n", "templates.dag.tasks: null is in the list; an object belongs here"},
		"null step":     {steps("    - - "), "templates.steps: null is in the list; an object belongs here"},
		"null steps":    {steps("    - "), "templates.steps: null is in the list; a list belongs here"},
		"null argument": {head + "  - {name: main, container: {image: 'i:1', command: [x, null]}}\n", "templates.container.command: null is in the list; a string belongs here"},
		"null alias":    {head + "  - &a null\n  - *a\n", "x.yaml:13:5: templates: null is in the list"},
		"twice":         {strings.Replace(head, "  entrypoint: main", "  entrypoint: main\n  entrypoint: say", 1), "twice"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			_, _, err := argoread.Read("x.yaml", []byte(tt.file))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nshould say: %s", err, tt.want)
			}
		})
	}
}

// FuzzRead: whatever is read, nothing panics.
func FuzzRead(f *testing.F) {
	f.Add([]byte(head + "  - name: main\n    steps:\n    - - {name: a, template: flip}\n    - - {name: b, template: say, when: '{{steps.a.outputs.result}} == heads', withItems: [1, 2], arguments: {parameters: [{name: text, value: '{{item}}'}]}}\n"))
	f.Add([]byte("apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec: &a\n  templates: [*a]\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, _, err := argoread.Read("x.yaml", data)
		if err == nil && p.Component(p.Main) == nil {
			t.Error("a program without a main component")
		}
	})
}

// FuzzWhen: a condition of a step is refused, or becomes a program.
func FuzzWhen(f *testing.F) {
	for _, when := range []string{"{{workflow.parameters.n}} == 1", "'{{steps.a.outputs.result}}' != heads && !({{workflow.parameters.n}} > 3 || \"x\" == y)", "((((1 == 1))))", "{{=1}}"} {
		f.Add(when)
	}
	f.Fuzz(func(t *testing.T, when string) {
		j, err := json.Marshal(when)
		if err != nil {
			t.Fatal(err)
		}
		p, _, err := argoread.Read("x.yaml", []byte(head+"  - name: main\n    steps:\n    - - {name: a, template: flip}\n    - - {name: b, template: flip, when: "+string(j)+"}\n"))
		if err == nil && p.Component(p.Main) == nil {
			t.Error("a program without a main component")
		}
	})
}
