package raise

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

// k8s adds an option of package k8s.
func (o *options) k8s(format string, args ...any) {
	o.add("k8s."+format, args...)
}

// kubernetes adds the options of package k8s.
func (o *options) kubernetes() {
	s := &o.rest.Kubernetes
	o.placing(s)
	o.volumes(s)
	for _, e := range s.SecretEnv {
		o.k8s("SecretEnv(%s, %s, %s%s)", gosrc.Quote(e.Name), o.value(e.Object), gosrc.Quote(e.Key), optional(e.Optional))
	}
	for _, e := range s.ConfigMapEnv {
		o.k8s("ConfigMapEnv(%s, %s, %s%s)", gosrc.Quote(e.Name), o.value(e.Object), gosrc.Quote(e.Key), optional(e.Optional))
	}
	for _, e := range s.FieldEnv {
		o.k8s("FieldEnv(%s, %s)", gosrc.Quote(e.Name), gosrc.Quote(e.Field))
	}
	for _, kv := range s.Labels {
		o.k8s("Label(%s, %s)", gosrc.Quote(kv.Key), o.value(kv.Value))
	}
	for _, kv := range s.Annotations {
		o.k8s("Annotation(%s, %s)", gosrc.Quote(kv.Key), o.value(kv.Value))
	}
	for _, v := range s.PullSecrets {
		o.k8s("PullSecret(%s)", o.value(v))
	}
	switch s.PullPolicy {
	case "":
	case "Always", "IfNotPresent", "Never":
		o.k8s("Pull(k8s.Pull%s)", s.PullPolicy)
	default:
		o.k8s("Pull(%s)", gosrc.Quote(s.PullPolicy))
	}
	if c := s.SecurityContext; c != nil {
		if c.RunAsUser != nil {
			o.k8s("RunAsUser(%d)", *c.RunAsUser)
		}
		if c.RunAsGroup != nil {
			o.k8s("RunAsGroup(%d)", *c.RunAsGroup)
		}
		if c.RunAsNonRoot != nil {
			o.k8s("RunAsNonRoot(%t)", *c.RunAsNonRoot)
		}
	}
	for _, c := range s.InitContainers {
		o.initContainer(c)
	}
	s.SecretEnv, s.ConfigMapEnv, s.FieldEnv, s.Labels, s.Annotations, s.PullSecrets, s.PullPolicy = nil, nil, nil, nil, nil, nil, ""
	s.SecurityContext, s.InitContainers = nil, nil
}

func optional(is bool) string {
	if is {
		return ", k8s.Optional()"
	}
	return ""
}

// placing adds what says on which nodes the pod runs.
func (o *options) placing(s *program.Kubernetes) {
	for _, kv := range s.NodeSelector {
		o.k8s("NodeSelector(%s, %s)", gosrc.Quote(kv.Key), o.value(kv.Value))
	}
	if s.NodeSelectorJSON != nil {
		o.k8s("NodeSelectorJSON(%s)", o.json(*s.NodeSelectorJSON))
	}
	for _, t := range s.Tolerations {
		if t.JSON != nil {
			o.k8s("TolerationJSON(%s)", o.json(*t.JSON))
		} else {
			o.k8s("Tolerate(%s)", toleration(t))
		}
	}
	for _, a := range s.NodeAffinity {
		if a.JSON != nil {
			o.k8s("NodeAffinityJSON(%s)", o.json(*a.JSON))
			continue
		}
		o.k8s("NodeAffinity(%s)", fields("k8s.NodeTerm",
			"Expressions", requirements(a.Expressions), "Fields", requirements(a.Fields), "Weight", nonzero(int64(a.Weight))))
	}
	for _, a := range s.PodAffinity {
		if a.JSON != nil {
			o.w.taskErrorf(o.n.task, "an affinity to pods that is known only at run time: KFP has none")
			continue
		}
		option := "PodAffinity"
		if a.Anti {
			option = "PodAntiAffinity"
		}
		o.k8s("%s(%s)", option, fields("k8s.PodTerm",
			"TopologyKey", gosrc.Quote(a.TopologyKey), "Labels", stringMap(a.Labels), "Expressions", requirements(a.Expressions),
			"Namespaces", some(a.Namespaces), "NamespaceLabels", stringMap(a.NamespaceLabels), "NamespaceExpressions", requirements(a.NamespaceWith),
			"Weight", nonzero(int64(a.Weight))))
	}
	s.NodeSelector, s.NodeSelectorJSON, s.Tolerations, s.NodeAffinity, s.PodAffinity = nil, nil, nil, nil, nil
}

// json returns a setting that is JSON of Kubernetes' own: a map or a list.
func (o *options) json(v program.Value) string {
	r := o.w.ref(o.n.in, v, o.n.task)
	if r == nil {
		return ""
	}
	if r.kind == refConst {
		s, _ := anyLiteral(r.lit)
		return "dsl.Const(" + s + ")"
	}
	if r.typ == nil {
		o.w.taskErrorf(o.n.task, "a setting that is an artifact")
		return ""
	}
	want := "map[string]any"
	if r.typ.root().ir == kfptype.List {
		want = "[]any"
	}
	if got := o.w.goType(r.typ); got == "map[string]string" {
		want = got
	}
	return o.w.as("dsl.Param["+want+"]", r)
}

