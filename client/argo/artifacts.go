package argo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	wfv1 "github.com/argoproj/argo-workflows/v3/pkg/apis/workflow/v1alpha1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/target/argo"
)

var _ lineage.Store = (*Client)(nil)

// Artifacts returns the artifacts of the Workflows of the namespace.
func (c *Client) Artifacts(ctx context.Context, q lineage.Query) (*lineage.Graph, error) {
	if q.Run != "" {
		if _, err := c.workflow(ctx, "artifacts of run "+q.Run, q.Run); err != nil {
			return nil, err
		}
	}
	g, err := c.graph(ctx, "list artifacts")
	if err != nil {
		return nil, err
	}
	return g.Select(q), nil
}

// Lineage returns an artifact with its past and its future, in all Workflows of the
// namespace that there still are.
func (c *Client) Lineage(ctx context.Context, ref string) (*lineage.Trace, error) {
	op := "find artifact " + ref
	g, err := c.graph(ctx, op)
	if err != nil {
		return nil, err
	}
	a, err := g.Find(ref)
	if err != nil {
		code := client.Invalid
		if errors.As(err, new(*lineage.NotFoundError)) {
			code = client.NotFound
		}
		return nil, &client.Error{Op: op, Code: code, Msg: err.Error(), Advice: "the namespace is " + c.namespace, Err: err}
	}
	return g.Trace(a), nil
}

