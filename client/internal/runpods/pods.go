// Package runpods has the functions of all clients for the pods of a
// run: write their logs, and describe their state in Kubernetes.
package runpods

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/internal/kubeapi"
	"github.com/kfpgo/kfpgo/internal/net/web"
)

// A Run says where the pods of a run are.
type Run struct {
	Client    client.Client
	ID        string
	Name      string // for errors
	API       *kubeapi.Client
	Namespace string
	Selector  string // of labels
}

// A Pod is what matters of a pod here.
type Pod struct {
	client.Pod
	Notes     map[string]string // annotations
	created   time.Time
	container string // whose log is the step's
}

// Pods returns the pods with their events, and with the tasks that they run.
func (r *Run) Pods(ctx context.Context, task func(*Pod) string) ([]*client.Pod, error) {
	pods, err := r.list(ctx)
	if err == nil {
		err = r.describe(ctx, pods)
	}
	if err != nil {
		return nil, &client.Error{Op: "pods of run " + r.Name, Code: client.Internal, Msg: err.Error(), Err: err}
	}
	var all []*client.Pod
	for _, p := range pods {
		p.Task = task(p)
		all = append(all, &p.Pod)
	}
	return all, nil
}

// open asks for objects of a kind, or a part of one.
func (r *Run) open(ctx context.Context, kind, name string, query url.Values) (*http.Response, error) {
	res, err := r.API.Open(ctx, r.path(kind, query, name))
	return res, explain(err)
}

func (r *Run) path(kind string, query url.Values, below string) string {
	return kubeapi.Path(r.Namespace, kind, "") + below + "?" + query.Encode()
}

// explain says which server has given an answer that is an error; none has where the
// request came to nothing.
func explain(err error) error {
	var failed *url.Error
	if err == nil || errors.As(err, &failed) {
		return web.Bare(err)
	}
	return fmt.Errorf("kubernetes: %w", err)
}

func (r *Run) get(ctx context.Context, kind string, query url.Values, into any) error {
	return explain(r.API.Get(ctx, r.path(kind, query, ""), into))
}

type podList struct {
	Items []struct {
		Metadata struct {
			Name              string
			Annotations       map[string]string
			CreationTimestamp time.Time
		}
		Spec struct {
			NodeName   string
			Containers []struct{ Name string }
		}
		Status struct {
			Phase, Reason, Message string
			Conditions             []struct{ Type, Status, Reason, Message string }
			ContainerStatuses      []containerStatus
			InitContainerStatuses  []containerStatus
		}
	}
}

type containerStatus struct {
	Name  string
	State struct {
		Waiting    *struct{ Reason, Message string }
		Terminated *struct {
			Reason, Message string
			ExitCode        int
		}
	}
}

// list returns the pods that the selector chooses, the oldest first.
func (r *Run) list(ctx context.Context) ([]*Pod, error) {
	var l podList
	if err := r.get(ctx, "pods", url.Values{"labelSelector": {r.Selector}}, &l); err != nil {
		return nil, err
	}
	var pods []*Pod
	for _, i := range l.Items {
		p := &Pod{Notes: i.Metadata.Annotations, created: i.Metadata.CreationTimestamp, Pod: client.Pod{
			Name: i.Metadata.Name, Phase: i.Status.Phase, Reason: strings.Trim(i.Status.Reason+": "+i.Status.Message, ": "), Node: i.Spec.NodeName,
		}}
		for _, c := range i.Spec.Containers {
			if p.container == "" || c.Name == "main" {
				p.container = c.Name
			}
		}
		for _, c := range i.Status.Conditions {
			if c.Status == "False" && c.Message != "" && (c.Type == "PodScheduled" || p.Phase == "Pending" && c.Type != "Ready" && c.Type != "ContainersReady") {
				p.Waits = append(p.Waits, c.Reason+": "+c.Message)
			}
		}
		for _, c := range slices.Concat(i.Status.InitContainerStatuses, i.Status.ContainerStatuses) {
			if w := c.State.Waiting; w != nil && w.Reason != "PodInitializing" && w.Reason != "ContainerCreating" {
				p.Waits = append(p.Waits, strings.TrimSuffix(fmt.Sprintf("container %s: %s: %s", c.Name, w.Reason, w.Message), ": "))
			}
			if e := c.State.Terminated; e != nil && e.ExitCode != 0 && p.Reason == "" {
				p.Reason = strings.TrimSuffix(fmt.Sprintf("container %s ended with %d: %s: %s", c.Name, e.ExitCode, e.Reason, e.Message), ": ")
			}
		}
		pods = append(pods, p)
	}
	slices.SortStableFunc(pods, func(a, b *Pod) int { return cmp.Or(a.created.Compare(b.created), strings.Compare(a.Name, b.Name)) })
	return pods, nil
}

// describe adds the events of pods to them.
func (r *Run) describe(ctx context.Context, pods []*Pod) error {
	var l struct {
		Items []struct {
			InvolvedObject        struct{ Kind, Name string }
			Type, Reason, Message string
			Count                 int
			LastTimestamp         *time.Time
			EventTime             *time.Time
		}
	}
	if err := r.get(ctx, "events", url.Values{"fieldSelector": {"involvedObject.kind=Pod"}}, &l); err != nil {
		return err
	}
	byName := map[string]*Pod{}
	for _, p := range pods {
		byName[p.Name] = p
	}
	for _, i := range l.Items {
		p := byName[i.InvolvedObject.Name]
		if p == nil {
			continue
		}
		e := client.Event{Type: i.Type, Reason: i.Reason, Message: i.Message, Count: max(i.Count, 1)}
		if i.LastTimestamp != nil {
			e.Last = *i.LastTimestamp
		} else if i.EventTime != nil {
			e.Last = *i.EventTime
		}
		p.Events = append(p.Events, e)
	}
	for _, p := range pods {
		slices.SortStableFunc(p.Events, func(a, b client.Event) int { return a.Last.Compare(b.Last) })
	}
	return nil
}

// log writes the log of a pod's step: only so many lines, the last ones, if tail isn't 0.
func (r *Run) log(ctx context.Context, p *Pod, o client.LogOptions, tail int, w io.Writer) error {
	q := url.Values{"container": {p.container}}
	if o.Follow {
		q.Set("follow", "true")
	}
	if !o.Since.IsZero() {
		q.Set("sinceTime", o.Since.UTC().Format(time.RFC3339))
	}
	if tail > 0 {
		q.Set("tailLines", strconv.Itoa(tail))
	}
	res, err := r.open(ctx, "pods", "/"+url.PathEscape(p.Name)+"/log", q)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if kind := res.Header.Get("Content-Type"); strings.HasPrefix(kind, "text/html") {
		return fmt.Errorf("kubernetes: the log of pod %s comes as a page (%.40q): a proxy or a login page has answered", p.Name, kind)
	}
	_, err = io.Copy(w, res.Body)
	return err
}
