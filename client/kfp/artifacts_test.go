package kfp

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	pb "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	"google.golang.org/grpc"
	grpccodes "google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/lineage"
)

// metadata is as much of ML Metadata as the client uses, in memory. Lists have two on
// a page, and the first call of each kind finds the server busy.
type metadata struct {
	pb.UnimplementedMetadataStoreServiceServer
	artifacts  []*pb.Artifact
	executions []*pb.Execution
	events     []*pb.Event
	runs       map[int64]string // of executions
	busy       map[string]bool
}

// only returns those that are meant.
func only[T any](all []T, meant func(T) bool) (some []T) {
	for _, one := range all {
		if meant(one) {
			some = append(some, one)
		}
	}
	return some
}

// contextOf returns the id of the context of a run.
func contextOf(run string) int64 {
	if run == "" {
		return 0
	}
	return int64(run[len(run)-1])
}

func (m *metadata) GetArtifacts(_ context.Context, q *pb.GetArtifactsRequest) (*pb.GetArtifactsResponse, error) {
	all := slices.Clone(m.artifacts)
	slices.Reverse(all) // the newest first
	from := 0
	fmt.Sscan(q.GetOptions().GetNextPageToken(), &from)
	r := &pb.GetArtifactsResponse{Artifacts: all[from:min(from+2, len(all))]}
	if from+2 < len(all) {
		r.NextPageToken = proto.String(fmt.Sprint(from + 2))
	}
	return r, nil
}

func (m *metadata) GetArtifactsByType(_ context.Context, q *pb.GetArtifactsByTypeRequest) (*pb.GetArtifactsByTypeResponse, error) {
	return &pb.GetArtifactsByTypeResponse{Artifacts: only(m.artifacts, func(a *pb.Artifact) bool { return a.GetType() == q.GetTypeName() })}, nil
}

func (m *metadata) GetArtifactsByID(_ context.Context, q *pb.GetArtifactsByIDRequest) (*pb.GetArtifactsByIDResponse, error) {
	return &pb.GetArtifactsByIDResponse{Artifacts: only(m.artifacts, func(a *pb.Artifact) bool { return slices.Contains(q.ArtifactIds, a.GetId()) })}, nil
}

func (m *metadata) GetArtifactsByURI(_ context.Context, q *pb.GetArtifactsByURIRequest) (*pb.GetArtifactsByURIResponse, error) {
	return &pb.GetArtifactsByURIResponse{Artifacts: only(m.artifacts, func(a *pb.Artifact) bool { return slices.Contains(q.Uris, a.GetUri()) })}, nil
}

func (m *metadata) GetExecutionsByID(_ context.Context, q *pb.GetExecutionsByIDRequest) (*pb.GetExecutionsByIDResponse, error) {
	return &pb.GetExecutionsByIDResponse{Executions: only(m.executions, func(e *pb.Execution) bool { return slices.Contains(q.ExecutionIds, e.GetId()) })}, nil
}

func (m *metadata) GetContextByTypeAndName(_ context.Context, q *pb.GetContextByTypeAndNameRequest) (*pb.GetContextByTypeAndNameResponse, error) {
	r := &pb.GetContextByTypeAndNameResponse{}
	for _, run := range m.runs {
		if run == q.GetContextName() && q.GetTypeName() == contextOfRuns {
			r.Context = &pb.Context{Id: proto.Int64(contextOf(run)), Name: &run}
		}
	}
	return r, nil
}

func (m *metadata) GetExecutionsByContext(_ context.Context, q *pb.GetExecutionsByContextRequest) (*pb.GetExecutionsByContextResponse, error) {
	r := &pb.GetExecutionsByContextResponse{}
	from := int64(0)
	fmt.Sscan(q.GetOptions().GetNextPageToken(), &from)
	for _, e := range m.executions {
		if contextOf(m.runs[e.GetId()]) == q.GetContextId() && e.GetId() > from {
			if len(r.Executions) == 2 {
				r.NextPageToken = proto.String(fmt.Sprint(r.Executions[1].GetId()))
				break
			}
			r.Executions = append(r.Executions, e)
		}
	}
	return r, nil
}

func (m *metadata) GetContextsByExecution(_ context.Context, q *pb.GetContextsByExecutionRequest) (*pb.GetContextsByExecutionResponse, error) {
	return &pb.GetContextsByExecutionResponse{Contexts: []*pb.Context{
		{Type: proto.String("system.Pipeline"), Name: proto.String("p")}, {Type: proto.String(contextOfRuns), Name: proto.String(m.runs[q.GetExecutionId()])},
	}}, nil
}

