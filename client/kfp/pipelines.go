package kfp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/go-openapi/runtime"
	ps "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_client/pipeline_service"
	pm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_model"
	us "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/pipeline_upload_client/pipeline_upload_service"

	"github.com/kfpgo/kfpgo/client"
)

// A Pipeline is a name on the server with versions of a pipeline below it.
type Pipeline struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Namespace   string    `json:"namespace,omitempty"`
	Created     time.Time `json:"created,omitzero"`
}

// A Version is one compiled pipeline that the server keeps.
type Version struct {
	ID          string    `json:"id"`
	Pipeline    string    `json:"pipeline"` // id
	Name        string    `json:"name"`
	Description string    `json:"description,omitempty"`
	Created     time.Time `json:"created,omitzero"`
	Spec        any       `json:"spec,omitempty"` // the compiled pipeline; lists leave it out
}

func pipeline(p *pm.V2beta1Pipeline) *Pipeline {
	return &Pipeline{ID: p.PipelineID, Name: p.DisplayName, Description: p.Description, Namespace: p.Namespace, Created: when(p.CreatedAt)}
}

func version(v *pm.V2beta1PipelineVersion) *Version {
	return &Version{ID: v.PipelineVersionID, Pipeline: v.PipelineID, Name: v.DisplayName, Description: v.Description, Created: when(v.CreatedAt), Spec: v.PipelineSpec}
}

// An Upload is a compiled pipeline with what it is called on the server.
type Upload struct {
	Pipeline    string // name
	Version     string // name; empty: it follows from the content
	Description string
	Spec        []byte // YAML, or a zip or tar.gz archive with one YAML file
}

// Upload brings a pipeline to the server, by name: it makes the pipeline, or adds a
// version to it, or finds that the version is already there. A version that is
// there with another content is an error.
func (c *Client) Upload(ctx context.Context, u Upload) (*Version, client.Change, error) {
	ctx, end := c.limit(ctx)
	defer end()
	op := "upload pipeline " + u.Pipeline
	spec, err := Unpack(u.Spec)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", op, err)
	}
	want, err := object(spec)
	if err != nil {
		return nil, "", fmt.Errorf("%s: %w", op, err)
	}
	if u.Pipeline == "" {
		return nil, "", errors.New("upload a pipeline: it needs a name")
	}
	p, made, err := c.CreatePipeline(ctx, u.Pipeline, u.Description)
	if err != nil {
		return nil, "", err
	}
	name := u.Version
	if name == "" {
		sum := sha256.Sum256(spec)
		name = "sha256-" + hex.EncodeToString(sum[:6])
		// Whoever uploaded it, and however it was called then: it is already there.
		if latest, err := c.LatestVersion(ctx, p.ID); err == nil && equal(latest.Spec, want) {
			return latest, client.Unchanged, nil
		}
	}
	same := func(v *Version) (*Version, client.Change, error) {
		v, err := c.Version(ctx, p.ID, v.ID)
		if err != nil {
			return nil, "", err
		}
		if !equal(v.Spec, want) {
			return nil, "", &client.Error{Op: op, Code: client.Exists, Msg: fmt.Sprintf("version %s is there with another content", name), Advice: "give another --version, or none for one that follows from the content"}
		}
		return v, client.Unchanged, nil
	}
	v, change, err := ensure(ctx, c, op, func(ctx context.Context) (*Version, error) {
		params := us.NewUploadPipelineVersionParams().WithContext(ctx).WithPipelineid(&p.ID).WithName(&name).WithDescription(opt(u.Description)).
			WithUploadfile(runtime.NamedReader("pipeline.yaml", io.NopCloser(bytes.NewReader(spec))))
		ok, err := c.uploads.PipelineUploadService.UploadPipelineVersion(params, nil)
		if err != nil {
			return nil, err
		}
		return &Version{ID: ok.Payload.PipelineVersionID, Pipeline: p.ID, Name: ok.Payload.DisplayName, Description: ok.Payload.Description, Created: when(ok.Payload.CreatedAt)}, nil
	}, func(ctx context.Context) (*Version, error) { return c.versionByName(ctx, p.ID, name) })
	switch {
	case err == nil && change == client.Unchanged:
		return same(v)
	case err == nil && made != client.Created:
		change = client.Updated
	}
	return v, change, err
}

