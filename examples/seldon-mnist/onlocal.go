package seldonmnist

import (
	"context"
	"os"

	"github.com/kfpgo/kfpgo/components/seldon"
	"github.com/kfpgo/kfpgo/dsl"
	"github.com/kfpgo/kfpgo/examples/digits"
)

// On this machine Seldon's Python package serves, unless there is a cluster.
func init() {
	if os.Getenv("KUBECONFIG") != "" {
		return
	}
	seldon.Serve.OnLocal(func(ctx context.Context, in seldon.ServeIn, out *seldon.ServeOut) error {
		url, err := digits.Seldon.Start(ctx, in.Name.Get(), in.Model.Path())
		out.Name.Set(in.Name.Get())
		out.Namespace.Set("default")
		out.URL.Set(url)
		return err
	})
	seldon.Remove.OnLocal(func(_ context.Context, in seldon.RemoveIn, _ *dsl.None) error {
		return digits.Seldon.Stop(in.Name.Get())
	})
}
