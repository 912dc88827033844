package kfp

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"

	rm "github.com/kubeflow/pipelines/backend/api/v2beta1/go_http_client/run_model"

	"github.com/kfpgo/kfpgo/client"
)

// tasks returns the tasks of a run in the order in which they began, without what
// KFP runs beside them: its drivers, and the nodes for their pods and iterations.
func tasks(ds []*rm.V2beta1PipelineTaskDetail) []client.Task {
	skipped := map[time.Time]bool{} // when the pods of cached tasks would have started
	for _, d := range ds {
		if d.DisplayName == "executor" && state(d.State) == client.Skipped && !when(d.StartTime).IsZero() {
			skipped[when(d.StartTime)] = true
		}
	}
	nodes := nodesOf(ds)
	drivers := map[string]*rm.V2beta1PipelineTaskDetail{} // by the path of their task
	var list []client.Task
	for _, d := range ds {
		n := nodes[d]
		if task, ok := strings.CutSuffix(d.DisplayName, "-driver"); ok && n.in != nil {
			drivers[newNode(n.in, task).path()] = d
		}
		if n.hidden {
			continue
		}
		t := client.Task{
			ID: d.TaskID, Path: n.path(), State: state(d.State), Pod: d.PodName, Started: when(d.StartTime), Ended: when(d.EndTime),
		}
		// The server reports that a cached task has succeeded. Its pod was skipped, in
		// the moment in which the task began and ended; one with a pod takes longer.
		if t.State == client.Succeeded && t.Started.Equal(t.Ended) && skipped[t.Started] && len(d.ChildTasks) > 0 {
			t.State = client.Cached
		}
		if d.Error != nil {
			t.Error = d.Error.Message
		}
		for _, ch := range d.ChildTasks {
			t.Pod = cmp.Or(t.Pod, ch.PodName)
		}
		list = append(list, t)
	}
	for i := range list {
		t := &list[i]
		d := drivers[t.Path]
		delete(drivers, t.Path)
		if d != nil && failed(d) && (t.State == "" || t.State == client.Skipped) {
			*t = undriven(d, t.Path)
		}
	}
	for path, d := range drivers { // Argo has no node of a task whose driver failed before one was made
		if failed(d) {
			list = append(list, undriven(d, cmp.Or(path, "root"))) // KFP's name of the pipeline as a task
		}
	}
	slices.SortStableFunc(list, func(a, b client.Task) int {
		return cmp.Or(a.Started.Compare(b.Started), cmp.Compare(a.Path, b.Path))
	})
	return list
}

func failed(d *rm.V2beta1PipelineTaskDetail) bool { return state(d.State) == client.Failed }

// undriven is the task whose driver is d, which failed.
func undriven(d *rm.V2beta1PipelineTaskDetail, path string) client.Task {
	t := client.Task{ID: d.TaskID, Path: path, State: client.Failed, Pod: d.PodName, Started: when(d.StartTime), Ended: when(d.EndTime), Error: "its driver failed; runs logs --all shows why"}
	if d.Error != nil {
		t.Error = "its driver failed: " + d.Error.Message
	}
	return t
}

// A node is one of Argo's, which KFP reports as a task.
type node struct {
	name    string // Argo's, with those of the nodes that it is in
	display string
	in      *node
	step    string // what it adds to the path of a task; "" for nodes that KFP has for itself
	hidden  bool   // it is not a task
}

func newNode(in *node, display string) *node {
	n := &node{name: in.name + "." + display, display: display, in: in, step: display}
	if beside(display) || strings.HasSuffix(display, ".onExit") {
		n.step, n.hidden = "", true
	}
	return n
}

// path returns the names of the groups that a node is in and its own, and of an
// iteration its number, as a local run has them.
func (n *node) path() string {
	if n == nil {
		return ""
	}
	in := n.in.path()
	if in == "" || n.step == "" {
		return in + n.step
	}
	return in + "/" + n.step
}