func (m *metadata) GetEventsByExecutionIDs(_ context.Context, q *pb.GetEventsByExecutionIDsRequest) (*pb.GetEventsByExecutionIDsResponse, error) {
	return &pb.GetEventsByExecutionIDsResponse{Events: only(m.events, func(ev *pb.Event) bool { return slices.Contains(q.ExecutionIds, ev.GetExecutionId()) })}, nil
}

func (m *metadata) GetEventsByArtifactIDs(_ context.Context, q *pb.GetEventsByArtifactIDsRequest) (*pb.GetEventsByArtifactIDsResponse, error) {
	return &pb.GetEventsByArtifactIDsResponse{Events: only(m.events, func(ev *pb.Event) bool { return slices.Contains(q.ArtifactIds, ev.GetArtifactId()) })}, nil
}

func textProp(s string) *pb.Value { return &pb.Value{Value: &pb.Value_StringValue{StringValue: s}} }
func intProp(n int64) *pb.Value   { return &pb.Value{Value: &pb.Value_IntValue{IntValue: n}} }
func (m *metadata) did(run string, id, up int64, task, kind string, state pb.Execution_State, props map[string]*pb.Value) {
	e := &pb.Execution{Id: &id, Type: &kind, LastKnownState: &state, CreateTimeSinceEpoch: proto.Int64(id * 1000), CustomProperties: map[string]*pb.Value{"task_name": textProp(task)}}
	if up != 0 {
		e.CustomProperties["parent_dag_id"] = intProp(up)
	}
	for k, v := range props {
		e.CustomProperties[k] = v
	}
	m.executions, m.runs[id] = append(m.executions, e), run
}

func (m *metadata) has(id int64, kind, uri string, props map[string]*pb.Value) {
	m.artifacts = append(m.artifacts, &pb.Artifact{Id: &id, Type: &kind, Uri: &uri, CustomProperties: props})
}

func (m *metadata) event(execution, artifact int64, kind pb.Event_Type, name string) {
	m.events = append(m.events, &pb.Event{ExecutionId: &execution, ArtifactId: &artifact, Type: &kind, Path: &pb.Event_Path{Steps: []*pb.Event_Path_Step{{Value: &pb.Event_Path_Step_Key{Key: name}}}}})
}

// serve starts the server, and returns a client that is told where it is.
func (m *metadata) serve(t *testing.T, o Config) *Client { return m.serveAs(t, m, o) }

// serveAs is serve for a server that does some things in another way.
func (m *metadata) serveAs(t *testing.T, as pb.MetadataStoreServiceServer, o Config) *Client {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	srv := grpc.NewServer(grpc.UnaryInterceptor(func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
		if !m.busy[info.FullMethod] {
			m.busy[info.FullMethod] = true
			return nil, status.Error(grpccodes.Unavailable, "busy")
		}
		return handle(ctx, req)
	}))
	pb.RegisterMetadataStoreServiceServer(srv, as)
	go srv.Serve(l)
	t.Cleanup(srv.Stop)
	o.Metadata = l.Addr().String()
	return told(t, o)
}

