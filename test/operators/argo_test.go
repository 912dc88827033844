package operators

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kfpgo/kfpgo/client"
	"github.com/kfpgo/kfpgo/client/argo"
	"github.com/kfpgo/kfpgo/compiler"
	"github.com/kfpgo/kfpgo/dsl"
)

// image is the suite's, with the components of all pipelines.
const image = "registry.local/systems:1"

var everything = metav1.ListOptions{}

// server is Argo on the cluster.
var server = sync.OnceValues(func() (*argo.Client, error) { return argo.Connect(argo.Config{Namespace: namespace}) })

// A run is one that has ended.
type run struct {
	*client.Run
	log string
}

// started is a run that may go on.
type started = *client.Run

// start submits a pipeline.
func start[In, Out any](t testing.TB, p *dsl.Component[In, Out], in In, opts ...client.Option) started {
	t.Helper()
	c, err := server()
	if err != nil {
		t.Fatal(err)
	}
	opts = append([]client.Option{client.Compile(compiler.Image(image), compiler.ArtifactRoot("s3://artifacts")), client.ServiceAccount("pods")}, opts...)
	r, err := client.Submit(context.Background(), c, p, in, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// ended waits for a run and returns it with its log.
func ended(t testing.TB, r *client.Run, limit time.Duration) run {
	t.Helper()
	c, err := server()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done, err := client.Wait(ctx, c, r.ID, client.WaitOptions{Interval: time.Second})
	if err != nil {
		t.Errorf("%s: %v\n%s", r.ID, err, logOf(c, r.ID))
		return run{r, ""}
	}
	return run{done, logOf(c, r.ID)}
}

func logOf(c *argo.Client, id string) string {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	var b bytes.Buffer
	if err := c.Logs(ctx, id, client.LogOptions{Out: &b}); err != nil {
		fmt.Fprintf(&b, "(no more of the log: %v)", err)
	}
	return b.String()
}

// output returns an output of a run as text.
func (r run) output(name string) string {
	var s string
	if json.Unmarshal(r.Outputs[name], &s) == nil {
		return s
	}
	return string(r.Outputs[name])
}

// says reports what of some texts isn't in the log or the error of a run.
func (r run) says(want ...string) error {
	all := r.log + r.Error
	for _, t := range r.Tasks {
		all += "\n" + t.Error
	}
	for _, w := range want {
		if !strings.Contains(all, w) {
			return fmt.Errorf("nothing says %q:\n%s", w, all)
		}
	}
	return nil
}
