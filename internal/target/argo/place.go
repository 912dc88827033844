package argo

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/model/kfptype"
	"github.com/kfpgo/kfpgo/internal/model/program"
)

// rawKey starts a key of a patch that is a tag for a JSON text.
const rawKey = "\x00"

// A raw is an expression for JSON that is known only at run time, in a patch.
type raw string

// A verbatim is a string in a patch that stands as it is, whatever is in it.
type verbatim string

// writePatch writes the patch of the pod, whose values may be tags.
func (l *leaf) writePatch() {
	if len(l.patch) == 0 {
		return
	}
	var b strings.Builder
	l.writeJSON(&b, l.patch)
	l.t.PodSpecPatch = b.String()
}

// writeJSON writes JSON in which no }} is that of two objects, since the
// first }} ends a tag.
func (l *leaf) writeJSON(b *strings.Builder, v any) {
	switch v := v.(type) {
	case raw:
		b.WriteString(tag(string(v)))
	case verbatim:
		b.WriteString(jsonText(string(v)))
	case map[string]any:
		b.WriteByte('{')
		for i, k := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				b.WriteByte(',')
			}
			if key, ok := strings.CutPrefix(k, rawKey); ok {
				b.WriteString(" " + key + ":") // {{{ would start the tag one too early
			} else {
				b.WriteString(mustJSON(k) + ":")
			}
			l.writeJSON(b, v[k])
		}
		b.WriteString("} ")
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			l.writeJSON(b, e)
		}
		b.WriteByte(']')
	default:
		b.WriteString(mustJSON(v))
	}
}

// pullSecrets names the secrets for the image's registry. A template has no
// field for them.
func (l *leaf) pullSecrets() {
	var all []any
	for i, v := range l.task.Settings.PullSecrets {
		var name any = l.extra(fmt.Sprintf("kfpgo-pull-secret-%d", i), v)
		if !isConstant(&v) {
			name = raw("toJson(inputs.parameters[" + literal(fmt.Sprintf("kfpgo-pull-secret-%d", i)) + "])")
		}
		all = append(all, map[string]any{"name": name})
	}
	if all != nil {
		l.patch["imagePullSecrets"] = all
	}
}

// runTime returns an expression for the JSON of a setting that is known only at
// run time; absent stands for a value that wasn't given.
func (l *leaf) runTime(name string, v program.Value, absent string) string {
	l.input(name, l.argument(v, &program.Port{}))
	e := "inputs.parameters[" + literal(name) + "]"
	if l.nullable(v) {
		e = "(" + e + " == 'null' ? " + literal(absent) + " : " + e + ")"
	}
	return e
}

func isConstant(v *program.Value) bool { return v.Kind == program.Const && len(v.Field) == 0 }

func (l *leaf) nodeSelectorJSON() {
	v := l.task.Settings.NodeSelectorJSON
	if v == nil {
		return
	}
	if !isConstant(v) {
		l.patch["nodeSelector"] = raw(l.runTime("kfpgo-node-selector", *v, "{}"))
		return
	}
	l.decode("k8s.NodeSelectorJSON", v, &l.t.NodeSelector)
}

func (l *leaf) decode(what string, v *program.Value, into any) {
	if err := json.Unmarshal(v.Const, into); err != nil {
		l.errorf("%s: %v", what, err)
	}
}

// tolerations sets all tolerations in the template, or all in a patch if one is
// known only at run time: a patch replaces the list.
func (l *leaf) tolerations() {
	constant := l.tolerated()
	var lists []string // expressions
	for i, tol := range l.task.Settings.Tolerations {
		switch {
		case tol.JSON == nil:
			constant = append(constant, corev1.Toleration{
				Key: tol.Key, Operator: corev1.TolerationOperator(tol.Operator), Value: tol.Value,
				Effect: corev1.TaintEffect(tol.Effect), TolerationSeconds: tol.Seconds,
			})
		case isConstant(tol.JSON) && tol.JSON.Type.Name == kfptype.List:
			var list []corev1.Toleration
			l.decode("k8s.TolerationJSON", tol.JSON, &list)
			constant = append(constant, list...)
		case isConstant(tol.JSON):
			var one corev1.Toleration
			l.decode("k8s.TolerationJSON", tol.JSON, &one)
			constant = append(constant, one)
		default:
			e := l.runTime(fmt.Sprintf("kfpgo-toleration-%d", i), *tol.JSON, "[]")
			if tol.JSON.Type.Name == kfptype.List {
				lists = append(lists, "fromJSON("+e+")")
			} else if l.nullable(*tol.JSON) {
				e = "fromJSON(" + e + ")"
				lists = append(lists, "("+e+" == [] ? [] : ["+e+"])")
			} else {
				lists = append(lists, "[fromJSON("+e+")]")
			}
		}
	}
	if lists == nil {
		l.t.Tolerations = constant
		return
	}
	if constant != nil {
		lists = append([]string{"fromJSON(" + literal(mustJSON(constant)) + ")"}, lists...)
	}
	l.patch["tolerations"] = raw("toJson(concat(" + strings.Join(lists, ", ") + "))")
}

