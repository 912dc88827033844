package argosim

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

// Pods are what pods do. Their errors are the messages of pods that fail.
type Pods struct {
	Step      func(p *Pod) (*Output, error) // a step with KFP's executor input
	Container func(p *Pod) (*Output, error) // another container or script
	Resource  func(p *Pod) (*Output, error)
}

// A Pod is a template as it starts.
type Pod struct {
	Name, Task string
	Template   *wfv1.Template // with nothing to replace in it, and the patch of the pod
	Input      string         // KFP's executor input
	Argv       []string       // after the kubelet had a look at it
	Env        map[string]string
	Files      map[string]string // what artifacts hold that other pods wrote, by path
	Before     []int             // pods that had ended, by their index in Ran
	Limits     []int64           // how many may run at once in the templates around it, from the outside in
	Attempt    int
	Last       bool // no attempt follows
}

// An Output is what a pod leaves.
type Output struct {
	Files     map[string]string // by path, or what an object has by JSONPath
	Artifacts map[string]string // what artifacts hold, by path
	Result    string            // what it printed
}

// A failure is what workflow.failures tells of a node.
type failure struct {
	DisplayName  string         `json:"displayName"`
	Message      string         `json:"message"`
	TemplateName string         `json:"templateName"`
	Phase        wfv1.NodePhase `json:"phase"`
	PodName      string         `json:"podName"`
	FinishedAt   string         `json:"finishedAt"`
}

func (s *Sim) fail(task, message, template string, phase wfv1.NodePhase, pod string) {
	n := len(s.failures)
	s.failures = append(s.failures, failure{task, message, template, phase, pod, fmt.Sprintf("2026-11-28T%02d:%02d:%02dZ", 1+n/3600, n/60%60, n%60)})
}

func (s *Sim) container(c *call, t *wfv1.Template) *Node {
	if t.Script != nil {
		return s.pod(c, t, &t.Script.Container, s.Pods.Container)
	}
	if in := t.Inputs.GetArtifactByName("kfpgo-input"); in != nil && in.Raw != nil {
		return s.pod(c, t, t.Container, s.Pods.Step)
	}
	return s.pod(c, t, t.Container, s.Pods.Container)
}

func (s *Sim) resource(c *call, t *wfv1.Template) *Node { return s.pod(c, t, nil, s.Pods.Resource) }

func (s *Sim) pod(c *call, t *wfv1.Template, k *corev1.Container, run func(p *Pod) (*Output, error)) *Node {
	if run == nil {
		return s.wrong(c.node, errors.New("nobody said what such a pod does"))
	}
	if errs := s.left(t, strs(scopeOf(t), s.global), nil); len(errs) > 0 {
		return s.wrong(c.node, errors.Join(errs...))
	}
	index := len(s.Ran)
	p := &Pod{Name: c.local["pod.name"], Task: c.task, Template: t, Env: map[string]string{}, Files: map[string]string{}, Limits: c.limits, Attempt: c.attempt, Last: c.last}
	for i := range c.before {
		p.Before = append(p.Before, i)
	}
	slices.Sort(p.Before)
	s.Ran = append(s.Ran, p)
	for _, a := range t.Inputs.Artifacts {
		if a.Name == "kfpgo-input" && a.Raw != nil {
			p.Input = a.Raw.Data
		} else if v, ok := s.content[location(&a)]; ok {
			p.Files[a.Path] = v
		} else if a.Raw != nil {
			p.Files[a.Path] = a.Raw.Data
		} else if elsewhere(&a) {
			p.Files[a.Path] = location(&a)
		}
	}
	if k != nil {
		if err := patched(t, k); err != nil {
			return s.wrong(c.node, err)
		}
		s.kubelet(p, k)
	}
	out, err := run(p)
	if err != nil {
		s.fail(c.task, err.Error(), t.Name, wfv1.NodeFailed, p.Name)
		return &Node{Phase: wfv1.NodeFailed, Message: err.Error(), pods: pods{index: true}}
	}
	if out == nil {
		out = &Output{}
	}
	outputs, err := s.collected(p, out)
	n := &Node{Phase: wfv1.NodeSucceeded, Outputs: outputs}
	if err != nil {
		n = s.wrong(c.node, err)
	}
	n.pods = pods{index: true}
	return n
}

