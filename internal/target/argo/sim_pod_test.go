package argo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// pod runs a template that isn't a DAG.
func (s *sim) pod(t *wfv1.Template, env map[string]any) node {
	s.pods++
	env["pod"] = map[string]any{"name": fmt.Sprintf("run-x7k2p-%d", s.pods)}
	name := t.Name
	t = s.filled(t, env)
	s.ran = append(s.ran, name)
	s.labels = append(s.labels, t.Metadata.Labels, t.Metadata.Annotations)
	s.patched(t)
	var files map[string]string
	switch input := t.Inputs.GetArtifactByName("kfpgo-input"); {
	case t.Resource != nil:
		files = s.object(t.Resource)
	case input != nil:
		var x map[string]any
		d := json.NewDecoder(strings.NewReader(input.Raw.Data))
		d.UseNumber()
		if err := d.Decode(&x); err != nil {
			if s.wrong != nil {
				s.wrong(err)
				return node{phase: "Failed"}
			}
			s.t.Fatalf("%s: %v: %s", name, err, input.Raw.Data)
		}
		run := s.step
		if s.process != nil {
			run = func(string, map[string]any) (map[string]string, error) { return s.process(t, input.Raw.Data) }
		}
		var err error
		if files, err = run(name, x); err != nil {
			return node{phase: "Failed"}
		}
	default:
		vars := map[string]string{}
		for _, e := range t.Container.Env {
			vars[e.Name] = kubelet(e.Value, vars)
		}
		var argv []string
		for _, a := range slices.Concat(t.Container.Command, t.Container.Args) {
			argv = append(argv, kubelet(a, vars))
		}
		files = s.container(name, argv, vars)
	}
	out := params{}
	for _, p := range t.Outputs.Parameters {
		switch {
		case p.Value != nil:
			out[p.Name] = p.Value.String()
			continue
		case p.ValueFrom.JSONPath != "":
			out[p.Name] = files[p.ValueFrom.JSONPath]
			continue
		}
		text, ok := files[p.ValueFrom.Path]
		if !ok && p.ValueFrom.Default == nil {
			s.t.Errorf("%s wrote no %s", name, p.ValueFrom.Path)
		} else if !ok {
			text = p.ValueFrom.Default.String()
		}
		out[p.Name] = strings.TrimSuffix(text, "\n")
	}
	return node{"Succeeded", out}
}

// patched changes the main container as the patch of the pod says.
func (s *sim) patched(t *wfv1.Template) {
	if t.PodSpecPatch == "" {
		return
	}
	if t.Container == nil {
		return
	}
	pod := corev1.PodSpec{Containers: []corev1.Container{*t.Container}}
	pod.Containers[0].Name = "main"
	before, _ := json.Marshal(pod)
	after, err := strategicpatch.StrategicMergePatch(before, []byte(t.PodSpecPatch), corev1.PodSpec{})
	if err != nil {
		s.t.Fatalf("%v in %s", err, t.PodSpecPatch)
	}
	var got struct { // what steps see of it: tests give quantities that are none
		Containers []struct {
			Name          string
			Command, Args []string
			Env           []corev1.EnvVar
		}
	}
	if err := json.Unmarshal(after, &got); err != nil {
		s.t.Fatalf("%v in %s", err, after)
	}
	for _, c := range got.Containers {
		if c.Name == "main" {
			t.Container.Command, t.Container.Args, t.Container.Env = c.Command, c.Args, c.Env
		}
	}
}

// kubelet expands a text as the kubelet does.
func kubelet(s string, vars map[string]string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '$' && i+1 < len(s) && s[i+1] == '$' {
			b.WriteByte('$')
			i++
			continue
		}
		if s[i] == '$' && i+1 < len(s) && s[i+1] == '(' {
			if end := strings.IndexByte(s[i:], ')'); end > 0 {
				if v, ok := vars[s[i+2:i+end]]; ok {
					b.WriteString(v)
				} else if s[i+2:i+end] == "HOME" {
					b.WriteString("/root") // a variable of the image
				} else {
					b.WriteString(s[i : i+end+1])
				}
				i += end
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
