// Package kubepods reads what Kubernetes knows of the pods of a run: their states,
// events and logs. It speaks to the API itself, since the types of Kubernetes would
// make each command start slower.
package kubepods

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// An API is the API server of a cluster.
type API struct {
	Base string // URL
	HTTP http.RoundTripper
}

// A Pod is what matters of a pod here.
type Pod struct {
	Name      string            `json:"name"`
	Phase     string            `json:"phase"`
	Labels    map[string]string `json:"-"`
	Notes     map[string]string `json:"-"` // annotations
	Reason    string            `json:"reason,omitempty"`
	Waits     []string          `json:"waits,omitempty"` // why it doesn't run, in Kubernetes' words
	Node      string            `json:"node,omitempty"`
	Created   time.Time         `json:"created,omitzero"`
	Container string            `json:"-"` // whose log is the step's
	Events    []Event           `json:"events,omitempty"`
}

// An Event is one that Kubernetes has recorded about a pod.
type Event struct {
	Type    string    `json:"type"`
	Reason  string    `json:"reason"`
	Message string    `json:"message"`
	Count   int       `json:"count,omitempty"`
	Last    time.Time `json:"last,omitzero"`
}

// An Error is an answer of Kubernetes that is one.
type Error struct {
	Status  int
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("kubernetes: %s (%d)", e.Message, e.Status) }

func (a *API) get(ctx context.Context, path string, query url.Values) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.Base+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, err
	}
	res, err := a.HTTP.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if res.StatusCode == http.StatusOK {
		return res, nil
	}
	defer res.Body.Close()
	b, _ := io.ReadAll(io.LimitReader(res.Body, 1<<16))
	var s struct{ Message string }
	if json.Unmarshal(b, &s) != nil || s.Message == "" {
		s.Message = http.StatusText(res.StatusCode)
	}
	return nil, &Error{res.StatusCode, s.Message}
}

func (a *API) list(ctx context.Context, path string, query url.Values, into any) error {
	res, err := a.get(ctx, path, query)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	b, err := web.Read(res)
	if err == nil {
		err = web.Decode(res.Header, b, into)
	}
	if err != nil {
		return fmt.Errorf("kubernetes: %w", err)
	}
	return nil
}

type podList struct {
	Items []struct {
		Metadata struct {
			Name              string
			Labels            map[string]string
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

// Pods returns the pods that a selector of labels chooses, the oldest first.
func (a *API) Pods(ctx context.Context, namespace, selector string) ([]*Pod, error) {
	var l podList
	if err := a.list(ctx, "/api/v1/namespaces/"+url.PathEscape(namespace)+"/pods", url.Values{"labelSelector": {selector}}, &l); err != nil {
		return nil, err
	}
	var pods []*Pod
	for _, i := range l.Items {
		p := &Pod{
			Name: i.Metadata.Name, Phase: i.Status.Phase, Labels: i.Metadata.Labels, Notes: i.Metadata.Annotations,
			Reason: strings.Trim(i.Status.Reason+": "+i.Status.Message, ": "), Node: i.Spec.NodeName, Created: i.Metadata.CreationTimestamp,
		}
		for _, c := range i.Spec.Containers {
			if p.Container == "" || c.Name == "main" {
				p.Container = c.Name
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
	slices.SortStableFunc(pods, func(a, b *Pod) int { return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.Name, b.Name)) })
	return pods, nil
}

// Describe adds the events of pods to them.
func (a *API) Describe(ctx context.Context, namespace string, pods []*Pod) error {
	var l struct {
		Items []struct {
			InvolvedObject        struct{ Kind, Name string }
			Type, Reason, Message string
			Count                 int
			LastTimestamp         *time.Time
			EventTime             *time.Time
		}
	}
	if err := a.list(ctx, "/api/v1/namespaces/"+url.PathEscape(namespace)+"/events", url.Values{"fieldSelector": {"involvedObject.kind=Pod"}}, &l); err != nil {
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
		e := Event{Type: i.Type, Reason: i.Reason, Message: i.Message, Count: i.Count}
		if i.LastTimestamp != nil {
			e.Last = *i.LastTimestamp
		} else if i.EventTime != nil {
			e.Last = *i.EventTime
		}
		p.Events = append(p.Events, e)
	}
	for _, p := range pods {
		slices.SortStableFunc(p.Events, func(a, b Event) int { return a.Last.Compare(b.Last) })
	}
	return nil
}

// Log writes the log of a pod's step.
func (a *API) Log(ctx context.Context, namespace string, p *Pod, follow bool, since time.Time, tail int, w io.Writer) error {
	q := url.Values{"container": {p.Container}}
	if follow {
		q.Set("follow", "true")
	}
	if !since.IsZero() {
		q.Set("sinceTime", since.UTC().Format(time.RFC3339))
	}
	if tail > 0 {
		q.Set("tailLines", strconv.Itoa(tail))
	}
	res, err := a.get(ctx, "/api/v1/namespaces/"+url.PathEscape(namespace)+"/pods/"+url.PathEscape(p.Name)+"/log", q)
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

// Prefixed returns writers that share one, each of which puts a prefix before its
// lines. A line is written whole, and one of more than 256 kB as several.
type Prefixed struct {
	W  io.Writer
	mu sync.Mutex
}

// Copy copies lines, without those that hide, which may be nil, reports. If tail isn't
// 0, it copies only so many, the last ones, when all are read.
func (p *Prefixed) Copy(prefix string, r io.Reader, hide func(line string) bool, tail int) error {
	b := web.Lines(r)
	var kept []string
	for {
		line, err := web.Line(b)
		if len(line) > 0 && (hide == nil || !hide(string(line))) {
			kept = append(kept, prefix+strings.TrimSuffix(string(line), "\n")+"\n")
			kept = kept[max(0, len(kept)-max(tail, 1)):]
		}
		if tail == 0 || err != nil {
			p.mu.Lock()
			_, werr := io.WriteString(p.W, strings.Join(kept, ""))
			p.mu.Unlock()
			if kept = nil; werr != nil {
				return werr
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}
