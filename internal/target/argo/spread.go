package argo

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// maxObject is how large an object may be, as JSON: etcd takes 1.5 MiB of all that
// is in one, with the status, and Argo a little more than 1 MB.
const maxObject = 900_000

// maxPartName leaves room for a hash and a number in a name of 63 letters.
const maxPartName = 50

// spread moves templates of a Workflow to WorkflowTemplates if there are too many
// for one object. A template can call those of its own object and of a
// WorkflowTemplate, so what starts stays and all else goes. The names of the
// WorkflowTemplates hold the hash of what is in them: a run continues with those it
// started with when the pipeline has changed.
func spread(w *wfv1.Workflow, limited bool) ([]*wfv1.WorkflowTemplate, error) {
	all := w.Spec.Templates
	sizes, total := make([]int, len(all)), 0
	for i := range all {
		j, err := json.Marshal(&all[i])
		if err != nil {
			return nil, err
		}
		sizes[i] = len(j)
		total += len(j)
	}
	if (len(all) <= maxTemplates || !limited) && total <= maxObject {
		return nil, nil
	}
	stays := map[string]bool{w.Spec.Entrypoint: true, w.Spec.Hooks[wfv1.ExitLifecycleEvent].Template: true}
	w.Spec.Templates = nil
	var parts []*wfv1.WorkflowTemplate
	home, size := map[string]*wfv1.WorkflowTemplate{}, 0
	for i := range all {
		if stays[all[i].Name] {
			w.Spec.Templates = append(w.Spec.Templates, all[i])
			continue
		}
		if parts == nil || size+sizes[i] > maxObject || len(parts[len(parts)-1].Spec.Templates) == maxTemplates {
			parts = append(parts, &wfv1.WorkflowTemplate{TypeMeta: metav1.TypeMeta{APIVersion: w.APIVersion, Kind: "WorkflowTemplate"}})
			size = 0
		}
		part := parts[len(parts)-1]
		part.Spec.Templates = append(part.Spec.Templates, all[i])
		home[all[i].Name] = part
		size += sizes[i]
	}
	j, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(j)
	base := strings.TrimSuffix(w.GenerateName, "-")
	base = strings.TrimRight(base[:min(len(base), maxPartName)], "-")
	for i, part := range parts {
		part.Name = fmt.Sprintf("%s-%s-%d", base, hex.EncodeToString(sum[:4]), i+1)
	}
	refer(w.Spec.Templates, nil, home)
	for _, part := range parts {
		refer(part.Spec.Templates, part, home)
	}
	return parts, nil
}

// refer makes the tasks of templates refer to what isn't in the same object.
func refer(templates []wfv1.Template, in *wfv1.WorkflowTemplate, home map[string]*wfv1.WorkflowTemplate) {
	for _, t := range templates {
		if t.DAG == nil {
			continue
		}
		for i := range t.DAG.Tasks {
			task := &t.DAG.Tasks[i]
			if part := home[task.Template]; part != nil && part != in {
				task.TemplateRef = &wfv1.TemplateRef{Name: part.Name, Template: task.Template}
				task.Template = ""
			}
		}
	}
}

// objects returns WorkflowTemplates, or ClusterWorkflowTemplates, as documents.
func objects(parts []*wfv1.WorkflowTemplate, cluster bool) []any {
	var all []any
	for _, p := range parts {
		if cluster {
			p.Kind = "ClusterWorkflowTemplate"
			clusterWide(p.Spec.Templates)
		}
		all = append(all, p)
	}
	return all
}

// clusterWide makes references to WorkflowTemplates those to ClusterWorkflowTemplates.
func clusterWide(templates []wfv1.Template) {
	for _, t := range templates {
		if t.DAG == nil {
			continue
		}
		for i := range t.DAG.Tasks {
			if ref := t.DAG.Tasks[i].TemplateRef; ref != nil {
				ref.ClusterScope = true
			}
		}
	}
}