func told(t *testing.T, o Config) *Client {
	t.Helper()
	o.Endpoint, o.Timeout = "http://127.0.0.1:1", 10*time.Second
	c, err := connect(o, func(string) string { return "" })
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// history has three runs: one that makes a dataset and a model of it in a loop, one
// that takes both from the cache, and one that imports the dataset and makes another model.
func history() *metadata {
	m := &metadata{runs: map[int64]string{}, busy: map[string]bool{}}
	const dag, step, done = "system.DAGExecution", "system.ContainerExecution", pb.Execution_COMPLETE
	in, out := pb.Event_INPUT, pb.Event_OUTPUT
	outputs, _ := structpb.NewStruct(map[string]any{"accuracy": 0.5})
	m.has(1, "system.Dataset", "minio://b/data", map[string]*pb.Value{"display_name": textProp("data"), "rows": intProp(3), storeInfo: textProp("{}")})
	m.has(2, "system.Model", "minio://b/model", nil)
	m.did("run1", 1, 0, "", dag, pb.Execution_RUNNING, nil)
	m.did("run1", 2, 1, "for-loop-1", dag, pb.Execution_RUNNING, nil)
	m.did("run1", 3, 2, "for-loop-1", dag, pb.Execution_RUNNING, map[string]*pb.Value{"iteration_index": intProp(0)})
	m.did("run1", 4, 3, "load", step, done, nil)
	m.did("run1", 5, 3, "train", step, done, map[string]*pb.Value{"outputs": {Value: &pb.Value_StructValue{StructValue: outputs}}})
	m.event(4, 1, out, "data")
	m.event(5, 1, in, "data")
	m.event(5, 2, out, "model")
	m.has(4, "system.Artifact", "minio://b/train/executor-logs-1", nil)
	m.event(5, 4, out, "executor-logs")
	m.event(2, 2, out, "model") // a group hands it on
	m.did("run2", 6, 0, "", dag, pb.Execution_RUNNING, nil)
	m.did("run2", 7, 6, "load", step, pb.Execution_CACHED, nil)
	m.event(7, 1, out, "data")
	m.did("run3", 8, 0, "", dag, pb.Execution_RUNNING, nil)
	m.did("run3", 9, 8, "importer", "system.ImporterExecution", done, nil)
	m.has(3, "system.Artifact", "minio://b/data", nil) // the same object under another id
	m.event(9, 3, out, "artifact")
	m.did("run3", 10, 8, "train", step, pb.Execution_FAILED, nil)
	m.event(10, 3, in, "data")
	return m
}

func TestLineage(t *testing.T) {
	c := history().serve(t, Config{})
	want := `data (system.Dataset) 1
├─ made by run1/for-loop-1/0/load, SUCCEEDED
├─ taken from the cache by run2/load, CACHED
├─ imported by run3/importer, SUCCEEDED
├─ read by run1/for-loop-1/0/train, SUCCEEDED
│  └─ into model (system.Model) 2
└─ read by run3/train, FAILED
`
	for _, ref := range []string{"1", "3", "minio://b/data", "run1/for-loop-1/0/load/data", "run3/importer/artifact"} {
		tr, err := c.Lineage(t.Context(), ref)
		if err != nil {
			t.Fatalf("%s: %v", ref, err)
		}
		if got := tr.Tree(); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", ref, got, want)
		}
		if a := tr.Artifact; fmt.Sprint(a.Also) != "[3]" || fmt.Sprint(a.Metadata) != "map[rows:3]" {
			t.Errorf("%s: %+v", ref, a)
		}
	}
	tr, err := c.Lineage(t.Context(), "run1/for-loop-1/0/train/executor-logs")
	if err != nil || tr.Artifact.ID != "4" {
		t.Errorf("the log of a step: %+v, %v", tr, err)
	}
	tr, err = c.Lineage(t.Context(), "2")
	if err != nil {
		t.Fatal(err)
	}
	if got := tr.Tree(); !strings.HasPrefix(got, "model (system.Model) 2\n└─ made by run1/for-loop-1/0/train, SUCCEEDED\n   └─ from data (system.Dataset) 1\n      └─ made by run1/for-loop-1/0/load, SUCCEEDED\n") {
		t.Errorf("got\n%s", got)
	}
	if e := tr.Up.Execution("5"); e == nil || string(e.Outputs["accuracy"]) != "0.5" {
		t.Errorf("the execution is %+v", e)
	}
}