// graph reads all Workflows.
func (c *Client) graph(ctx context.Context, op string) (*lineage.Graph, error) {
	b := lineage.NewBuilder()
	err := c.workflows(ctx, op, "", func(w *wfv1.Workflow) error {
		if err := c.whole(w); err != nil {
			b.Missing("%v", err)
			return nil
		}
		if w.Status.OffloadNodeStatusVersion != "" && len(w.Status.Nodes) == 0 {
			b.Missing("Workflow %s: its nodes are in the database of Argo's controller, which the API of Kubernetes doesn't have", w.Name)
		}
		addWorkflow(b, w)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return b.Graph(), nil
}

// whole unpacks the nodes of a Workflow that is too large to keep them as they are.
func (c *Client) whole(w *wfv1.Workflow) error {
	if w.Status.CompressedNodes != "" && len(w.Status.Nodes) == 0 {
		nodes, err := unpack(w.Status.CompressedNodes)
		if err != nil {
			return fmt.Errorf("the nodes of Workflow %s: %w", w.Name, err)
		}
		w.Status.Nodes = nodes
	}
	return nil
}

// addWorkflow adds what a Workflow has done.
func addWorkflow(b *lineage.Builder, w *wfv1.Workflow) {
	importers := map[string]bool{}
	for _, n := range w.Status.Nodes {
		if n.DisplayName == "kfpgo-nothing" {
			importers[n.BoundaryID] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(w.Status.Nodes)) {
		n := w.Status.Nodes[id]
		path, ok := pathOf(w, &n)
		leaf := n.Type == wfv1.NodeTypePod || n.Type == wfv1.NodeTypeRetry || n.Type == wfv1.NodeTypeContainer || n.Type == wfv1.NodeTypeHTTP || n.Type == wfv1.NodeTypePlugin
		if !ok || !leaf && !importers[n.ID] {
			continue
		}
		if n.Type == wfv1.NodeTypeRetry && len(n.Children) > 0 && (n.Inputs == nil || len(n.Inputs.Artifacts) == 0) {
			n.Inputs = w.Status.Nodes[n.Children[len(n.Children)-1]].Inputs
		}
		addNode(b, w, &n, path, importers[n.ID])
	}
}

// addNode adds what a task has done, which is a pod or the import of an artifact.
func addNode(b *lineage.Builder, w *wfv1.Workflow, n *wfv1.NodeStatus, path string, importer bool) {
	e := &lineage.Execution{
		ID: w.Name + "/" + path, Run: w.Name, Pipeline: w.Labels[labelPipeline], Task: path, Kind: strings.ToLower(string(n.Type)),
		State: string(stateOf(string(n.Phase))), Started: instant(n.StartedAt), Ended: instant(n.FinishedAt),
	}
	if e.State == string(client.Skipped) {
		return
	}
	wrote := lineage.Made
	switch {
	case importer:
		wrote, e.Kind = lineage.Imported, "importer"
	case n.Type == wfv1.NodeTypeRetry:
		e.Kind = "pod"
	}
	if n.MemoizationStatus != nil && n.MemoizationStatus.Hit && e.State == string(client.Succeeded) {
		wrote, e.State = lineage.Reused, string(client.Cached)
	}
	type1 := types(n)
	if in := n.Inputs; in != nil {
		params := argo.Values(in.Parameters)
		e.Inputs = own(params)
		for i := range in.Artifacts {
			a := &in.Artifacts[i]
			_, list := params[a.Name+"-dir"]
			switch {
			case importer:
			case list:
				for i, found := range listed(w, params, a) {
					found.Type = type1[a.Name]
					b.Event(e, lineage.Read, a.Name, i, found)
				}
			default:
				if found, ok := artifactOf(w, a, params); ok {
					found.Type = type1[a.Name]
					b.Event(e, lineage.Read, a.Name, 0, found)
				}
			}
		}
	}
	if out := n.Outputs; out != nil {
		params := argo.Values(out.Parameters)
		e.Outputs = own(params)
		for i := range out.Artifacts {
			if found, ok := artifactOf(w, &out.Artifacts[i], params); ok && out.Artifacts[i].Name != "main-logs" {
				found.Type = type1[out.Artifacts[i].Name]
				b.Event(e, wrote, out.Artifacts[i].Name, 0, found)
			}
		}
	}
	b.Execution(e)
}

// own returns the parameters that are the task's, without those that accompany
// artifacts.
func own(params map[string]json.RawMessage) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for name, v := range params {
		base := name
		for _, suffix := range []string{"-meta", "-key", "-dir", "-uri"} {
			base = strings.TrimSuffix(base, suffix)
		}
		_, companion := params[base+"-meta"]
		if name != "kfpgo-path" && (base == name || !companion) {
			out[name] = v
		}
	}
	return out
}

// types returns the schema titles of a step's artifacts, by the names of its inputs
// and outputs, as its executor input has them. Containers have none.
func types(n *wfv1.NodeStatus) map[string]string {
	out := map[string]string{}
	if n.Inputs == nil {
		return out
	}
	i := slices.IndexFunc(n.Inputs.Artifacts, func(a wfv1.Artifact) bool { return a.Name == "kfpgo-input" && a.Raw != nil })
	if i < 0 {
		return out
	}
	type ports struct {
		Artifacts map[string]struct {
			Artifacts []struct{ Type struct{ SchemaTitle string } }
		}
	}
	var in struct{ Inputs, Outputs ports }
	if json.Unmarshal([]byte(n.Inputs.Artifacts[i].Raw.Data), &in) != nil {
		return out
	}
	for _, p := range []ports{in.Outputs, in.Inputs} {
		for name, as := range p.Artifacts {
			if len(as.Artifacts) > 0 {
				out[name] = as.Artifacts[0].Type.SchemaTitle
			}
		}
	}
	return out
}

// artifactOf returns what a node says of an artifact. It reports false for one that
// the run has not got.
func artifactOf(w *wfv1.Workflow, a *wfv1.Artifact, params map[string]json.RawMessage) (out lineage.Artifact, ok bool) {
	if out.URI = uriOf(w, &a.ArtifactLocation); out.URI == "" || strings.HasSuffix(out.URI, "/kfpgo-none") {
		return out, false
	}
	var text string
	if json.Unmarshal(params[a.Name+"-uri"], &text) == nil && strings.Contains(text, "://") && !strings.HasPrefix(out.URI, "s3://") {
		out.URI = text // as its importer was given it
	}
	_ = json.Unmarshal(params[a.Name+"-meta"], &out.Metadata)
	if len(out.Metadata) == 0 {
		out.Metadata = nil
	}
	out.Name = a.Name
	return out, true
}

// listed returns the artifacts of a list, which are known by their keys.
func listed(w *wfv1.Workflow, params map[string]json.RawMessage, a *wfv1.Artifact) (out []lineage.Artifact) {
	var keys, metas []string
	if json.Unmarshal(params[a.Name+"-key"], &keys) != nil {
		return nil
	}
	_ = json.Unmarshal(params[a.Name+"-meta"], &metas)
	for i, key := range keys {
		one := lineage.Artifact{Name: a.Name, URI: uriOf(w, &wfv1.ArtifactLocation{S3: &wfv1.S3Artifact{Key: w.Name + "/" + key}})}
		if i < len(metas) {
			_ = json.Unmarshal([]byte(metas[i]), &one.Metadata)
		}
		out = append(out, one)
	}
	return out
}