// nodesOf returns the node of each task. The server gives of a node its display name and
// the IDs of those in it, or after it. An ID is the name of the Workflow and the FNV-1a
// hash of the node's name (Argo's Workflow.NodeID), which is the name of the node that
// it is in, a dot and its display name: so all names are found by trying, from the
// Workflow on. What isn't found is where a newer server says that it is, or at the top.
func nodesOf(ds []*rm.V2beta1PipelineTaskDetail) map[*rm.V2beta1PipelineTaskDetail]*node {
	nodes := map[*rm.V2beta1PipelineTaskDetail]*node{}
	root := &node{hidden: true}
	after := map[string]*node{} // by the IDs that are known
	parent := map[string]*rm.V2beta1PipelineTaskDetail{}
	byTask := map[string]*rm.V2beta1PipelineTaskDetail{}
	var names []string
	iterations := map[string][]string{} // iteration: iteration(0:a), iteration(1:b)
	for _, d := range ds {
		byTask[d.TaskID] = d
		for _, ch := range d.ChildTasks {
			after[ch.PodName] = nil
			if ch.TaskID != "" {
				parent[ch.TaskID] = d
			}
			if strings.HasPrefix(ch.PodName, d.DisplayName+"-") { // it stands for the Workflow
				root.name = d.DisplayName
				nodes[d] = root
			}
		}
		if group, _, ok := strings.Cut(d.DisplayName, "("); ok {
			iterations[group] = append(iterations[group], d.DisplayName)
		} else if d.DisplayName != "" {
			names = append(names, d.DisplayName)
		}
	}
	for _, d := range ds {
		if p := byTask[d.ParentTaskID]; p != nil {
			parent[d.TaskID] = p
		}
	}
	found := map[string][]*node{} // by their display names
	exists := func(n *node) bool {
		hash := fnv.New32a()
		hash.Write([]byte(n.name)) // never fails
		id := fmt.Sprintf("%s-%d", root.name, hash.Sum32())
		if known, ok := after[id]; !ok || known != nil {
			return false
		}
		after[id] = n
		found[n.display] = append(found[n.display], n)
		return true
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for queue := []*node{root}; len(queue) > 0 && root.name != ""; queue = queue[1:] {
		in := queue[0]
		for _, name := range names {
			n := newNode(in, name)
			if !exists(n) {
				continue
			}
			queue = append(queue, n)
			for _, iteration := range slices.Compact(slices.Sorted(slices.Values(iterations[name]))) {
				one := newNode(in, iteration)
				if !exists(one) {
					continue
				}
				one.step, _, _ = strings.Cut(iteration[len(name)+1:], ":")
				one.hidden, n.step, n.hidden = true, "", true
				queue = append(queue, one)
			}
			if _, err := strconv.Atoi(in.step); err == nil && name == "iteration-item" { // all that is in an iteration
				n.step, n.hidden = "", true
			}
		}
	}
	taken := map[*node]bool{}
	take := func(d *rm.V2beta1PipelineTaskDetail, is func(*node) bool) {
		for _, n := range found[d.DisplayName] {
			if nodes[d] == nil && !taken[n] && is(n) {
				nodes[d], taken[n] = n, true
			}
		}
	}
	for _, d := range ds {
		for _, ch := range d.ChildTasks {
			if next := after[ch.PodName]; next != nil {
				take(d, func(n *node) bool { return n == next.in })
				take(d, func(n *node) bool { return n.in == next.in })
			}
		}
	}
	for _, d := range ds { // what nothing is in or after
		take(d, func(*node) bool { return true })
	}
	var place func(*rm.V2beta1PipelineTaskDetail) *node
	place = func(d *rm.V2beta1PipelineTaskDetail) *node {
		if d == nil {
			return root
		}
		if nodes[d] == nil {
			nodes[d] = root // where tasks are in a circle
			nodes[d] = newNode(place(parent[d.TaskID]), d.DisplayName)
		}
		return nodes[d]
	}
	for _, d := range ds {
		place(d)
	}
	return nodes
}

// beside reports whether a name is of what KFP runs for itself.
func beside(name string) bool {
	return name == "" || name == "root" || name == "executor" || name == "driver" || strings.HasSuffix(name, "-driver") ||
		strings.HasPrefix(name, "root.") || strings.HasPrefix(name, "executor(")
}
