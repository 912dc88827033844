package raise

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/gosrc"
)

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

// affinity adds a term about nodes or pods.
func (o *options) affinity(opt *program.Option, a program.Affinity) {
	switch {
	case a.JSON != nil:
		o.w.taskErrorf(o.n.task, "an affinity to pods that is known only at run time: KFP has none")
	case opt.Name == "node-affinity":
		o.add("%s(%s)", opt.Go[0], fields("k8s.NodeTerm",
			"Expressions", requirements(a.Expressions), "Fields", requirements(a.Fields), "Weight", nonzero(int64(a.Weight))))
	default:
		o.add("%s(%s)", opt.Go[index(a.Anti)], fields("k8s.PodTerm",
			"TopologyKey", gosrc.Quote(a.TopologyKey), "Labels", stringMap(a.Labels), "Expressions", requirements(a.Expressions),
			"Namespaces", some(a.Namespaces), "NamespaceLabels", stringMap(a.NamespaceLabels), "NamespaceExpressions", requirements(a.NamespaceWith),
			"Weight", nonzero(int64(a.Weight))))
	}
}

// index is that of the second of two functions, if it is the one.
func index(second bool) int {
	if second {
		return 1
	}
	return 0
}

func (o *options) emptyDir(d program.EmptyDir) {
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
	o.add("k8s.EmptyDir(%s)", strings.Join(args, ", "))
}

func (o *options) ephemeralVolume(v program.EphemeralVolume) {
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
	o.add("k8s.EphemeralVolume(%s, %s, %s)", gosrc.Quote(v.Name), gosrc.Quote(v.Path), fields("k8s.Claim",
		"Size", gosrc.Quote(v.Size), "AccessModes", list, "StorageClass", class, "Labels", stringMap(v.Labels), "Annotations", stringMap(v.Annotations)))
}

func (o *options) initContainer(opt *program.Option, c program.InitContainer) {
	if c.RestartPolicy != "" && c.RestartPolicy != "Always" {
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
	o.add("%s(%s)", opt.Go[index(c.RestartPolicy != "")], fields("k8s.Container",
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
