package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"time"

	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/internal/net/paging"
)

// A Client is a connection to a server that runs pipelines.
type Client interface {
	// Engine names what the server is: kfp or argo.
	Engine() string
	// Target is what pipelines are compiled for.
	Target() compiler.Target
	// Submit starts a run. Submitting again with the same Token gives the run that
	// the first call started.
	Submit(ctx context.Context, s Submission) (*Run, error)
	// Get returns a run with its tasks.
	Get(ctx context.Context, id string) (*Run, error)
	// List returns one page of runs, without their tasks.
	List(ctx context.Context, o ListOptions) (*Page, error)
	// Logs writes what the steps of a run have written.
	Logs(ctx context.Context, id string, o LogOptions) error
	// Pods returns what Kubernetes knows of the pods of a run.
	Pods(ctx context.Context, id string) ([]*Pod, error)
	// Terminate ends a run; its state is final some seconds later.
	Terminate(ctx context.Context, id string) error
	// Retry runs again what has failed in a run that has ended.
	Retry(ctx context.Context, id string) error
	// Delete forgets a run. It is an error if the run has not ended.
	Delete(ctx context.Context, id string) error
}

// A Submission is a compiled pipeline with what its run needs. [Submit] makes one
// of a pipeline in Go.
type Submission struct {
	Name           string                     // of the run
	Spec           []byte                     // YAML for the client's Target
	Args           map[string]json.RawMessage // by the names of the pipeline's inputs; what isn't there has its default
	Experiment     string                     // KFP: name of the experiment, made if it isn't there; empty: the server's default one
	ServiceAccount string                     // that the pods run as; empty: the server's default
	ArtifactRoot   string                     // KFP: pipeline root; empty: the server's default
	Labels         map[string]string          // Argo: labels of the Workflow
	Token          string                     // says which runs are the same submission; empty: this is a new one
}

// ListOptions say which runs to list.
type ListOptions struct {
	Experiment string // KFP: name or id of an experiment; empty: all
	Schedule   string // name or id of the schedule that started them
	Name       string // exactly this one
	State      State  // only these
	Archived   bool   // KFP: those that are archived, in place of those that aren't
	Filter     string // KFP: a filter of its API, as JSON, beside the others
	Sort       string // field of the API with an optional " desc"; empty: newest first
	Size       int    // of a page; 0: the client's choice
	Page       string // Next of the page before
}

// A Page is some of the runs.
type Page struct {
	Runs  []*Run `json:"runs"`
	Total int    `json:"total,omitempty"` // of all pages, if the server says it
	Next  string `json:"next,omitempty"`  // names the next page; empty: this is the last one
}

// LogOptions say which logs to write, and where to.
type LogOptions struct {
	Out    io.Writer
	Task   string    // path or name of a task; empty: all steps, each line after the name of its task
	Follow bool      // follow the logs until the run has ended
	Since  time.Time // zero: from the beginning
	All    bool      // also what Argo's executor and KFP's launcher write beside the step
	Tail   int       // only so many lines of each step, the last ones; 0: all; with Follow those of the engine count too
}

// Runs returns all runs that the options name, page by page. It ends after the
// first error.
//
//	for r, err := range client.Runs(ctx, c, client.ListOptions{State: client.Failed}) {
func Runs(ctx context.Context, c Client, o ListOptions) iter.Seq2[*Run, error] {
	all := paging.All(ctx, o.Page, func(ctx context.Context, token string) ([]*Run, string, error) {
		o.Page = token
		p, err := c.List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return p.Runs, p.Next, nil
	})
	return func(yield func(*Run, error) bool) {
		for r, err := range all {
			var unending *paging.Error
			if errors.As(err, &unending) {
				err = &Error{Op: "list runs", Code: Internal, Msg: err.Error(), Err: err}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}
