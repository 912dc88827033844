package kfp

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	"google.golang.org/protobuf/proto"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

var _ lineage.Store = (*Client)(nil)

// Artifacts returns artifacts that ML Metadata knows.
func (c *Client) Artifacts(ctx context.Context, q lineage.Query) (*lineage.Graph, error) {
	op := "list artifacts"
	if q.Run != "" {
		op += " of run " + q.Run
	}
	g, err := read(ctx, c, op, func(ctx context.Context, m *mlmd) (*lineage.Graph, error) {
		if q.Run != "" {
			if err := m.run(ctx, q.Run); err != nil {
				return nil, err
			}
			return m.graph(), nil
		}
		as, err := m.newest(ctx, q)
		if err == nil {
			err = m.around(ctx, as, makers)
		}
		return m.graph(), err
	})
	if err != nil {
		return nil, err
	}
	return g.Select(q), nil
}

// Lineage returns an artifact with its past and its future, as ML Metadata knows them
// of all runs.
func (c *Client) Lineage(ctx context.Context, ref string) (*lineage.Trace, error) {
	return read(ctx, c, "find artifact "+ref, func(ctx context.Context, m *mlmd) (*lineage.Trace, error) {
		as, err := m.find(ctx, ref)
		if err != nil {
			return nil, err
		}
		for _, up := range []bool{true, false} {
			if err := m.walk(ctx, as, up); err != nil {
				return nil, err
			}
		}
		g := m.graph()
		a, err := g.Find(strconv.FormatInt(as[0].GetId(), 10))
		if err != nil {
			return nil, err
		}
		return g.Trace(a), nil
	})
}

// read asks ML Metadata.
func read[T any](ctx context.Context, c *Client, op string, ask func(context.Context, *mlmd) (T, error)) (got T, err error) {
	ctx, end := c.limit(ctx)
	defer end()
	m, err := c.metadata(op)
	if err != nil {
		return got, err
	}
	defer m.close()
	if got, err = ask(ctx, m); err != nil {
		return got, m.explain(err)
	}
	return got, nil
}

// newest returns the newest artifacts, or those of a type.
func (m *mlmd) newest(ctx context.Context, q lineage.Query) (all []*pb.Artifact, err error) {
	o := &pb.ListOperationOptions{
		MaxResultSize: proto.Int32(100),
		OrderByField:  &pb.ListOperationOptions_OrderByField{Field: pb.ListOperationOptions_OrderByField_CREATE_TIME.Enum(), IsAsc: proto.Bool(false)},
	}
	for a, err := range paging.All(ctx, "", func(ctx context.Context, token string) ([]*pb.Artifact, string, error) {
		o.NextPageToken = opt(token)
		if q.Type != "" {
			r, err := m.api.GetArtifactsByType(ctx, &pb.GetArtifactsByTypeRequest{TypeName: &q.Type, Options: o})
			return r.GetArtifacts(), r.GetNextPageToken(), err
		}
		r, err := m.api.GetArtifacts(ctx, &pb.GetArtifactsRequest{Options: o})
		return r.GetArtifacts(), r.GetNextPageToken(), err
	}) {
		if err != nil {
			return nil, err
		}
		if !isLog(a) {
			all = append(all, a)
		}
		if q.Max > 0 && len(all) >= q.Max {
			break
		}
	}
	return all, nil
}

// find returns the artifacts that a string names: one by its id, all of a URI, or an
// output of a run's task.
func (m *mlmd) find(ctx context.Context, ref string) ([]*pb.Artifact, error) {
	m.logs = strings.Contains(ref, "/"+executorLogs)
	var as []*pb.Artifact
	if id, err := strconv.ParseInt(ref, 10, 64); err == nil {
		r, err := m.api.GetArtifactsByID(ctx, &pb.GetArtifactsByIDRequest{ArtifactIds: []int64{id}})
		if err != nil {
			return nil, err
		}
		as = r.Artifacts
	} else if strings.Contains(ref, "://") {
		if as, err = m.ofURI(ctx, ref); err != nil {
			return nil, err
		}
	} else if run, _, ok := strings.Cut(ref, "/"); ok {
		if err := m.run(ctx, run); err != nil {
			return nil, err
		}
		a, err := m.graph().Find(ref)
		if err != nil {
			return nil, &client.Error{Op: m.op, Code: client.NotFound, Msg: err.Error(), Err: err}
		}
		id, err := strconv.ParseInt(a.ID, 10, 64)
		if err != nil {
			return nil, err
		}
		as = []*pb.Artifact{m.artifacts[id]}
	}
	m.logs = m.logs || slices.ContainsFunc(as, isLog)
	if len(as) == 0 {
		err := &lineage.NotFoundError{Ref: ref, Many: 1}
		return nil, &client.Error{Op: m.op, Code: client.NotFound, Msg: err.Error(), Err: err}
	}
	return as, nil
}

