package kubeop

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/kfpgo/kfpgo/internal/net/web"
)

// lookForPods is how often new pods are looked for.
const lookForPods = 2 * time.Second

// follow writes the logs of the containers of the pods that a selector finds,
// with the pod's name in front of each line, until it is stopped.
// What has gone wrong with a pod is kept in troubles: operators delete pods that have
// failed, before anybody could ask.
func (k *client) follow(ctx context.Context, namespace, selector string, troubles *sync.Map) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	var all sync.WaitGroup
	var lock sync.Mutex // of the log
	seen := map[string]bool{}
	look := func(ctx context.Context, more bool) {
		for _, p := range k.pods(ctx, namespace, selector) {
			name, _ := textAt(p, "metadata", "name")
			note(troubles, p)
			state, _ := textAt(p, "status", "phase")
			containers := objects(p, "spec", "containers")
			for _, c := range containers {
				container, _ := textAt(c, "name")
				key := name + "/" + container
				if state == "Pending" || seen[key] {
					continue
				}
				seen[key] = true
				prefix := name
				if len(containers) > 1 {
					prefix = key
				}
				all.Go(func() {
					k.stream(ctx, namespace, name, container, prefix, more, &lock)
					if more {
						k.watchEnd(ctx, namespace, name, troubles)
					}
				})
			}
		}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			look(ctx, true)
			if sleep(ctx, lookForPods) != nil {
				return
			}
		}
	}()
	return func() {
		end, endNow := context.WithTimeout(context.WithoutCancel(ctx), askTime)
		defer endNow()
		time.AfterFunc(time.Second, cancel) // what has been written already
		<-done
		all.Wait()
		look(end, false) // pods that were quicker than the looks
		all.Wait()
		cancel()
	}
}

// watchEnd looks at a pod whose log has ended until it says how: the node reports that to the
// API a moment later.
func (k *client) watchEnd(ctx context.Context, namespace, pod string, troubles *sync.Map) {
	path := "/api/v1/namespaces/" + url.PathEscape(cmp.Or(namespace, k.namespace)) + "/pods/" + url.PathEscape(pod)
	for range 15 {
		p, _, err := k.once(ctx, request{"GET", path, nil, "", nil}, "get pod "+pod)
		if err != nil || note(troubles, p) || sleep(ctx, lookForPods/10) != nil {
			return
		}
		if state, _ := textAt(p, "status", "phase"); state == "Succeeded" {
			return
		}
	}
}

// note keeps the failure of a pod, and says whether it has.
func note(troubles *sync.Map, p map[string]any) bool {
	why := podTrouble(p)
	if !strings.Contains(why, "exit code") {
		return false
	}
	name, _ := textAt(p, "metadata", "name")
	troubles.LoadOrStore(name, why) // what comes after the first is how it was deleted
	return true
}

// stream copies the log of one container.
func (k *client) stream(ctx context.Context, namespace, pod, container, prefix string, follow bool, lock *sync.Mutex) {
	u := k.base + "/api/v1/namespaces/" + url.PathEscape(cmp.Or(namespace, k.namespace)) + "/pods/" + url.PathEscape(pod) +
		"/log?container=" + url.QueryEscape(container)
	if follow {
		u += "&follow=true"
	}
	req, err := http.NewRequestWithContext(ctx, "GET", u, nil)
	if err != nil || k.authorize(req) != nil {
		return
	}
	resp, err := web.Stay(web.Client(k.http.Transport, 0)).Do(req) // no time limit
	if err != nil {
		return
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return
	}
	lines := web.Lines(resp.Body)
	for {
		line, err := web.Line(lines)
		if len(line) > 0 {
			lock.Lock()
			fmt.Fprintf(k.log, "[%s] %s\n", prefix, strings.TrimRight(string(line), "\r\n"))
			lock.Unlock()
		}
		if err != nil {
			return
		}
	}
}
