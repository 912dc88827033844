package oracle

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// write is what a pod writes somewhere.
func (s *simulation) write(pod, where string) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(s.world.Seed, pod, where)))
	if len(s.world.Outputs) == 0 {
		return fmt.Sprintf("%x", sum[:4])
	}
	return s.world.Outputs[int(sum[0])%len(s.world.Outputs)]
}

func (s *simulation) fails(pod string) bool {
	sum := sha256.Sum256([]byte(fmt.Sprint("fail", s.world.Seed, pod)))
	return s.world.Fail && sum[0]%4 == 0
}

// The files of a pod have other paths where kfpgo chooses them.
var (
	outPath = regexp.MustCompile(`/tmp/outputs/([^/"' ]+)/data|/kfpgo/([A-Za-z0-9_-]+)`)
	inPath  = regexp.MustCompile(`/tmp/inputs/([^/"' ]+)/data|/tmp/kfpgo/inputs/([A-Za-z0-9_-]+)`)
	other   = regexp.MustCompile(`[^a-z0-9]+`)
)

func plainPaths(s string) string {
	name := func(kind string, m []string) string {
		return kind + strings.Trim(other.ReplaceAllString(strings.ToLower(m[1]+m[2]), "_"), "_")
	}
	s = inPath.ReplaceAllStringFunc(s, func(p string) string { return name("in:", inPath.FindStringSubmatch(p)) })
	return outPath.ReplaceAllStringFunc(s, func(p string) string { return name("out:", outPath.FindStringSubmatch(p)) })
}

// files is the script that kfpgo puts around a command, for files at fixed paths.
var (
	linkLine = regexp.MustCompile(`ln -sfn "([^"]*)" (\S+) \|\|`)
	keepLine = regexp.MustCompile(`(?m)^"\$@" > "([^"]*)"`)
)