// affinity sets what nodes and other pods the pod is drawn to.
func (l *leaf) affinity() {
	s := &l.task.Settings
	var a corev1.Affinity
	var node corev1.NodeAffinity
	for _, t := range s.NodeAffinity {
		switch {
		case t.JSON == nil:
			term := corev1.NodeSelectorTerm{MatchExpressions: nodeRequirements(t.Expressions), MatchFields: nodeRequirements(t.Fields)}
			if t.Weight > 0 {
				node.PreferredDuringSchedulingIgnoredDuringExecution = append(node.PreferredDuringSchedulingIgnoredDuringExecution, corev1.PreferredSchedulingTerm{Weight: t.Weight, Preference: term})
			} else {
				require(&node, term)
			}
		case isConstant(t.JSON):
			var more corev1.NodeAffinity
			l.decode("k8s.NodeAffinityJSON", t.JSON, &more)
			if r := more.RequiredDuringSchedulingIgnoredDuringExecution; r != nil {
				require(&node, r.NodeSelectorTerms...)
			}
			node.PreferredDuringSchedulingIgnoredDuringExecution = append(node.PreferredDuringSchedulingIgnoredDuringExecution, more.PreferredDuringSchedulingIgnoredDuringExecution...)
		default:
			if len(s.NodeAffinity) > 1 {
				l.errorf("k8s.NodeAffinityJSON of a reference and k8s.NodeAffinity: Argo can't join the two; put all of it into the JSON")
			}
			l.patch["affinity"] = map[string]any{"nodeAffinity": raw(l.runTime("kfpgo-node-affinity", *t.JSON, "{}"))}
		}
	}
	if node.RequiredDuringSchedulingIgnoredDuringExecution != nil || node.PreferredDuringSchedulingIgnoredDuringExecution != nil {
		a.NodeAffinity = &node
	}
	for _, t := range s.PodAffinity {
		podAffinity(&a, t)
	}
	if a != (corev1.Affinity{}) {
		l.t.Affinity = &a
	}
}

// require adds terms of which one must hold.
func require(node *corev1.NodeAffinity, terms ...corev1.NodeSelectorTerm) {
	if node.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		node.RequiredDuringSchedulingIgnoredDuringExecution = &corev1.NodeSelector{}
	}
	r := node.RequiredDuringSchedulingIgnoredDuringExecution
	r.NodeSelectorTerms = append(r.NodeSelectorTerms, terms...)
}

func nodeRequirements(rs []program.Requirement) []corev1.NodeSelectorRequirement {
	var all []corev1.NodeSelectorRequirement
	for _, r := range rs {
		all = append(all, corev1.NodeSelectorRequirement{Key: r.Key, Operator: corev1.NodeSelectorOperator(r.Operator), Values: r.Values})
	}
	return all
}

func podAffinity(a *corev1.Affinity, t program.Affinity) {
	term := corev1.PodAffinityTerm{
		TopologyKey: t.TopologyKey, Namespaces: t.Namespaces,
		LabelSelector: selector(t.Labels, t.Expressions), NamespaceSelector: selector(t.NamespaceLabels, t.NamespaceWith),
	}
	if !t.Anti && a.PodAffinity == nil {
		a.PodAffinity = &corev1.PodAffinity{}
	}
	if t.Anti && a.PodAntiAffinity == nil {
		a.PodAntiAffinity = &corev1.PodAntiAffinity{}
	}
	weighted := corev1.WeightedPodAffinityTerm{Weight: t.Weight, PodAffinityTerm: term}
	switch {
	case t.Anti && t.Weight > 0:
		a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution = append(a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution, weighted)
	case t.Anti:
		a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, term)
	case t.Weight > 0:
		a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution = append(a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution, weighted)
	default:
		a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution = append(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, term)
	}
}

// selector returns nil if there is nothing to select by.
func selector(labels map[string]string, rs []program.Requirement) *metav1.LabelSelector {
	if len(labels)+len(rs) == 0 {
		return nil
	}
	s := &metav1.LabelSelector{MatchLabels: labels}
	for _, r := range rs {
		s.MatchExpressions = append(s.MatchExpressions, metav1.LabelSelectorRequirement{Key: r.Key, Operator: metav1.LabelSelectorOperator(r.Operator), Values: r.Values})
	}
	return s
}
