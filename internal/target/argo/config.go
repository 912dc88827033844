package argo

import (
	"encoding/json"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/internal/model/program"
	"github.com/kfpgo/kfpgo/internal/text/quantity"
)

// The workspace: the name of its volume and where tasks find it, as on KFP.
const (
	workspaceVolume = "kfp-workspace"
	workspacePath   = "/kfp-workspace"
)

// config sets what concerns the whole pipeline.
func (b *builder) config(main *program.Component, spec *wfv1.WorkflowSpec) {
	if b.p.Root != "" && b.o.ArtifactRoot == "" {
		b.refuseAt("config.root", main.Pos, "")
	}
	c := b.p.Config
	if c == nil {
		return
	}
	set := func(seconds int64) *int32 {
		if seconds == 0 {
			return nil
		}
		n := int32(seconds)
		return &n
	}
	if ttl := (wfv1.TTLStrategy{
		SecondsAfterCompletion: set(c.TTL), SecondsAfterSuccess: set(c.TTLOnSuccess), SecondsAfterFailure: set(c.TTLOnFailure),
	}); ttl != (wfv1.TTLStrategy{}) {
		spec.TTLStrategy = &ttl
	}
	if c.Deadline != 0 {
		spec.ActiveDeadlineSeconds = &c.Deadline
	}
	b.argoConfig(main, c.Argo, spec)
	if c.Workspace != nil {
		spec.VolumeClaimTemplates = []corev1.PersistentVolumeClaim{b.workspace(main, c.Workspace)}
		spec.VolumeClaimGC = &wfv1.VolumeClaimGC{Strategy: wfv1.VolumeClaimGCOnCompletion}
	}
}

// workspace returns the claim that Argo makes for each run and deletes after it.
func (b *builder) workspace(main *program.Component, w *program.Workspace) corev1.PersistentVolumeClaim {
	claim := corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: workspaceVolume}}
	if w.Patch != nil {
		d := json.NewDecoder(strings.NewReader(string(w.Patch)))
		d.DisallowUnknownFields()
		if err := d.Decode(&claim.Spec); err != nil {
			b.errorAt(main.Pos, "pipeline %s: the Patch of its Workspace is not that of the spec of a PersistentVolumeClaim: %v", b.p.Name, err)
		}
	}
	if claim.Spec.AccessModes == nil {
		claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	}
	size, err := resource.ParseQuantity(w.Size)
	if err != nil {
		_, err = quantity.Parse(w.Size)
		b.errorAt(main.Pos, "pipeline %s: the Size of its Workspace: %v", b.p.Name, err)
		return claim
	}
	if claim.Spec.Resources.Requests == nil {
		claim.Spec.Resources.Requests = corev1.ResourceList{}
	}
	if _, patched := claim.Spec.Resources.Requests[corev1.ResourceStorage]; !patched {
		claim.Spec.Resources.Requests[corev1.ResourceStorage] = size
	}
	return claim
}

// mountWorkspace gives the pod the workspace, if there is one.
func (l *leaf) mountWorkspace() {
	if l.p.Config != nil && l.p.Config.Workspace != nil {
		l.t.Container.VolumeMounts = append(l.t.Container.VolumeMounts, corev1.VolumeMount{Name: workspaceVolume, MountPath: workspacePath})
	}
}

// scheduled is the expression for the time of a run's schedule, in RFC 3339 and UTC; for
// a run that no schedule has started, the time of its start, as on KFP.
const scheduled = "(workflow.scheduledTime ?? workflow.creationTimestamp.RFC3339)"

// ofRun returns the expression for the text of what a run knows of itself.
func (s *scope) ofRun(name string) string {
	switch name {
	case "pipeline_job_name", "pipeline_job_resource_name":
		return "workflow.name"
	case "pipeline_job_uuid":
		return "workflow.uid"
	case "pipeline_job_create_time_utc":
		return "workflow.creationTimestamp.RFC3339"
	case "pipeline_task_name":
		return literal(s.task.Name)
	case "pipeline_root":
		if s.o.ArtifactRoot != "" {
			return literal(strings.TrimSuffix(s.o.ArtifactRoot, "/")+"/") + " + workflow.name"
		}
		s.errorf("it uses dsl.ArtifactRoot: say where the cluster keeps artifacts with --artifact-root, such as s3://my-bucket")
	case "workspace_path":
		if s.p.Config != nil && s.p.Config.Workspace != nil {
			return literal(workspacePath)
		}
		s.errorf("it uses the workspace of the run, and the pipeline has none")
	case "pipeline_task_uuid":
		s.refuse("run.pipeline_task_uuid")
	case "pipeline_job_schedule_time_utc":
		return scheduled
	default:
		s.refuse("run.unknown")
	}
	return "''"
}

// runPiece returns what a placeholder in a container stands for that the run
// knows of itself: plain tags, which hold clean names.
func (l *leaf) runPiece(name string) (pc piece, err string) {
	switch name {
	case "pipeline_job_name", "pipeline_job_resource_name":
		return piece{tags: "{{workflow.name}}"}, ""
	case "pipeline_job_uuid":
		return piece{tags: "{{workflow.uid}}"}, ""
	case "pipeline_job_create_time_utc":
		return piece{tags: "{{=workflow.creationTimestamp.RFC3339}}"}, ""
	case "pipeline_task_name":
		return piece{text: l.task.Name}, ""
	case "workspace_path":
		if l.p.Config != nil && l.p.Config.Workspace != nil {
			return piece{text: workspacePath}, ""
		}
		return piece{}, "the pipeline has no workspace"
	case "pipeline_root":
		if l.o.ArtifactRoot != "" {
			return piece{tags: strings.TrimSuffix(l.o.ArtifactRoot, "/") + "/{{workflow.name}}"}, ""
		}
		return piece{}, "say where the cluster keeps artifacts with --artifact-root, such as s3://my-bucket"
	case "pipeline_task_uuid":
		if l.comp.Exec.Container != nil {
			return piece{tags: "{{pod.name}}"}, ""
		}
		return piece{}, "an object has no pod; use dsl.RunID and dsl.TaskName"
	case "pipeline_job_schedule_time_utc":
		return piece{tags: tag(scheduled)}, ""
	}
	l.refuse("run.unknown")
	return piece{}, ""
}