// collected returns the outputs of a pod.
func (s *Sim) collected(p *Pod, out *Output) (*wfv1.Outputs, error) {
	outputs := &wfv1.Outputs{Result: &out.Result}
	for _, o := range p.Template.Outputs.Parameters {
		v := o.Value
		if from := o.ValueFrom; v == nil && from != nil {
			at := from.Path + from.JSONPath
			if text, ok := out.Files[at]; ok {
				v = wfv1.AnyStringPtr(strings.TrimSuffix(text, "\n"))
			} else if from.JSONPath != "" {
				v = wfv1.AnyStringPtr("")
			} else if v = from.Default; v == nil {
				return nil, fmt.Errorf("%s wrote no %s", p.Template.Name, at)
			}
		}
		if v == nil {
			return nil, fmt.Errorf("output %s of a kind that isn't known", o.Name)
		}
		outputs.Parameters = append(outputs.Parameters, wfv1.Parameter{Name: o.Name, Value: v})
	}
	for _, a := range p.Template.Outputs.Artifacts {
		if !a.HasLocationOrKey() {
			a.S3 = &wfv1.S3Artifact{Key: s.global["workflow.name"] + "/" + p.Name + "/" + a.Name}
		}
		if text, ok := out.Artifacts[a.Path]; ok {
			s.content[location(&a)] = text
		}
		outputs.Artifacts = append(outputs.Artifacts, a)
	}
	return outputs, nil
}

// patched changes a container as the patch of its pod says.
func patched(t *wfv1.Template, k *corev1.Container) error {
	if t.PodSpecPatch == "" {
		return nil
	}
	main := *k
	main.Name = "main"
	before, err := json.Marshal(corev1.PodSpec{Containers: []corev1.Container{main}})
	if err != nil {
		return err
	}
	after, err := strategicpatch.StrategicMergePatch(before, []byte(t.PodSpecPatch), corev1.PodSpec{})
	if err != nil {
		return fmt.Errorf("%w in %s", err, t.PodSpecPatch)
	}
	var got struct { // what steps see of it: tests give quantities that are none
		Containers []struct {
			Name          string
			Command, Args []string
			Env           []corev1.EnvVar
		}
	}
	if err := json.Unmarshal(after, &got); err != nil {
		return fmt.Errorf("%w in %s", err, after)
	}
	for _, c := range got.Containers {
		if c.Name == "main" {
			k.Command, k.Args, k.Env = c.Command, c.Args, c.Env
		}
	}
	return nil
}

// kubelet expands the variables of a container, and its command.
func (s *Sim) kubelet(p *Pod, k *corev1.Container) {
	known := func(name string) (string, bool) {
		v, ok := p.Env[name]
		if !ok {
			v, ok = s.Kubelet[name]
		}
		return v, ok
	}
	for _, e := range k.Env {
		p.Env[e.Name] = expanded(e.Value, known)
		if e.ValueFrom != nil {
			j, _ := json.Marshal(e.ValueFrom)
			p.Env[e.Name] = string(j)
		}
	}
	for _, a := range slices.Concat(k.Command, k.Args) {
		p.Argv = append(p.Argv, expanded(a, known))
	}
}

// expanded replaces $(NAME) if it is known, and $$ by $.
func expanded(text string, known func(name string) (string, bool)) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "$$"):
			b.WriteByte('$')
			i++
		case strings.HasPrefix(rest, "$(") && strings.Contains(rest, ")"):
			ref := rest[:strings.IndexByte(rest, ')')+1]
			v, ok := known(ref[2 : len(ref)-1])
			if !ok {
				v = ref
			}
			b.WriteString(v)
			i += len(ref) - 1
		default:
			b.WriteByte(text[i])
		}
	}
	return b.String()
}
