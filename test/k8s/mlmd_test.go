package k8s

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	mlmd "github.com/kubeflow/pipelines/third_party/ml-metadata/go/ml_metadata"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/encoding/protojson"
	"gopkg.in/yaml.v3"
)

// An execution is what ML Metadata holds of a task, or of a group of them.
type execution struct {
	id, parent int64
	index      int64 // of the iteration, from 0; -1: it is none
	name       string
	state      mlmd.Execution_State
	outputs    map[string]json.RawMessage
	files      map[string]string // URIs of output artifacts
}

// A record is all that ML Metadata holds of a run.
type record []*execution

// recordOf reads what KFP's driver and launcher have written of a run.
func recordOf(ctx context.Context, run string) (record, error) {
	conn, err := grpc.NewClient("passthrough:///127.0.0.1:8080", grpc.WithTransportCredentials(insecure.NewCredentials()), grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64<<20)))
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	c := mlmd.NewMetadataStoreServiceClient(conn)
	kind := "system.PipelineRun"
	of, err := c.GetContextByTypeAndName(ctx, &mlmd.GetContextByTypeAndNameRequest{TypeName: &kind, ContextName: &run})
	if err != nil || of.Context == nil {
		return nil, fmt.Errorf("ML Metadata knows no run %s: %v", run, err)
	}
	all, err := c.GetExecutionsByContext(ctx, &mlmd.GetExecutionsByContextRequest{ContextId: of.Context.Id})
	if err != nil {
		return nil, err
	}
	var r record
	ids := []int64{}
	for _, e := range all.Executions {
		p := e.CustomProperties
		x := &execution{id: e.GetId(), parent: p["parent_dag_id"].GetIntValue(), index: -1, name: p["task_name"].GetStringValue(), state: e.GetLastKnownState(), files: map[string]string{}}
		if i := p["iteration_index"]; i != nil {
			x.index = i.GetIntValue()
		}
		if s := p["outputs"].GetStructValue(); s != nil {
			b, err := protojson.Marshal(s)
			if err == nil {
				err = json.Unmarshal(b, &x.outputs)
			}
			if err != nil {
				return nil, err
			}
		}
		r, ids = append(r, x), append(ids, x.id)
	}
	slices.SortFunc(r, func(a, b *execution) int { return cmp.Compare(a.id, b.id) })
	return r, r.addFiles(ctx, c, ids)
}

func (r record) addFiles(ctx context.Context, c mlmd.MetadataStoreServiceClient, ids []int64) error {
	events, err := c.GetEventsByExecutionIDs(ctx, &mlmd.GetEventsByExecutionIDsRequest{ExecutionIds: ids})
	if err != nil {
		return err
	}
	var made []int64
	for _, e := range events.Events {
		made = append(made, e.GetArtifactId())
	}
	artifacts, err := c.GetArtifactsByID(ctx, &mlmd.GetArtifactsByIDRequest{ArtifactIds: made})
	if err != nil {
		return err
	}
	uri := map[int64]string{}
	for _, a := range artifacts.Artifacts {
		if !strings.HasSuffix(a.GetType(), "Metrics") { // they are metadata, and need no file
			uri[a.GetId()] = a.GetUri()
		}
	}
	for _, e := range events.Events {
		if e.GetType() != mlmd.Event_OUTPUT || len(e.GetPath().GetSteps()) == 0 {
			continue
		}
		for _, x := range r {
			if x.id == e.GetExecutionId() {
				x.files[e.GetPath().Steps[0].GetKey()] = uri[e.GetArtifactId()]
			}
		}
	}
	return nil
}

func (r record) find(parent int64, name string) *execution {
	for _, x := range r {
		if x.parent == parent && x.name == name && x.index < 0 {
			return x
		}
	}
	return nil
}

// A spec is the part of IR that says where outputs come from.
type spec struct {
	Components map[string]component
	Root       component
}

type component struct {
	Dag *struct {
		Outputs struct {
			Parameters map[string]struct {
				ValueFromParameter selector `yaml:"valueFromParameter"`
				ValueFromOneof     struct {
					ParameterSelectors []selector `yaml:"parameterSelectors"`
				} `yaml:"valueFromOneof"`
			}
		}
		Tasks map[string]struct {
			ComponentRef      struct{ Name string } `yaml:"componentRef"`
			ParameterIterator *yaml.Node            `yaml:"parameterIterator"`
		}
	}
}

type selector struct {
	ProducerSubtask    string `yaml:"producerSubtask"`
	OutputParameterKey string `yaml:"outputParameterKey"`
}

// outputs returns the pipeline's outputs, from what its tasks have written: KFP 2.0
// records none of groups and pipelines.
func (r record) outputs(t testing.TB, ir string) map[string]any {
	t.Helper()
	var s spec
	if err := yaml.Unmarshal([]byte(strings.Split(ir, "\n---\n")[0]), &s); err != nil {
		t.Fatal(err)
	}
	all := map[string]any{}
	for _, x := range r {
		if x.parent != 0 {
			continue
		}
		for name := range s.Root.Dag.Outputs.Parameters {
			if v, ok := r.output(t, s, s.Root, x.id, name); ok {
				all[name] = v
			}
		}
	}
	return all
}

func (r record) output(t testing.TB, s spec, c component, dag int64, name string) (any, bool) {
	from := c.Dag.Outputs.Parameters[name]
	for _, sel := range append(from.ValueFromOneof.ParameterSelectors, from.ValueFromParameter) {
		x := r.find(dag, sel.ProducerSubtask)
		if x == nil || sel.ProducerSubtask == "" {
			continue
		}
		if task := c.Dag.Tasks[sel.ProducerSubtask]; s.Components[task.ComponentRef.Name].Dag == nil {
			if v, ok := x.outputs[sel.OutputParameterKey]; ok {
				return value(t, string(v)), true
			}
		} else if inner := s.Components[task.ComponentRef.Name]; task.ParameterIterator == nil {
			if v, ok := r.output(t, s, inner, x.id, sel.OutputParameterKey); ok {
				return v, true
			}
		} else {
			list := []any{}
			var each []*execution
			for _, i := range r {
				if i.parent == x.id && i.index >= 0 {
					each = append(each, i)
				}
			}
			slices.SortFunc(each, func(a, b *execution) int { return cmp.Compare(a.index, b.index) })
			for _, i := range each {
				if v, ok := r.output(t, s, inner, i.id, sel.OutputParameterKey); ok {
					list = append(list, v)
				}
			}
			return list, true
		}
	}
	return nil, false
}

// stored fails unless each artifact that ML Metadata knows is in the store.
func (r record) stored() error {
	for _, x := range r {
		for name, uri := range x.files {
			if x.state != mlmd.Execution_COMPLETE || !strings.HasPrefix(uri, "minio://") {
				continue
			}
			bucket, key, _ := strings.Cut(strings.TrimPrefix(uri, "minio://"), "/")
			resp, err := http.Get("http://10.250.0.1:9000/" + bucket + "?list-type=2&prefix=" + url.QueryEscape(key))
			if err != nil {
				return err
			}
			b, err := io.ReadAll(resp.Body)
			resp.Body.Close()
			if err != nil || !strings.Contains(string(b), "<Key>"+key) {
				return fmt.Errorf("artifact %s of %s isn't in the store: %s: %s %s", name, x.name, uri, resp.Status, b)
			}
		}
	}
	return nil
}