// CreatePipeline makes a pipeline without versions, or returns the one that has the
// name.
func (c *Client) CreatePipeline(ctx context.Context, name, description string) (*Pipeline, client.Change, error) {
	ctx, end := c.limit(ctx)
	defer end()
	return ensure(ctx, c, "create pipeline "+name, func(ctx context.Context) (*Pipeline, error) {
		ok, err := c.pipelines.PipelineService.CreatePipeline(ps.NewCreatePipelineParams().WithContext(ctx).WithBody(
			&pm.V2beta1Pipeline{DisplayName: name, Description: description, Namespace: c.conf.Namespace}), nil)
		if err != nil {
			return nil, err
		}
		return pipeline(ok.Payload), nil
	}, func(ctx context.Context) (*Pipeline, error) { return c.pipelineByName(ctx, name) })
}

// pipelineByName returns nil if there is none.
func (c *Client) pipelineByName(ctx context.Context, name string) (*Pipeline, error) {
	return named(c.Pipelines(ctx, ListOptions{Name: name}), func(p *Pipeline) bool { return p.Name == name })
}

// Pipeline returns a pipeline by its id or its name.
func (c *Client) Pipeline(ctx context.Context, idOrName string) (*Pipeline, error) {
	ctx, end := c.limit(ctx)
	defer end()
	if isID(idOrName) {
		ok, err := c.pipelines.PipelineService.GetPipeline(ps.NewGetPipelineParams().WithContext(ctx).WithPipelineID(idOrName), nil)
		if err == nil {
			return pipeline(ok.Payload), nil
		}
		return nil, c.wrap(err, "get pipeline %s", idOrName)
	}
	p, err := c.pipelineByName(ctx, idOrName)
	if err == nil && p == nil {
		err = c.missing("pipeline", idOrName, "kfpgo pipelines list shows those that are there")
	}
	return p, err
}

// ListPipelines returns one page of pipelines.
func (c *Client) ListPipelines(ctx context.Context, o ListOptions) (list []*Pipeline, next string, err error) {
	ctx, end := c.limit(ctx)
	defer end()
	f, err := o.filter(false)
	if err != nil {
		return nil, "", err
	}
	ok, err := c.pipelines.PipelineService.ListPipelines(ps.NewListPipelinesParams().WithContext(ctx).WithFilter(f).WithNamespace(opt(c.conf.Namespace)).
		WithPageSize(opt(o.size())).WithPageToken(opt(o.Page)).WithSortBy(opt(o.sort())), nil)
	if err != nil {
		return nil, "", c.wrap(err, "list pipelines")
	}
	return each(ok.Payload.Pipelines, pipeline), ok.Payload.NextPageToken, nil
}

// Pipelines returns all pipelines that the options name, page by page.
func (c *Client) Pipelines(ctx context.Context, o ListOptions) iter.Seq2[*Pipeline, error] {
	return pages(ctx, o, c.ListPipelines)
}

// ListVersions returns one page of a pipeline's versions.
func (c *Client) ListVersions(ctx context.Context, pipelineID string, o ListOptions) (list []*Version, next string, err error) {
	ctx, end := c.limit(ctx)
	defer end()
	f, err := o.filter(false)
	if err != nil {
		return nil, "", err
	}
	ok, err := c.pipelines.PipelineService.ListPipelineVersions(ps.NewListPipelineVersionsParams().WithContext(ctx).WithPipelineID(pipelineID).WithFilter(f).
		WithPageSize(opt(o.size())).WithPageToken(opt(o.Page)).WithSortBy(opt(o.sort())), nil)
	if err != nil {
		return nil, "", c.wrap(err, "list versions of pipeline %s", pipelineID)
	}
	return each(ok.Payload.PipelineVersions, version), ok.Payload.NextPageToken, nil
}

