package kfp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"net"
	"os"
	"slices"
	"strconv"
	"time"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	"google.golang.org/grpc"
	grpccodes "google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/gateway"
	"github.com/kfpgo/kfpgo/client/internal/portforward"
	"github.com/kfpgo/kfpgo/internal/net/paging"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// mlmd is a connection to ML Metadata, and what has been read of it.
type mlmd struct {
	op, at, from string
	api          pb.MetadataStoreServiceClient
	close        func()

	artifacts  map[int64]*pb.Artifact
	executions map[int64]*pb.Execution
	events     []*pb.Event
	known      map[eventKey]bool
	runs       map[int64]string // of executions
	walked     map[walked]bool
	logs       bool // artifacts with logs of steps count too
}

type eventKey struct {
	execution, artifact int64
	kind                pb.Event_Type
	name                string
	index               int64
}

// walked says that an execution has been passed, and in which direction.
type walked struct {
	execution int64
	up        bool
}

// metadata connects to the ML Metadata of the server.
func (c *Client) metadata(op string) (*mlmd, error) {
	m := &mlmd{
		op: op, artifacts: map[int64]*pb.Artifact{}, executions: map[int64]*pb.Execution{}, known: map[eventKey]bool{}, runs: map[int64]string{}, walked: map[walked]bool{},
	}
	dial := new(net.Dialer).DialContext
	end := func() {}
	_, in, err := c.conf.service()
	if err != nil {
		return nil, err
	}
	switch m.at = c.conf.Metadata; {
	case m.at != "":
		m.from = cmp.Or(c.conf.env.Used("KFPGO_METADATA"), "given")
	case os.Getenv("KUBERNETES_SERVICE_HOST") != "":
		m.at, m.from = "metadata-grpc-service."+in+":8080", "the service in this cluster"
	default:
		m.at = "metadata-grpc-service." + in + ":8080"
		m.from = "its service, through kubeconfig " + c.reaching().Kubeconfig
	}
	if portforward.Outside(m.at) {
		d, err := c.forwarder(op, "ML Metadata, which is the service "+m.at+"; give its address with --metadata HOST:PORT")
		if err != nil {
			return nil, err
		}
		dial, end = d.DialContext, d.Close
	}
	conn, err := grpc.NewClient("passthrough:///"+m.at, grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) { return dial(ctx, "tcp", address) }),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(web.MaxAnswer), grpc.WaitForReady(false)), grpc.WithUnaryInterceptor(again))
	if err != nil {
		end()
		return nil, &client.Error{Op: op, Code: client.Invalid, Msg: err.Error(), Err: err}
	}
	m.api, m.close = pb.NewMetadataStoreServiceClient(conn), func() { conn.Close(); end() }
	return m, nil
}

// forwarder reaches services of the server's cluster, which takes a kubeconfig.
func (c *Client) forwarder(op, what string) (*portforward.Dialer, error) {
	o := c.reaching()
	if o.Kubeconfig == "" {
		return nil, &client.Error{Op: op, Code: client.Precondition, Msg: "the API of KFP doesn't have this: kfpgo asks " + what + ", or a kubeconfig of its cluster with --kubeconfig FILE or KUBECONFIG"}
	}
	conf, _, err := o.kubernetes()
	if err != nil {
		return nil, err
	}
	return portforward.New(conf)
}

// again makes a call a few times: all are reads.
func again(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, o ...grpc.CallOption) error {
	for try := 1; ; try++ {
		err := invoke(ctx, method, req, reply, cc, o...)
		if code := status.Code(err); err == nil || try == 4 || code != grpccodes.Unavailable && code != grpccodes.Aborted || !gateway.Sleep(ctx, gateway.Pause(try)) {
			return err
		}
	}
}

func codeOf(err error) client.Code {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return client.Timeout
	case errors.Is(err, context.Canceled):
		return client.Internal
	}
	return cmp.Or(gateway.Codes[int(status.Code(err))], client.Internal)
}

func textOf(err error) string {
	if s, ok := status.FromError(err); ok {
		return s.Message()
	}
	return err.Error()
}

const contextOfRuns = "system.PipelineRun"

// run reads what a run has done.
func (m *mlmd) run(ctx context.Context, id string) error {
	kind := contextOfRuns
	r, err := m.api.GetContextByTypeAndName(ctx, &pb.GetContextByTypeAndNameRequest{TypeName: &kind, ContextName: &id})
	if err != nil {
		return err
	}
	if r.Context == nil {
		return &client.Error{Op: m.op, Code: client.NotFound, Msg: "ML Metadata knows no run " + id, Advice: "runs go by their ids, and a run is known once its driver has started"}
	}
	var ids []int64
	for e, err := range paging.All(ctx, "", func(ctx context.Context, token string) ([]*pb.Execution, string, error) {
		o := &pb.ListOperationOptions{MaxResultSize: proto.Int32(100), NextPageToken: opt(token)}
		r, err := m.api.GetExecutionsByContext(ctx, &pb.GetExecutionsByContextRequest{ContextId: r.Context.Id, Options: o})
		return r.GetExecutions(), r.GetNextPageToken(), err
	}) {
		if err != nil {
			return err
		}
		m.executions[e.GetId()], m.runs[e.GetId()] = e, id
		ids = append(ids, e.GetId())
	}
	evs, err := m.eventsOf(ctx, ids)
	if err != nil {
		return err
	}
	of := map[int64]bool{}
	for _, ev := range evs {
		m.addEvent(ev)
		of[ev.GetArtifactId()] = true
	}
	_, err = m.byID(ctx, of)
	return err
}

