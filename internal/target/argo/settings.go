package argo

import (
	"fmt"
	"strconv"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// retryInput is the parameter with a number of retries that only a run knows.
const retryInput = "kfpgo-retry"

// noSettings reports settings of a task that is a DAG, which has no pod. It can be
// retried.
func (s *scope) noSettings(t *program.Task, c *program.Component) {
	switch {
	case !t.Settings.Pod(nil):
	case c.DAG != nil:
		s.refuse("options.pipeline")
	default:
		s.errorf("it is a loop over a step, which has no pod of its own; put the step and its options in a DAG, and loop over that") // of a file
	}
}

// retryStrategy returns Argo's form of a retry; the limit is a number or refers to one.
func (s *scope) retryStrategy(r *program.Retry, limit string) *wfv1.RetryStrategy {
	max := intstr.FromString(limit)
	out := &wfv1.RetryStrategy{Limit: &max, RetryPolicy: wfv1.RetryPolicyAlways}
	if r.Initial == "" {
		return out
	}
	factor := intstr.FromString("2")
	if r.Factor != 0 {
		factor = intstr.FromString(strconv.FormatFloat(r.Factor, 'f', -1, 64))
	}
	if strings.Contains(factor.StrVal, ".") {
		s.refuse("retry.factor")
	}
	out.Backoff = &wfv1.Backoff{Duration: r.Initial, Factor: &factor, MaxDuration: r.MaxBackoff}
	return out
}

// settings applies the options of the task to the template of a pod. Those for
// caching have nothing to do: Argo runs every task, unless it is memoized.
func (l *leaf) settings() {
	s := &l.task.Settings
	c := l.t.Container
	l.patch = map[string]any{}
	if s.Image != nil {
		c.Image = l.extra("kfpgo-image", *s.Image)
	}
	l.resources()
	l.env()
	l.sources()
	l.limits()
	l.placement()
	l.volumes()
	l.initContainers()
	c.ImagePullPolicy = corev1.PullPolicy(s.PullPolicy)
	if sc := s.SecurityContext; sc != nil {
		c.SecurityContext = &corev1.SecurityContext{RunAsUser: sc.RunAsUser, RunAsGroup: sc.RunAsGroup, RunAsNonRoot: sc.RunAsNonRoot}
	}
	for _, h := range s.HostAliases {
		l.t.HostAliases = append(l.t.HostAliases, corev1.HostAlias{IP: h.IP, Hostnames: h.Names})
	}
	l.locks()
	l.pullSecrets()
	if l.argv != nil {
		l.patch = l.merge("", l.patch, map[string]any{"containers": []any{l.argv}}).(map[string]any)
	}
	l.patchPod()
	l.writePatch()
}

// limits sets how long and how often.
func (l *leaf) limits() {
	s := &l.task.Settings
	if s.TimeoutSecs > 0 {
		d := intstr.FromInt32(int32(s.TimeoutSecs))
		l.t.ActiveDeadlineSeconds = &d
	}
	if r := s.Retry; r != nil {
		l.t.RetryStrategy = l.retryStrategy(r, l.extra(retryInput, r.Max))
	}
}

// runQuantity returns the expression for the JSON of a value, for a patch.
func (l *leaf) runQuantity(name string, v program.Value) raw {
	if l.nullable(v) {
		l.errorf("%s is a value that may not be given", strings.TrimPrefix(name, "kfpgo-"))
	}
	return raw(l.runTime(name, v, "null"))
}

// resources sets requests and limits. A quantity that is known only at run time
// can't stand in its field, which isn't a string; a patch of the pod can hold it.
func (l *leaf) resources() {
	s := &l.task.Settings
	patch := map[string]any{}
	inPatch := func(list, name string, v raw) {
		if patch[list] == nil {
			patch[list] = map[string]any{}
		}
		patch[list].(map[string]any)[name] = v
	}
	set := func(kind, name string, v *program.Value) {
		if v == nil {
			return
		}
		text, ok := v.Constant()
		if !ok || len(v.Field) > 0 {
			inPatch(kind+"s", name, l.runQuantity("kfpgo-"+strings.NewReplacer("/", "-", ".", "-").Replace(name)+"-"+kind, *v))
			return
		}
		q := l.quantity(text)
		r := &l.t.Container.Resources
		list := &r.Limits
		if kind == "request" {
			list = &r.Requests
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[corev1.ResourceName(name)] = q
	}
	set("limit", "cpu", s.CPULimit)
	set("limit", "memory", s.MemoryLimit)
	set("request", "cpu", s.CPURequest)
	set("request", "memory", s.MemoryRequest)
	for i := range s.Accelerators {
		a := &s.Accelerators[i]
		if n, ok := a.Count.Constant(); ok && n == "0" {
			continue
		}
		switch {
		case a.Type != nil:
			// The name of a resource that only the run knows: a patch holds it.
			name := fmt.Sprintf("kfpgo-device-%d", i)
			inPatch("limits", rawKey+tag(string(l.runQuantity(name, *a.Type))), l.runQuantity(name+"-count", a.Count))
		case a.Resource == "":
			l.refuse("accelerator.count")
		case !strings.Contains(a.Resource, "/"):
			l.refuse("accelerator.google")
		default:
			set("limit", a.Resource, &a.Count)
		}
	}
	if len(patch) > 0 {
		l.patch["containers"] = []any{map[string]any{"name": "main", "resources": patch}}
	}
}

// env sets environment variables. One whose value isn't given isn't set, which
// a patch of the pod does: programs distinguish that from an empty string.
func (l *leaf) env() {
	c := l.t.Container
	var absent []string
	before := map[string]string{}
	for i, e := range l.task.Settings.Env {
		v := corev1.EnvVar{Name: e.Name}
		if text, ok := e.Value.Constant(); ok && len(e.Value.Field) == 0 {
			v.Value = program.EnvText(text, before, l.shellText)
		} else {
			name := fmt.Sprintf("kfpgo-env-%d", i)
			l.input(name, l.argument(e.Value, &program.Port{}))
			carrier, may := "inputs.parameters["+literal(name)+"]", l.nullable(e.Value) || len(e.Value.Field) > 0
			v.Value = l.fill(carrier, e.Value.Type.Name, may)
			if may {
				absent = append(absent, carrier+" == 'null' ? [{'name': "+literal(e.Name)+", '$patch': 'delete'}] : []")
			}
		}
		before[e.Name] = "$(" + e.Name + ")"
		c.Env = append(c.Env, v)
	}
	if absent == nil {
		return
	}
	if l.argv == nil {
		l.argv = map[string]any{"name": "main"}
	}
	if len(absent) == 1 {
		l.argv["env"] = raw("toJson(" + absent[0] + ")")
	} else {
		l.argv["env"] = raw("toJson(concat(" + strings.Join(absent, ", ") + "))")
	}
}

// shellText returns a constant as it stands in a command, argument or variable.
func (l *leaf) shellText(s string) string {
	t := shellText(s)
	l.lb = l.lb || strings.Contains(t, bracket)
	return t
}

// fill returns the tag that puts the text of a carrier in a command, argument or variable.
func (l *leaf) fill(carrier, typ string, nullable bool) string {
	e := carrier
	if typ == kfptype.String {
		l.lb = true
		e = shell("fromJSON(" + carrier + ")")
	}
	if nullable {
		e = carrier + " == 'null' ? '' : " + e
	}
	return tag(e)
}

// placement says where the pod runs, and labels it.
func (l *leaf) placement() {
	s := &l.task.Settings
	for i, kv := range s.NodeSelector {
		if l.t.NodeSelector == nil {
			l.t.NodeSelector = map[string]string{}
		}
		l.t.NodeSelector[kv.Key] = l.extra(fmt.Sprintf("kfpgo-node-%d", i), kv.Value)
	}
	l.nodeSelectorJSON()
	l.tolerations()
	l.affinity()
	l.t.Metadata.Labels = l.constants("label", s.Labels)
	l.t.Metadata.Annotations = l.constants("annotation", s.Annotations)
}

func (l *leaf) constants(what string, kvs []program.KeyValue) map[string]string {
	var m map[string]string
	for i, kv := range kvs {
		text, ok := kv.Value.Constant()
		if !ok || len(kv.Value.Field) > 0 {
			// That text is expanded once more, so it must have no tag.
			name := fmt.Sprintf("kfpgo-%s-%d", what, i)
			wrong := literal(what + " " + kv.Key + " would have two opening braces in it, which Argo replaces")
			l.input(name, tag("let text = "+l.inText(kv.Value)+"; text contains '{' + '{' ? string(int("+wrong+")) : text"))
			text = tag("inputs.parameters[" + literal(name) + "]")
		} else if strings.Contains(text, "{{") {
			l.errorf("%s %s: a value with {{ in it, which Argo would replace", what, kv.Key)
			continue
		}
		if m == nil {
			m = map[string]string{}
		}
		m[kv.Key] = text
	}
	return m
}
