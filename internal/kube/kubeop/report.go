package kubeop

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// askTime is how long it may take to find out what happened.
const askTime = 10 * time.Second

// lastEvents is how many events of an object an error has.
const lastEvents = 5

// reason returns what an object says of its own state: its message, and its
// conditions that aren't as they should be.
func reason(obj map[string]any) string {
	var parts []string
	say := func(s string) {
		if s = strings.TrimSpace(s); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	for _, path := range [][]string{
		{"status", "message"}, {"status", "description"}, // Seldon's
		{"status", "modelStatus", "lastFailureInfo", "reason"}, {"status", "modelStatus", "lastFailureInfo", "message"}, // KServe's
	} {
		if s, ok := textAt(obj, path...); ok {
			say(s)
		}
	}
	for _, c := range objects(obj, "status", "conditions") {
		typ, _ := textAt(c, "type")
		status, _ := textAt(c, "status")
		why, _ := textAt(c, "reason")
		msg, _ := textAt(c, "message")
		if bad := badCondition(typ); msg == "" && why == "" || bad != (status == "True") {
			continue
		}
		say(typ + "=" + status + " " + strings.TrimSpace(why+": "+msg))
	}
	if state, ok := at(obj, "status", "state"); ok {
		m, _ := state.(map[string]any) // Volcano's
		phase, _ := textAt(m, "phase")
		why, _ := textAt(m, "reason")
		msg, _ := textAt(m, "message")
		say(strings.TrimSpace(phase + " " + why + " " + msg))
	}
	if len(parts) == 0 {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}

// badCondition reports whether a condition is bad news when it is true.
func badCondition(typ string) bool {
	t := strings.ToLower(typ)
	return strings.Contains(t, "fail") || strings.Contains(t, "pressure") || strings.Contains(t, "suspend") || strings.Contains(t, "error")
}

// phase returns a word or two for the state of an object, for its progress.
func phase(obj map[string]any) string {
	for _, path := range [][]string{{"status", "phase"}, {"status", "state", "phase"}, {"status", "state"}, {"status", "progress"}} {
		if s, ok := textAt(obj, path...); ok && s != "" {
			if p, ok := textAt(obj, "status", "progress"); ok && path[1] != "progress" {
				s += " " + p
			}
			return s
		}
	}
	var on []string
	for _, c := range objects(obj, "status", "conditions") {
		if c["status"] == "True" {
			t, _ := textAt(c, "type")
			on = append(on, t)
		}
	}
	return strings.Join(on, ", ")
}

// events returns the last events of an object, newest last, as text.
func (k *client) events(ctx context.Context, l *location) string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTime)
	defer cancel()
	query := url.Values{"fieldSelector": {"involvedObject.kind=" + l.kind + ",involvedObject.name=" + l.name}}
	path := "/api/v1/namespaces/" + url.PathEscape(cmp.Or(l.namespace, k.namespace)) + "/events"
	list, _, err := k.once(ctx, request{"GET", path, query, "", nil}, "list events")
	if err != nil {
		return "" // the service account may not read them, and what failed is said already
	}
	items, _ := list["items"].([]any)
	slices.SortStableFunc(items, func(a, b any) int { return cmp.Compare(eventTime(a), eventTime(b)) })
	var lines []string
	for _, e := range items {
		typ, _ := textAt(e, "type")
		why, _ := textAt(e, "reason")
		msg, _ := textAt(e, "message")
		line := fmt.Sprintf("\n  event %s %s: %s", typ, why, strings.TrimSpace(msg))
		lines = append(slices.DeleteFunc(lines, func(l string) bool { return l == line }), line) // each once, where it was last
	}
	return strings.Join(lines[max(0, len(lines)-lastEvents):], "")
}

func eventTime(e any) string {
	last, _ := textAt(e, "lastTimestamp")
	at, _ := textAt(e, "eventTime")
	return cmp.Or(last, at)
}

// troubles returns the failures of the pods that a selector finds, and of
// pods that were deleted.
func (k *client) troubles(namespace, selector string, before *sync.Map) string {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	var b strings.Builder
	for _, p := range k.pods(ctx, namespace, selector) {
		name, _ := textAt(p, "metadata", "name")
		why := podTrouble(p)
		if was, ok := before.LoadAndDelete(name); ok {
			why, _ = was.(string)
		}
		if why == "" {
			continue
		}
		fmt.Fprintf(&b, "\n  pod %s: %s", name, why)
		b.WriteString(k.events(ctx, &location{kind: "Pod", name: name, namespace: namespace}))
	}
	var gone []string
	before.Range(func(name, why any) bool {
		gone = append(gone, fmt.Sprintf("\n  pod %s, which is gone: %s", name, why))
		return true
	})
	slices.Sort(gone)
	return b.String() + strings.Join(gone, "")
}

// podTrouble says why a pod doesn't run or has failed; empty: it is well.
func podTrouble(p map[string]any) string {
	var parts []string
	state, _ := textAt(p, "status", "phase")
	if why, ok := textAt(p, "status", "reason"); ok {
		msg, _ := textAt(p, "status", "message")
		parts = append(parts, strings.TrimSpace(why+" "+msg))
	}
	for _, kind := range []string{"initContainerStatuses", "containerStatuses"} {
		for _, c := range objects(p, "status", kind) {
			name, _ := textAt(c, "name")
			for _, state := range []string{"lastState", "state"} { // one that was restarted has ended before
				if code, ok := at(c, state, "terminated", "exitCode"); ok && text(code) != "0" {
					why, _ := textAt(c, state, "terminated", "reason")
					msg, _ := textAt(c, state, "terminated", "message")
					part := strings.TrimSpace(fmt.Sprintf("container %s: %s, exit code %s %s", name, cmp.Or(why, "it ended"), text(code), msg))
					if !slices.Contains(parts, part) {
						parts = append(parts, part)
					}
				}
			}
			if why, ok := textAt(c, "state", "waiting", "reason"); ok && why != "ContainerCreating" && why != "PodInitializing" {
				msg, _ := textAt(c, "state", "waiting", "message")
				parts = append(parts, strings.TrimSpace(fmt.Sprintf("container %s waits: %s %s", name, why, msg)))
			}
		}
	}
	if state == "Pending" && len(parts) == 0 {
		for _, c := range objects(p, "status", "conditions") {
			if msg, _ := textAt(c, "message"); c["status"] == "False" && msg != "" {
				parts = append(parts, msg)
			}
		}
	}
	if state == "Failed" && len(parts) == 0 {
		parts = append(parts, "it has failed")
	}
	return strings.Join(parts, "; ")
}

func (k *client) pods(ctx context.Context, namespace, selector string) (pods []map[string]any) {
	path := "/api/v1/namespaces/" + url.PathEscape(cmp.Or(namespace, k.namespace)) + "/pods"
	list, _, err := k.once(ctx, request{"GET", path, url.Values{"labelSelector": {selector}}, "", nil}, "list pods")
	if err != nil {
		return nil
	}
	pods = objects(list, "items")
	slices.SortFunc(pods, func(a, b map[string]any) int {
		x, _ := textAt(a, "metadata", "name")
		y, _ := textAt(b, "metadata", "name")
		return cmp.Compare(x, y)
	})
	return pods
}