// eventsOf returns the events of executions, and knows those.
func (m *mlmd) eventsOf(ctx context.Context, executions []int64) (all []*pb.Event, err error) {
	for part := range slices.Chunk(executions, 200) {
		r, err := m.api.GetEventsByExecutionIDs(ctx, &pb.GetEventsByExecutionIDsRequest{ExecutionIds: part})
		if err != nil {
			return nil, err
		}
		all = append(all, r.Events...)
	}
	return all, nil
}

// byID reads artifacts.
func (m *mlmd) byID(ctx context.Context, ids map[int64]bool) (all []*pb.Artifact, err error) {
	var missing []int64
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		if a := m.artifacts[id]; a != nil {
			all = append(all, a)
		} else {
			missing = append(missing, id)
		}
	}
	for part := range slices.Chunk(missing, 200) {
		r, err := m.api.GetArtifactsByID(ctx, &pb.GetArtifactsByIDRequest{ArtifactIds: part})
		if err != nil {
			return nil, err
		}
		for _, a := range r.Artifacts {
			m.artifacts[a.GetId()] = a
			all = append(all, a)
		}
	}
	return all, nil
}

// maxDepth is how many groups of tasks are within each other at the most.
const maxDepth = 100

// around reads the events of artifacts that are chosen, with their executions, the
// runs of those and the groups that they are in.
func (m *mlmd) around(ctx context.Context, as []*pb.Artifact, choose func(*pb.Event) bool) error {
	var ids []int64
	for _, a := range as {
		m.artifacts[a.GetId()] = a
		ids = append(ids, a.GetId())
	}
	want := map[int64]bool{}
	for part := range slices.Chunk(ids, 200) {
		r, err := m.api.GetEventsByArtifactIDs(ctx, &pb.GetEventsByArtifactIDsRequest{ArtifactIds: part})
		if err != nil {
			return err
		}
		for _, ev := range r.Events {
			if choose(ev) {
				m.addEvent(ev)
				want[ev.GetExecutionId()] = true
			}
		}
	}
	for depth := 0; len(want) > 0 && depth < maxDepth; depth++ { // a server may name ever more groups
		var missing []int64
		for _, id := range slices.Sorted(maps.Keys(want)) {
			if m.executions[id] == nil {
				missing = append(missing, id)
			}
		}
		want = map[int64]bool{}
		for part := range slices.Chunk(missing, 200) {
			r, err := m.api.GetExecutionsByID(ctx, &pb.GetExecutionsByIDRequest{ExecutionIds: part})
			if err != nil {
				return err
			}
			for _, e := range r.Executions {
				m.executions[e.GetId()] = e
				if err := m.runOf(ctx, e.GetId()); err != nil {
					return err
				}
				if up := parent(e); up != 0 {
					want[up] = true // its name is part of the path
				}
			}
		}
	}
	return nil
}

// runOf reads which run an execution is of.
func (m *mlmd) runOf(ctx context.Context, id int64) error {
	r, err := m.api.GetContextsByExecution(ctx, &pb.GetContextsByExecutionRequest{ExecutionId: &id})
	if err != nil {
		return err
	}
	for _, c := range r.Contexts {
		if c.GetType() == contextOfRuns {
			m.runs[id] = c.GetName()
		}
	}
	return nil
}

func (m *mlmd) addEvent(ev *pb.Event) {
	k := eventKey{execution: ev.GetExecutionId(), artifact: ev.GetArtifactId(), kind: ev.GetType()}
	k.name, k.index = place(ev)
	if !m.known[k] {
		m.known[k] = true
		m.events = append(m.events, ev)
	}
}

// place returns the input or output that an event is of, and where in its list.
func place(ev *pb.Event) (name string, index int64) {
	for _, s := range ev.GetPath().GetSteps() {
		switch v := s.Value.(type) {
		case *pb.Event_Path_Step_Key:
			name = cmp.Or(name, v.Key)
		case *pb.Event_Path_Step_Index:
			index = v.Index
		}
	}
	return name, index
}

// moment returns a time of ML Metadata.
func moment(ms int64) time.Time {
	if ms == 0 {
		return time.Time{}
	}
	return time.UnixMilli(ms).UTC()
}

// plainValue returns a property as JSON has it.
func plainValue(v *pb.Value) any {
	switch v := v.GetValue().(type) {
	case *pb.Value_IntValue:
		return v.IntValue
	case *pb.Value_DoubleValue:
		return v.DoubleValue
	case *pb.Value_StringValue:
		return v.StringValue
	case *pb.Value_StructValue:
		return v.StructValue.AsMap()
	}
	return nil
}

func name64(id int64) string { return strconv.FormatInt(id, 10) }
