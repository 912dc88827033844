package argoread

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/internal/model/graph"
	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

func typeNamed(name string) graph.Type { return graph.Type{Name: name} }

func sorted(names ...string) []string { slices.Sort(names); return slices.Compact(names) }

// constValue returns a string as a value. One with a tag isn't read.
func (r *reader) constValue(at pos, what, s string) program.Value {
	if strings.Contains(s, "{{") {
		r.refuse(at, "a tag in "+what, "%s; kfpgo takes a constant there", s)
	}
	return program.Value{Kind: program.Const, Const: jsonText(s), Type: typeNamed(kfptype.String)}
}

// pod sets the settings of a task from its template.
func (r *reader) pod(s *scope, m *made, k *container, task *program.Task, args map[string]program.Value) {
	set, t := &task.Settings, m.t
	r.resources(set, k)
	r.retry(set, t.RetryStrategy)
	r.limit(set, t)
	for _, e := range k.Env {
		r.env(s, m, set, e, args)
	}
	r.volumes(s, m, k, set, args)
	selector, labels, annotations := merged(r.spec.NodeSelector, t.NodeSelector), map[string]string{}, map[string]string{}
	if r.spec.PodMetadata != nil {
		labels, annotations = merged(r.spec.PodMetadata.Labels), merged(r.spec.PodMetadata.Annotations)
	}
	labels, annotations = merged(labels, t.Metadata.Labels), merged(annotations, t.Metadata.Annotations)
	r.notes1(set, task, labels, annotations)
	run := func(at pos, text string) program.Value { return s.value(at, text, s.template(m, args)) }
	keyValues := func(m map[string]string) (out []program.KeyValue) {
		for _, key := range sortedKeys(m) {
			out = append(out, program.KeyValue{Key: key, Value: run(t.At, m[key])})
		}
		return out
	}
	r.locks(set, t.Synchronization, run)
	set.NodeSelector = keyValues(selector)
	set.Labels, set.Annotations = keyValues(labels), keyValues(annotations)
	for _, tol := range append(slices.Clone(r.spec.Tolerations), t.Tolerations...) {
		set.Tolerations = append(set.Tolerations, program.Toleration{Key: tol.Key, Operator: tol.Operator, Value: tol.Value, Effect: tol.Effect, Seconds: tol.TolerationSeconds})
	}
	for _, h := range append(slices.Clone(r.spec.HostAliases), t.HostAliases...) {
		set.HostAliases = append(set.HostAliases, program.HostAlias{IP: h.IP, Names: h.Hostnames})
	}
	for _, p := range r.spec.ImagePullSecrets {
		set.PullSecrets = append(set.PullSecrets, run(t.At, p.Name))
	}
	set.PullPolicy = k.ImagePullPolicy
	if c := k.SecurityContext; c != nil {
		set.SecurityContext = &program.SecurityContext{RunAsUser: c.RunAsUser, RunAsGroup: c.RunAsGroup, RunAsNonRoot: c.RunAsNonRoot}
	}
	for _, c := range t.InitContainers {
		r.side(set, c, "")
	}
	for _, c := range t.Sidecars {
		r.refuse(c.At, "sidecars", "a sidecar of Argo's ends with the step and isn't restarted, other than those of a program")
	}
}

// limit sets the time limit of a task.
func (r *reader) limit(set *program.Settings, t *template) {
	if t.ActiveDeadlineSeconds == "" {
		return
	}
	n, err := strconv.ParseInt(t.ActiveDeadlineSeconds, 10, 64)
	if err != nil {
		r.refuse(t.At, "a tag in activeDeadlineSeconds", "%s; a time limit is a constant", t.ActiveDeadlineSeconds)
	}
	set.TimeoutSecs = n
}

func merged(ms ...map[string]string) map[string]string {
	out := map[string]string{}
	for _, m := range ms {
		maps.Copy(out, m)
	}
	return out
}

// notes1 takes what KFP 1 notes in labels and annotations out of them.
func (r *reader) notes1(set *program.Settings, task *program.Task, labels, annotations map[string]string) {
	for _, m := range []map[string]string{labels, annotations} {
		for _, key := range sortedKeys(m) {
			name, ours := strings.CutPrefix(key, "pipelines.kubeflow.org/")
			if !ours {
				continue
			}
			switch {
			case name == "max_cache_staleness" && m[key] == "P0D", name == "enable_caching" && m[key] == "false":
				set.NoCache = true
			case name == "task_display_name":
				task.Title = m[key]
			}
			delete(m, key)
		}
	}
}

