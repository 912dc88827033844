package oracle

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/kfpgo/kfpgo/internal/testing/argosim"
)

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
	dirLine  = regexp.MustCompile(`(?m)&& cd (\S+) \|\|`)
	keepLine = regexp.MustCompile(`(?m)^"\$@" > "([^"]*)"`)
)

// A pod is what makes a pod what it is.
type pod struct {
	Image    string            `json:"image,omitempty"`
	Argv     []string          `json:"argv,omitempty"`
	Env      map[string]string `json:"env,omitempty"`
	Files    map[string]string `json:"files,omitempty"`
	Resource any               `json:"resource,omitempty"`
	Settings map[string]any    `json:"settings,omitempty"`
}

// identity returns what a pod is, and the file in which it keeps what it prints. What
// Argo's controller does by itself is no pod, and has the name of its object instead.
func (w *world) identity(run *argosim.Pod) (id, result, name string) {
	t := run.Template
	var p pod
	if t.Resource != nil {
		var m any
		if err := yaml.Unmarshal([]byte(t.Resource.Manifest), &m); err != nil {
			m = "manifest: " + err.Error()
		}
		p.Resource = map[string]any{"action": t.Resource.Action, "manifest": m, "success": t.Resource.SuccessCondition, "failure": t.Resource.FailureCondition}
		object, _ := m.(map[string]any)
		if object["kind"] == "PersistentVolumeClaim" || len(t.Resource.Flags) > 0 && t.Resource.Flags[0] == "pvc" {
			meta, _ := object["metadata"].(map[string]any)
			name, _ = meta["name"].(string)
			return "", "", name
		}
	} else {
		k, dir := t.Container, ""
		p.Argv, p.Env, p.Files = slices.Clone(run.Argv), maps.Clone(run.Env), maps.Clone(run.Files)
		if t.Script != nil {
			k = &t.Script.Container
			flag := "-c"
			if strings.HasPrefix(p.Argv[0], "node") {
				flag = "-e"
			}
			p.Argv = append(p.Argv, flag, t.Script.Source)
		}
		p.Image = k.Image
		delete(p.Env, "KFPGO_LB")
		if len(p.Argv) > 4 && p.Argv[0] == "sh" && strings.HasPrefix(p.Argv[2], "# files where") {
			script := p.Argv[2]
			p.Argv = p.Argv[4:]
			for _, m := range linkLine.FindAllStringSubmatch(script, -1) {
				p.Files[m[2]] = p.Files[m[1]]
				delete(p.Files, m[1])
			}
			if m := dirLine.FindStringSubmatch(script); m != nil {
				dir = m[1]
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
		p.Settings = w.settings(t, k)
		if dir != "" {
			p.Settings["dir"] = dir
		}
		if run.Limits != nil {
			p.Settings["limits"] = run.Limits
		}
	}
	j, _ := json.Marshal(p)
	return string(j), result, ""
}

// settings are those of a pod that change what it does.
func (w *world) settings(t *wfv1.Template, k *corev1.Container) map[string]any {
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
	put("dir", k.WorkingDir)
	put("pull", k.ImagePullPolicy)
	put("selector", t.NodeSelector)
	put("locks", locks(t.Synchronization))
	put("tolerations", append(slices.Clone(w.wf.Spec.Tolerations), t.Tolerations...))
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
		if pm := w.wf.Spec.PodMetadata; pm != nil {
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
		mounts[v.MountPath+":"+v.SubPath] = w.volume(t, v.Name)
	}
	put("mounts", mounts)
	return m
}

// locks are what a pod waits for, in the words of Argo 3.6.
func locks(y *wfv1.Synchronization) any {
	if y == nil {
		return nil
	}
	mutexes, semaphores := slices.Clone(y.Mutexes), slices.Clone(y.Semaphores)
	if y.Mutex != nil {
		mutexes = append(mutexes, y.Mutex)
	}
	if y.Semaphore != nil {
		semaphores = append(semaphores, y.Semaphore)
	}
	return []any{mutexes, semaphores}
}

func (w *world) volume(t *wfv1.Template, name string) any {
	for _, c := range w.wf.Spec.VolumeClaimTemplates {
		if c.Name == name {
			return map[string]any{"persistentVolumeClaim": map[string]any{"claimName": "run-x7k2p-" + name}}
		}
	}
	for _, v := range append(slices.Clone(t.Volumes), w.wf.Spec.Volumes...) {
		if v.Name == name {
			return v.VolumeSource
		}
	}
	return "there is no volume " + name
}