func TestArtifacts(t *testing.T) {
	c := history().serve(t, Config{})
	ids := func(q lineage.Query) string {
		g, err := c.Artifacts(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, a := range g.Artifacts {
			out = append(out, a.ID+"="+a.Run+"/"+a.Task)
		}
		slices.Sort(out)
		return strings.Join(out, " ")
	}
	for _, q := range []struct {
		q    lineage.Query
		want string
	}{
		{lineage.Query{}, "1=run1/for-loop-1/0/load 2=run1/for-loop-1/0/train"},
		{lineage.Query{Run: "run1"}, "1=run1/for-loop-1/0/load 2=run1/for-loop-1/0/train"},
		{lineage.Query{Run: "run2"}, "1=run2/load"},
		{lineage.Query{Run: "run3"}, "3=run3/importer"},
		{lineage.Query{Type: "system.Model"}, "2=run1/for-loop-1/0/train"},
		{lineage.Query{Type: "system.HTML"}, ""},
	} {
		if got := ids(q.q); got != q.want {
			t.Errorf("%+v: got %q, want %q", q.q, got, q.want)
		}
	}
}

func TestArtifactMistakes(t *testing.T) {
	c := history().serve(t, Config{})
	for _, ref := range []string{"77", "minio://b/none", "run9/a/b", "run1/a/b", "nothing"} {
		if _, err := c.Lineage(t.Context(), ref); client.CodeOf(err) != client.NotFound {
			t.Errorf("%s: %v", ref, err)
		}
	}
	_, err := told(t, Config{}).Artifacts(t.Context(), lineage.Query{})
	if client.CodeOf(err) != client.Precondition || !strings.Contains(err.Error(), "--metadata HOST:PORT, or a kubeconfig") {
		t.Errorf("got %v", err)
	}
	_, err = told(t, Config{Metadata: "127.0.0.1:1"}).Artifacts(t.Context(), lineage.Query{})
	if client.CodeOf(err) != client.Unavailable || !strings.Contains(err.Error(), "this is ML Metadata (given)") {
		t.Errorf("got %v", err)
	}
	for _, err := range c.Files(t.Context(), &lineage.Artifact{ID: "1", URI: "hdfs://b/o"}) {
		if client.CodeOf(err) != client.Unsupported || !strings.Contains(err.Error(), "this one is at hdfs://b/o") {
			t.Errorf("got %v", err)
		}
	}
}

// Where the store of an artifact is: what ML Metadata says of it, what the config map
// says of its bucket, and KFP's own one.
func TestStores(t *testing.T) {
	const providers = `minio:
  default: {endpoint: "minio.one:9000", disableSSL: true, credentials: {fromEnv: false, secretRef: {secretName: s, accessKeyKey: a, secretKeyKey: k}}}
  overrides:
  - {bucketName: other, keyPrefix: deep/, region: r, disableSSL: "true", credentials: {fromEnv: true}}
s3: {}
`
	for name, c := range map[string]struct {
		configMap, info, uri string
		want                 provider
	}{
		"nothing said": {"", "", "minio://b/k", provider{Endpoint: "minio-service.kubeflow:9000", DisableSSL: true, Secret: "mlpipeline-minio-artifact", AccessKey: "accesskey", SecretName: "secretkey"}},
		"amazon":       {"", "", "s3://b/k", provider{FromEnv: true}},
		"a default":    {providers, "", "minio://b/k", provider{Endpoint: "minio.one:9000", DisableSSL: true, Secret: "s", AccessKey: "a", SecretName: "k"}},
		"an override":  {providers, "", "minio://other/deep/k", provider{Endpoint: "minio.one:9000", Region: "r", DisableSSL: true, FromEnv: true}},
		"none of s3":   {providers, "", "s3://b/k", provider{FromEnv: true}},
		"of the artifact": {providers, `{"Provider": "minio", "Params": {"endpoint": "seaweedfs.kubeflow:9000", "disableSSL": "true", "fromEnv": "false", "region": "minio", "secretName": "t", "accessKeyKey": "x", "secretKeyKey": "y"}}`,
			"minio://b/k", provider{Endpoint: "seaweedfs.kubeflow:9000", Region: "minio", DisableSSL: true, Secret: "t", AccessKey: "x", SecretName: "y"}},
	} {
		t.Run(name, func(t *testing.T) {
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/api/v1/namespaces/kubeflow/configmaps/kfp-launcher" || c.configMap == "" {
					w.WriteHeader(404)
					fmt.Fprint(w, `{"message": "not found"}`)
					return
				}
				fmt.Fprintf(w, `{"data": {"providers": %q}}`, c.configMap)
			}))
			defer api.Close()
			file := filepath.Join(t.TempDir(), "kubeconfig")
			conf := "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts: [{name: c, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: \"" + api.URL + "\"}}]\nusers: [{name: u}]\n"
			if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
				t.Fatal(err)
			}
			m := history()
			m.artifacts[0].CustomProperties[storeInfo] = textProp(c.info)
			k := m.serve(t, Config{Kubeconfig: file})
			scheme, rest, _ := strings.Cut(c.uri, "://")
			bucket, key, _ := strings.Cut(rest, "/")
			p, err := k.provider(t.Context(), "test", &lineage.Artifact{ID: "1"}, scheme, bucket, key)
			if err != nil || *p != c.want {
				t.Errorf("got %+v, %v\nwant %+v", p, err, c.want)
			}
		})
	}
}