// volumes adds the mounted volumes.
func (o *options) volumes(s *program.Kubernetes) {
	for _, m := range s.PVCMounts {
		if m.SubPath != "" {
			o.k8s("MountPVC(%s, %s, k8s.SubPath(%s))", o.value(m.Claim), gosrc.Quote(m.Path), gosrc.Quote(m.SubPath))
		} else {
			o.k8s("MountPVC(%s, %s)", o.value(m.Claim), gosrc.Quote(m.Path))
		}
	}
	for _, v := range s.SecretVolumes {
		o.k8s("SecretVolume(%s, %s%s)", o.value(v.Object), gosrc.Quote(v.Path), optional(v.Optional))
	}
	for _, v := range s.ConfigMapVolumes {
		o.k8s("ConfigMapVolume(%s, %s%s)", o.value(v.Object), gosrc.Quote(v.Path), optional(v.Optional))
	}
	for _, d := range s.EmptyDirs {
		args := []string{gosrc.Quote(d.Name), gosrc.Quote(d.Path)}
		switch d.Medium {
		case "":
		case "Memory":
			args = append(args, "k8s.InMemory()")
		default:
			args = append(args, "k8s.Medium("+gosrc.Quote(d.Medium)+")")
		}
		if d.SizeLimit != "" {
			args = append(args, "k8s.SizeLimit("+gosrc.Quote(d.SizeLimit)+")")
		}
		o.k8s("EmptyDir(%s)", strings.Join(args, ", "))
	}
	for _, v := range s.EphemeralVolumes {
		class := ""
		if v.StorageClass != nil {
			class = "new(" + gosrc.Quote(*v.StorageClass) + ")"
		}
		var modes []string
		for _, m := range v.AccessModes {
			modes = append(modes, constant("k8s.", m, "ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany", "ReadWriteOncePod"))
		}
		list := ""
		if len(modes) > 0 {
			list = braces("[]k8s.AccessMode", modes)
		}
		o.k8s("EphemeralVolume(%s, %s, %s)", gosrc.Quote(v.Name), gosrc.Quote(v.Path), fields("k8s.Claim",
			"Size", gosrc.Quote(v.Size), "AccessModes", list, "StorageClass", class, "Labels", stringMap(v.Labels), "Annotations", stringMap(v.Annotations)))
	}
	if m := s.SharedMemory; m != nil {
		if m.Name != "" && m.Name != "shm" {
			o.w.taskErrorf(o.n.task, "shared memory in a volume called %s: the language calls it shm", m.Name)
		}
		o.k8s("SharedMemory(%s)", gosrc.Quote(m.Size))
	}
	s.PVCMounts, s.SecretVolumes, s.ConfigMapVolumes, s.EmptyDirs, s.EphemeralVolumes, s.SharedMemory = nil, nil, nil, nil, nil, nil
}

func (o *options) initContainer(c program.InitContainer) {
	option := "InitContainer"
	switch c.RestartPolicy {
	case "":
	case "Always":
		option = "Sidecar"
	default:
		o.w.taskErrorf(o.n.task, "an init container with the restart policy %s", c.RestartPolicy)
	}
	var env, mounts []string
	for _, e := range c.Env {
		text, ok := e.Value.Constant()
		if !ok {
			o.w.taskErrorf(o.n.task, "a variable %s of init container %s that is a reference", e.Name, c.Name)
		}
		env = append(env, "{"+gosrc.Quote(e.Name)+", "+gosrc.Quote(text)+"}")
	}
	for _, m := range c.Mounts {
		mounts = append(mounts, "{Name: "+gosrc.Quote(m.Name)+", Path: "+gosrc.Quote(m.Path)+"}")
	}
	list := func(typ string, parts []string) string {
		if len(parts) == 0 {
			return ""
		}
		return braces(typ, parts)
	}
	o.k8s("%s(%s)", option, fields("k8s.Container",
		"Name", gosrc.Quote(c.Name), "Image", gosrc.Quote(c.Image), "Command", some(c.Command), "Args", some(c.Args),
		"Env", list("[]k8s.EnvVar", env), "Mounts", list("[]k8s.VolumeMount", mounts),
		"Requests", stringMap(c.Requests), "Limits", stringMap(c.Limits)))
}

func stringMap(m map[string]string) string {
	if len(m) == 0 {
		return ""
	}
	var parts []string
	for k, v := range sorted(m) {
		parts = append(parts, fmt.Sprintf("%s: %s", gosrc.Quote(k), gosrc.Quote(v)))
	}
	return braces("map[string]string", parts)
}

func requirements(list []program.Requirement) string {
	if len(list) == 0 {
		return ""
	}
	var parts []string
	for _, r := range list {
		parts = append(parts, strings.TrimPrefix(fields("", "Key", gosrc.Quote(r.Key),
			"Operator", constant("k8s.", r.Operator, "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"), "Values", some(r.Values)), " "))
	}
	return braces("[]k8s.Requirement", parts)
}

func toleration(t program.Toleration) string {
	seconds := ""
	if t.Seconds != nil {
		seconds = "new(int64(" + strconv.FormatInt(*t.Seconds, 10) + "))"
	}
	return fields("k8s.Toleration", "Key", quoted(t.Key), "Operator", chosen("k8s.", t.Operator, "Equal", "Exists"), "Value", quoted(t.Value),
		"Effect", chosen("k8s.", t.Effect, "NoSchedule", "PreferNoSchedule", "NoExecute"), "Seconds", seconds)
}