// Versions returns all versions of a pipeline that the options name, page by page.
func (c *Client) Versions(ctx context.Context, pipelineID string, o ListOptions) iter.Seq2[*Version, error] {
	return pages(ctx, o, func(ctx context.Context, o ListOptions) ([]*Version, string, error) {
		return c.ListVersions(ctx, pipelineID, o)
	})
}

func (c *Client) versionByName(ctx context.Context, pipelineID, name string) (*Version, error) {
	return named(c.Versions(ctx, pipelineID, ListOptions{Name: name}), func(v *Version) bool { return v.Name == name })
}

// Version returns a version of a pipeline by its id or its name.
func (c *Client) Version(ctx context.Context, pipelineID, idOrName string) (*Version, error) {
	ctx, end := c.limit(ctx)
	defer end()
	id, err := c.versionID(ctx, pipelineID, idOrName)
	if err != nil {
		return nil, err
	}
	ok, err := c.pipelines.PipelineService.GetPipelineVersion(ps.NewGetPipelineVersionParams().WithContext(ctx).WithPipelineID(pipelineID).WithPipelineVersionID(id), nil)
	if err != nil {
		return nil, c.wrap(err, "get version %s", idOrName)
	}
	return version(ok.Payload), nil
}

func (c *Client) versionID(ctx context.Context, pipelineID, idOrName string) (string, error) {
	if isID(idOrName) {
		return idOrName, nil
	}
	v, err := c.versionByName(ctx, pipelineID, idOrName)
	if err == nil && v == nil {
		err = c.missing("version", idOrName, "kfpgo pipelines versions PIPELINE shows those that are there")
	}
	if err != nil {
		return "", err
	}
	return v.ID, nil
}

// LatestVersion returns the newest version of a pipeline.
func (c *Client) LatestVersion(ctx context.Context, pipelineID string) (*Version, error) {
	list, _, err := c.ListVersions(ctx, pipelineID, ListOptions{Size: 1})
	if err != nil {
		return nil, err
	}
	if len(list) == 0 {
		return nil, &client.Error{Op: "get the newest version", Code: client.NotFound, Msg: "pipeline " + pipelineID + " has no versions", Advice: "upload one"}
	}
	return c.Version(ctx, pipelineID, list[0].ID)
}

// DeletePipeline deletes a pipeline, by id or name, with all of its versions. Runs
// stay, and recurring runs of its versions fail from then on.
func (c *Client) DeletePipeline(ctx context.Context, idOrName string) error {
	ctx, end := c.limit(ctx)
	defer end()
	p, err := c.Pipeline(ctx, idOrName)
	if err != nil {
		return err
	}
	for { // KFP refuses to delete one that has versions
		var all []*Version
		for v, err := range c.Versions(ctx, p.ID, ListOptions{}) {
			if err != nil {
				return err
			}
			all = append(all, v)
		}
		if len(all) == 0 {
			break
		}
		for _, v := range all {
			if err := c.DeleteVersion(ctx, p.ID, v.ID); err != nil {
				return err
			}
		}
	}
	_, err = c.pipelines.PipelineService.DeletePipeline(ps.NewDeletePipelineParams().WithContext(ctx).WithPipelineID(p.ID), nil)
	return c.wrap(err, "delete pipeline %s", idOrName)
}

// DeleteVersion deletes a version of a pipeline, by id or name.
func (c *Client) DeleteVersion(ctx context.Context, pipelineID, idOrName string) error {
	id := func(ctx context.Context, name string) (string, error) { return c.versionID(ctx, pipelineID, name) }
	return c.with(ctx, "delete", "version", idOrName, id, func(ctx context.Context, id string) error {
		_, err := c.pipelines.PipelineService.DeletePipelineVersion(ps.NewDeletePipelineVersionParams().WithContext(ctx).WithPipelineID(pipelineID).WithPipelineVersionID(id), nil)
		return err
	})
}

// pipelineName returns the name that a compiled pipeline has of its own.
func pipelineName(spec any) string {
	m, _ := spec.(map[string]any)
	if inner, ok := m["pipeline_spec"].(map[string]any); ok {
		m = inner
	}
	info, _ := m["pipelineInfo"].(map[string]any)
	name, _ := info["name"].(string)
	return name
}
