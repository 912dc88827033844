package kubeop

import (
	"cmp"
	"context"
	"net/url"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/kfpgo/kfpgo/internal/text/lazyregexp"
)

// A Pull is how a node got the image of a container.
type Pull struct {
	Took  time.Duration // 0: the image was on the node already
	Bytes int64         // of the image; 0: the node doesn't report it
}

// Pulled returns the pull that took longest among those of a container's image, in the pods
// that a selector finds. It is zero if no node reports one: events end after an hour,
// and the service account may not read them.
func Pulled(ctx context.Context, namespace, selector, container string) (longest Pull) {
	k, err := connect(os.Getenv)
	if err != nil {
		return Pull{}
	}
	ctx, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	for _, p := range k.pods(ctx, namespace, selector) {
		name, _ := textAt(p, "metadata", "name")
		query := url.Values{"fieldSelector": {"involvedObject.kind=Pod,involvedObject.name=" + name + ",reason=Pulled"}}
		path := "/api/v1/namespaces/" + url.PathEscape(cmp.Or(namespace, k.namespace)) + "/events"
		list, _, err := k.once(ctx, request{"GET", path, query, "", nil}, "list events")
		if err != nil {
			return Pull{}
		}
		for _, e := range objects(list, "items") {
			of, _ := textAt(e, "involvedObject", "fieldPath")
			msg, _ := textAt(e, "message")
			if of == "spec.containers{"+container+"}" {
				longest = slices.MaxFunc([]Pull{longest, pullOf(msg)}, func(a, b Pull) int { return cmp.Compare(a.Took, b.Took) })
			}
		}
	}
	return longest
}

var pulledForm = lazyregexp.New(`^Successfully pulled image "[^"]*" in ([0-9a-zµ.]+)(?: .*?Image size: ([0-9]+) bytes)?`)

// pullOf reads what the kubelet says of a pull. Since Kubernetes 1.30 it says how large the
// image is.
func pullOf(message string) (p Pull) {
	m := pulledForm.FindStringSubmatch(message)
	if m == nil {
		return Pull{}
	}
	p.Took, _ = time.ParseDuration(m[1])
	p.Bytes, _ = strconv.ParseInt(m[2], 10, 64)
	return p
}
