package oracle

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"slices"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/internal/testing/argosim"
	"github.com/kfpgo/kfpgo/test/oracle/argolib"
)

// A World says what pods do: what they write follows from what they are, so that
// two Workflows that start equal pods see equal results.
type World struct {
	Seed    int
	Outputs []string // texts that pods write, one of them each
	Fail    bool     // some pods fail
}

// A Trace is what a Workflow did.
type Trace struct {
	Phase  string
	Pods   []string            // what each pod is, sorted
	Before map[string][]string // for each, those that had ended before it started
}

// A world is one with a Workflow in it.
type world struct {
	World
	wf  *wfv1.Workflow
	ids []string // what the pods are, in order; "" for what the controller does itself
}

// Simulate runs a Workflow, with the WorkflowTemplates that it refers to.
func Simulate(wf *wfv1.Workflow, of World, templates ...*wfv1.WorkflowTemplate) (*Trace, error) {
	wf, err := argosim.Whole(wf, templates)
	if err != nil {
		return nil, err
	}
	w := &world{World: of, wf: wf}
	s := &argosim.Sim{
		Supply:   func(string, string) (string, bool) { return "supplied", true },
		Language: argolib.Language{}, Unescaped: true, Templates: templates, Args: map[string]string{},
		Global: map[string]string{"workflow.scheduledTime": "2026-11-28T01:00:00Z", "workflow.failures": `"[]"`}, // their names differ
		Pods:   argosim.Pods{Step: w.pod, Container: w.pod, Resource: w.pod},
	}
	for _, p := range wf.Spec.Arguments.Parameters {
		if p.Value == nil && p.Default == nil {
			s.Args[p.Name] = "given"
		}
	}
	end, err := s.Run(wf)
	if err != nil {
		return nil, err
	}
	tr := &Trace{Phase: string(end.Phase), Before: map[string][]string{}}
	before := map[string]map[string]bool{}
	for i, id := range w.ids {
		if id == "" {
			continue
		}
		tr.Pods = append(tr.Pods, id)
		if before[id] == nil {
			before[id] = map[string]bool{}
		}
		for _, j := range s.Ran[i].Before {
			if w.ids[j] != "" {
				before[id][w.ids[j]] = true
			}
		}
	}
	for id, of := range before {
		tr.Before[id] = slices.Sorted(maps.Keys(of))
	}
	slices.Sort(tr.Pods)
	return tr, nil
}

// pod runs a pod.
func (w *world) pod(p *argosim.Pod) (*argosim.Output, error) {
	id, result, name := w.identity(p)
	w.ids = append(w.ids, id)
	out := &argosim.Output{Files: map[string]string{}, Artifacts: map[string]string{}}
	if id != "" && w.fails(id, p.Attempt) {
		return nil, errors.New("it fails")
	}
	out.Result = w.write(id, "stdout")
	for _, o := range p.Template.Outputs.Parameters {
		switch f := o.ValueFrom; {
		case f == nil:
		case id == "":
			out.Files[f.JSONPath] = name
		case f.Path != "" && f.Path == result:
			out.Files[f.Path] = out.Result
		case f.Path != "":
			out.Files[f.Path] = w.write(id, plainPaths(f.Path))
		case f.JSONPath != "":
			sum := sha256.Sum256([]byte(fmt.Sprint(w.Seed, id, f.JSONPath)))
			out.Files[f.JSONPath] = fmt.Sprintf("x%x", sum[:4]) // such as a name
		}
	}
	for _, a := range p.Template.Outputs.Artifacts {
		out.Artifacts[a.Path] = w.write(id, plainPaths(a.Path)) + " in a file"
	}
	return out, nil
}

// write is what a pod writes somewhere.
func (w *world) write(pod, where string) string {
	sum := sha256.Sum256([]byte(fmt.Sprint(w.Seed, pod, where)))
	if len(w.Outputs) == 0 {
		return fmt.Sprintf("%x", sum[:4])
	}
	return w.Outputs[int(sum[0])%len(w.Outputs)]
}

func (w *world) fails(pod string, attempt int) bool {
	sum := sha256.Sum256([]byte(fmt.Sprint("fail", w.Seed, pod, attempt)))
	return w.Fail && sum[0]%4 == 0
}