func (r *reader) resources(set *program.Settings, k *container) {
	pick := func(m map[string]string, key string) *program.Value {
		s, ok := m[key]
		if !ok {
			return nil
		}
		v := r.constValue(k.At, "resources", s)
		return &v
	}
	set.CPULimit, set.MemoryLimit = pick(k.Resources.Limits, "cpu"), pick(k.Resources.Limits, "memory")
	set.CPURequest, set.MemoryRequest = pick(k.Resources.Requests, "cpu"), pick(k.Resources.Requests, "memory")
	for _, key := range sortedKeys(k.Resources.Limits) {
		switch {
		case key == "cpu" || key == "memory":
		case strings.Contains(key, "/"):
			set.Accelerators = append(set.Accelerators, program.Accelerator{Resource: key, Count: r.constValue(k.At, "resources", k.Resources.Limits[key])})
		default:
			r.refuse(k.At, "resources."+key, "kfpgo has processors, memory and devices")
		}
	}
	for _, key := range sortedKeys(k.Resources.Requests) {
		if key != "cpu" && key != "memory" && k.Resources.Limits[key] != k.Resources.Requests[key] {
			r.refuse(k.At, "resources."+key, "kfpgo has processors, memory and devices")
		}
	}
}

func (r *reader) retry(set *program.Settings, x *retry) {
	if x == nil {
		return
	}
	switch x.RetryPolicy {
	case "", "OnFailure", "Always":
	default:
		r.refuse(x.At, "retryPolicy "+x.RetryPolicy, "a program retries any failure")
	}
	n, err := strconv.ParseInt(x.Limit, 10, 64)
	if err != nil {
		if x.Limit == "" {
			r.refuse(x.At, "retries without a limit", "say how often")
		} else {
			r.refuse(x.At, "a tag in retryStrategy.limit", "%s", x.Limit)
		}
	}
	out := &program.Retry{Max: program.Value{Kind: program.Const, Const: []byte(strconv.FormatInt(n, 10)), Type: typeNamed(kfptype.Integer)}}
	if b := x.Backoff; b != nil {
		if b.Duration != "" {
			out.Initial = r.duration(x.At, b.Duration)
		}
		if b.Factor != "" {
			if out.Factor, err = strconv.ParseFloat(b.Factor, 64); err != nil {
				r.refuse(x.At, "backoff.factor", "%s is not a number", b.Factor)
			}
		}
		if b.MaxDuration != "" {
			out.MaxBackoff = r.duration(x.At, b.MaxDuration) // as KFP's backoff_max_duration is for Argo
		}
		if b.Cap != "" {
			r.refuse(x.At, "backoff.cap", "kfpgo limits the time of all tries (maxDuration), not that between two")
		}
	}
	set.Retry = out
}

// duration returns a duration as Go writes it. A number is seconds.
func (r *reader) duration(at pos, s string) string {
	if _, err := strconv.Atoi(s); err == nil {
		s += "s"
	}
	if d, err := time.ParseDuration(s); err == nil {
		return d.String()
	}
	r.refuse(at, "a duration", "%q isn't understood", s)
	return ""
}

// env sets a variable. In its value, tags are those of the template.
func (r *reader) env(s *scope, m *made, set *program.Settings, e env, args map[string]program.Value) {
	if f := e.ValueFrom; f != nil {
		r.one(e.At, "the variable "+e.Name, map[string]bool{"value": e.Value != "", "secretKeyRef": f.SecretKeyRef != nil, "configMapKeyRef": f.ConfigMapKeyRef != nil, "fieldRef": f.FieldRef != nil})
	}
	switch f := e.ValueFrom; {
	case f == nil:
		v := s.value(e.At, e.Value, s.template(m, args))
		set.Env = append(set.Env, program.Env{Name: e.Name, Value: v})
	case f.SecretKeyRef != nil:
		set.SecretEnv = append(set.SecretEnv, program.KeyEnv{Name: e.Name, Object: s.value(e.At, f.SecretKeyRef.Name, s.template(m, args)), Key: f.SecretKeyRef.Key, Optional: f.SecretKeyRef.Optional})
	case f.ConfigMapKeyRef != nil:
		set.ConfigMapEnv = append(set.ConfigMapEnv, program.KeyEnv{Name: e.Name, Object: s.value(e.At, f.ConfigMapKeyRef.Name, s.template(m, args)), Key: f.ConfigMapKeyRef.Key, Optional: f.ConfigMapKeyRef.Optional})
	case f.FieldRef != nil:
		set.FieldEnv = append(set.FieldEnv, program.FieldEnv{Name: e.Name, Field: f.FieldRef.FieldPath})
	default:
		r.errorf(e.At, "", "the variable %s has a valueFrom that names nothing", e.Name)
	}
}

// template returns what the inputs of a template are in the DAG that calls it.
func (s *scope) template(m *made, args map[string]program.Value) func(ref *ref) (program.Value, bool) {
	return func(ref *ref) (program.Value, bool) {
		if ref.is("inputs", "parameters", "*") {
			if v, ok := m.given[ref.path[2]]; ok { // KFP 1's names aren't inputs of the component
				return v, true
			}
			name := m.in[ref.path[2]]
			if v, ok := args[name]; ok {
				return v, true
			}
			if p := m.c.Input(name); p != nil && p.Default != nil {
				return program.Value{Kind: program.Const, Const: p.Default}, true
			}
		}
		s.unknown(m.t.At, ref)
		return program.Value{}, false
	}
}