// A Pod is what makes a pod what it is.
type pod struct {
	Image    string            `json:"image,omitempty"`
	Argv     []string          `json:"argv,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Resource any               `json:"resource,omitempty"`
	Settings map[string]any    `json:"settings,omitempty"`
}

func (s *simulation) pod(t *wfv1.Template, e env, arts map[string]string, before set) ended {
	for _, p := range t.Outputs.Parameters {
		if p.ValueFrom != nil {
			e.flat["outputs.parameters."+p.Name+".path"] = p.ValueFrom.Path
		}
	}
	for _, a := range t.Outputs.Artifacts {
		e.flat["outputs.artifacts."+a.Name+".path"] = a.Path
	}
	t = fill(s, t, e)
	var p pod
	result := ""
	if t.Resource != nil {
		var m any
		if err := yaml.Unmarshal([]byte(t.Resource.Manifest), &m); err != nil {
			fail("manifest: %v", err)
		}
		p.Resource = map[string]any{"action": t.Resource.Action, "manifest": m, "success": t.Resource.SuccessCondition, "failure": t.Resource.FailureCondition}
		object, _ := m.(map[string]any)
		if object["kind"] == "PersistentVolumeClaim" || len(t.Resource.Flags) > 0 && t.Resource.Flags[0] == "pvc" { // Argo's controller does that
			end := ended{phase: "Succeeded", params: map[string]string{}, pods: set{}}
			for _, o := range t.Outputs.Parameters {
				name, _ := object["metadata"].(map[string]any)["name"].(string)
				end.params[o.Name] = name
			}
			return end
		}
	} else {
		k := t.Container
		if k == nil {
			k = &t.Script.Container
		}
		p.Image, p.Env, p.Files = k.Image, map[string]string{}, map[string]string{}
		for _, v := range k.Env {
			from, _ := json.Marshal(v.ValueFrom)
			p.Env[v.Name] = kubelet(v.Value, p.Env)
			if v.ValueFrom != nil {
				p.Env[v.Name] = string(from)
			}
		}
		for _, a := range append(slices.Clone(k.Command), k.Args...) {
			p.Argv = append(p.Argv, kubelet(a, p.Env))
		}
		if t.Script != nil {
			flag := "-c"
			if strings.HasPrefix(p.Argv[0], "node") {
				flag = "-e"
			}
			p.Argv = append(p.Argv, flag, kubelet(t.Script.Source, nil))
		}
		delete(p.Env, "KFPGO_LB")
		for _, a := range t.Inputs.Artifacts {
			if v, ok := arts[a.Name]; ok {
				p.Files[a.Path] = v
			}
		}
		if len(p.Argv) > 4 && p.Argv[0] == "sh" && strings.HasPrefix(p.Argv[2], "# files where") {
			script := p.Argv[2]
			p.Argv = p.Argv[4:]
			for _, m := range linkLine.FindAllStringSubmatch(script, -1) {
				p.Files[m[2]] = p.Files[m[1]]
				delete(p.Files, m[1])
			}
			if m := keepLine.FindStringSubmatch(script); m != nil {
				result = m[1]
			}
		}
		for i := range p.Argv {
			p.Argv[i] = plainPaths(p.Argv[i])
		}
		files := map[string]string{}
		for path, v := range p.Files {
			files[plainPaths(path)] = v
		}
		p.Files = files
		p.Settings = s.settings(t, k)
	}
	j, _ := json.Marshal(p)
	id := string(j)
	s.pods[id]++
	if s.before[id] == nil {
		s.before[id] = map[string]bool{}
	}
	maps.Copy(s.before[id], before)
	if s.fails(id) {
		return ended{phase: "Failed", pods: set{id: true}}
	}
	end := ended{phase: "Succeeded", params: map[string]string{}, arts: map[string]string{}, pods: set{id: true}, result: s.write(id, "stdout")}
	for _, o := range t.Outputs.Parameters {
		switch f := o.ValueFrom; {
		case f == nil && o.Value != nil:
			end.params[o.Name] = o.Value.String()
		case f.Path == result && result != "":
			end.params[o.Name] = s.write(id, "stdout")
		case f.Path != "":
			end.params[o.Name] = s.write(id, plainPaths(f.Path))
		case f.JSONPath != "":
			sum := sha256.Sum256([]byte(fmt.Sprint(s.world.Seed, id, f.JSONPath)))
			end.params[o.Name] = fmt.Sprintf("x%x", sum[:4]) // such as a name
		}
	}
	for _, a := range t.Outputs.Artifacts {
		end.arts[a.Name] = s.write(id, plainPaths(a.Path)) + " in a file"
	}
	return end
}

// settings are those of a pod that change what it does.
func (s *simulation) settings(t *wfv1.Template, k *corev1.Container) map[string]any {
	m := map[string]any{}
	put := func(name string, v any) {
		j, _ := json.Marshal(v)
		if string(j) != "null" && string(j) != "{}" && string(j) != "[]" && string(j) != `""` {
			var plain any
			json.Unmarshal(j, &plain)
			m[name] = plain
		}
	}
	put("resources", k.Resources)
	put("pull", k.ImagePullPolicy)
	put("selector", t.NodeSelector)
	put("tolerations", append(slices.Clone(s.wf.Spec.Tolerations), t.Tolerations...))
	if t.ActiveDeadlineSeconds != nil {
		put("deadline", t.ActiveDeadlineSeconds.String())
	}
	if r := t.RetryStrategy; r != nil && r.Limit != nil {
		put("retries", r.Limit.String())
		if r.Backoff != nil {
			put("backoff", r.Backoff.Duration)
		}
	}
	for name, of := range map[string][2]map[string]string{
		"labels":      {t.Metadata.Labels, nil},
		"annotations": {t.Metadata.Annotations, nil},
	} {
		all := map[string]string{}
		if pm := s.wf.Spec.PodMetadata; pm != nil {
			maps.Copy(all, map[string]map[string]string{"labels": pm.Labels, "annotations": pm.Annotations}[name])
		}
		maps.Copy(all, of[0])
		maps.DeleteFunc(all, func(k, _ string) bool { return strings.HasPrefix(k, "pipelines.kubeflow.org/") })
		put(name, all)
	}
	mounts := map[string]any{}
	for _, v := range k.VolumeMounts {
		if v.MountPath == "/kfpgo" {
			continue
		}
		mounts[v.MountPath+":"+v.SubPath] = s.volume(t, v.Name)
	}
	put("mounts", mounts)
	return m
}

func (s *simulation) volume(t *wfv1.Template, name string) any {
	for _, c := range s.wf.Spec.VolumeClaimTemplates {
		if c.Name == name {
			return map[string]any{"persistentVolumeClaim": map[string]any{"claimName": "run-" + name}}
		}
	}
	for _, v := range append(slices.Clone(t.Volumes), s.wf.Spec.Volumes...) {
		if v.Name == name {
			return v.VolumeSource
		}
	}
	fail("there is no volume %s", name)
	return nil
}

var variable = regexp.MustCompile(`\$\$|\$\(([A-Za-z0-9_.-]+)\)`)

// kubelet replaces variables as the kubelet does.
func kubelet(text string, vars map[string]string) string {
	return variable.ReplaceAllStringFunc(text, func(m string) string {
		if m == "$$" && vars != nil {
			return "$"
		}
		if v, ok := vars[variable.FindStringSubmatch(m)[1]]; ok {
			return v
		}
		return m
	})
}