func (m *mlmd) ofURI(ctx context.Context, uris ...string) ([]*pb.Artifact, error) {
	r, err := m.api.GetArtifactsByURI(ctx, &pb.GetArtifactsByURIRequest{Uris: uris})
	if err != nil {
		return nil, err
	}
	return r.Artifacts, nil
}

// executorLogs is the output that KFP 2.17 adds to every step, with its log; a retry
// adds its number to the URI. Lists and lineage leave it out, but for one that somebody
// names.
const executorLogs = "executor-logs"

func isLog(a *pb.Artifact) bool {
	rest, ok := strings.CutPrefix(path.Base(a.GetUri()), executorLogs)
	return ok && strings.Trim(rest, "-0123456789") == ""
}

// makers chooses the events of what an artifact comes from, and readers the others.
func makers(ev *pb.Event) bool  { return writes(ev) }
func readers(ev *pb.Event) bool { return !writes(ev) }

// writes reports whether an event says that an execution has made an artifact.
func writes(ev *pb.Event) bool {
	switch ev.GetType() {
	case pb.Event_OUTPUT, pb.Event_DECLARED_OUTPUT, pb.Event_INTERNAL_OUTPUT:
		return true
	}
	return false
}

// walk reads what artifacts come from, and what that comes from; or, down, what they
// went into, and what that went into.
func (m *mlmd) walk(ctx context.Context, as []*pb.Artifact, up bool) error {
	toward, onward := makers, readers
	if !up {
		toward, onward = readers, makers
	}
	done := map[int64]bool{}
	for len(as) > 0 {
		fresh, err := m.alike(ctx, as, done)
		if err != nil {
			return err
		}
		if err := m.around(ctx, fresh, toward); err != nil {
			return err
		}
		var ids []int64
		for _, ev := range m.events {
			at := walked{ev.GetExecutionId(), up}
			if done[ev.GetArtifactId()] && toward(ev) && !m.walked[at] {
				m.walked[at] = true
				ids = append(ids, at.execution)
			}
		}
		more, err := m.eventsOf(ctx, ids)
		if err != nil {
			return err
		}
		next := map[int64]bool{}
		for _, ev := range more {
			if onward(ev) {
				m.addEvent(ev)
				next[ev.GetArtifactId()] = true
			}
		}
		if as, err = m.byID(ctx, next); err != nil {
			return err
		}
	}
	return nil
}

// alike returns artifacts with those that have the same URIs, and which are the same
// therefore, without those in done.
func (m *mlmd) alike(ctx context.Context, as []*pb.Artifact, done map[int64]bool) (fresh []*pb.Artifact, err error) {
	var uris []string
	for _, a := range as {
		if a.GetUri() != "" && !done[a.GetId()] {
			uris = append(uris, a.GetUri())
		}
	}
	for part := range slices.Chunk(uris, 100) {
		same, err := m.ofURI(ctx, part...)
		if err != nil {
			return nil, err
		}
		as = append(as, same...)
	}
	for _, a := range as {
		if !done[a.GetId()] {
			done[a.GetId()] = true
			fresh = append(fresh, a)
		}
	}
	return fresh, nil
}

// explain explains an error of ML Metadata.
func (m *mlmd) explain(err error) error {
	var known *client.Error
	if errors.As(err, &known) {
		return err
	}
	e := &client.Error{Op: m.op, Server: m.at, Code: codeOf(err), Msg: textOf(err), Err: err}
	switch e.Code {
	case client.Unavailable, client.Timeout:
		e.Advice = fmt.Sprintf("this is ML Metadata (%s); give its address with --metadata HOST:PORT", m.from)
	case client.Unsupported:
		e.Advice = "the address is not that of ML Metadata's gRPC server"
	}
	return e
}