// volumes mounts what the container mounts.
func (r *reader) volumes(s *scope, m *made, k *container, set *program.Settings, args map[string]program.Value) {
	run := func(at pos, text string) program.Value { return s.value(at, text, s.template(m, args)) }
	for _, mt := range k.VolumeMounts {
		if mt.ReadOnly {
			r.refuse(mt.At, "volumeMounts.readOnly", "kfpgo mounts volumes for writing")
		}
		if _, ok := r.claims[mt.Name]; ok {
			name := s.volume(mt.Name)
			set.PVCMounts = append(set.PVCMounts, program.PVCMount{Claim: name, Path: mt.MountPath, SubPath: mt.SubPath})
			continue
		}
		i := slices.IndexFunc(m.t.Volumes, func(v volume) bool { return v.Name == mt.Name })
		list := m.t.Volumes
		if i < 0 {
			list = r.spec.Volumes
			i = slices.IndexFunc(list, func(v volume) bool { return v.Name == mt.Name })
		}
		if i < 0 {
			r.errorf(mt.At, "", "there is no volume %q", mt.Name)
			continue
		}
		v := list[i]
		r.one(v.At, "the volume "+v.Name, map[string]bool{"emptyDir": v.EmptyDir != nil, "persistentVolumeClaim": v.PersistentVolumeClaim != nil, "secret": v.Secret != nil, "configMap": v.ConfigMap != nil})
		if v.Secret != nil && v.Secret.Name != "" || v.ConfigMap != nil && v.ConfigMap.SecretName != "" {
			r.errorf(v.At, "", "the volume %s: a secret has a secretName, and a config map a name", v.Name)
		}
		if c := v.PersistentVolumeClaim; c != nil && c.ReadOnly {
			r.refuse(v.At, "persistentVolumeClaim.readOnly", "kfpgo mounts volumes for writing")
		}
		if mt.SubPath != "" && v.PersistentVolumeClaim == nil {
			r.refuse(mt.At, "volumeMounts.subPath", "kfpgo mounts whole secrets, config maps and empty folders")
		}
		switch {
		case v.EmptyDir != nil:
			set.EmptyDirs = append(set.EmptyDirs, program.EmptyDir{Name: v.Name, Path: mt.MountPath, Medium: v.EmptyDir.Medium, SizeLimit: v.EmptyDir.SizeLimit})
		case v.PersistentVolumeClaim != nil:
			set.PVCMounts = append(set.PVCMounts, program.PVCMount{Claim: run(v.At, v.PersistentVolumeClaim.ClaimName), Path: mt.MountPath, SubPath: mt.SubPath})
		case v.Secret != nil:
			set.SecretVolumes = append(set.SecretVolumes, program.ObjectVolume{Object: run(v.At, v.Secret.SecretName), Path: mt.MountPath, Optional: v.Secret.Optional})
		case v.ConfigMap != nil:
			set.ConfigMapVolumes = append(set.ConfigMapVolumes, program.ObjectVolume{Object: run(v.At, v.ConfigMap.Name), Path: mt.MountPath, Optional: v.ConfigMap.Optional})
		default:
			r.errorf(v.At, "", "the volume %s is of no kind", v.Name)
		}
	}
}

// volume returns the name of a claim of the run.
func (s *scope) volume(name string) program.Value {
	key := "volume." + name
	if s.globals[key] == nil {
		s.globals[key] = &global{"claim_" + portName(name), program.Value{Kind: program.Output, Task: s.claims[name], Name: "name"}}
	}
	v, _ := s.globalValue(key)
	return v
}

// side adds an init container.
func (r *reader) side(set *program.Settings, c sideContainer, restart string) {
	if c.MirrorVolumeMounts.S == "true" {
		r.refuse(c.MirrorVolumeMounts.At, "mirrorVolumeMounts", "name the volumes")
	}
	out := program.InitContainer{Name: c.Name, Image: c.Image, Command: c.Command, Args: c.Args, RestartPolicy: restart, Limits: c.Resources.Limits, Requests: c.Resources.Requests}
	for _, s := range append(append([]string{c.Image}, c.Command...), c.Args...) {
		if strings.Contains(s, "{{") {
			r.refuse(c.At, "a tag in an init container", "%s; kfpgo takes constants there", s)
		}
	}
	for _, e := range c.Env {
		if e.ValueFrom != nil {
			r.refuse(e.At, "valueFrom in an init container", "kfpgo takes constants there")
		}
		out.Env = append(out.Env, program.Env{Name: e.Name, Value: r.constValue(e.At, "an init container", e.Value)})
	}
	for _, m := range c.VolumeMounts {
		if m.ReadOnly {
			r.refuse(m.At, "volumeMounts.readOnly", "kfpgo mounts volumes for writing")
		}
		if m.SubPath != "" {
			r.refuse(m.At, "volumeMounts.subPath of an init container", "kfpgo mounts whole volumes there")
		}
		out.Mounts = append(out.Mounts, program.VolumeMount{Name: m.Name, Path: m.MountPath})
	}
	set.InitContainers = append(set.InitContainers, out)
}
